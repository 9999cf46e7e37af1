import type { Embed } from '../../api/embeds.ts';
import { send, useData } from '../api.ts';
import { Copy } from '../parts/copy.tsx';
import { AddForm, Input } from './add-form.tsx';
import { Block } from './block.tsx';
import { ItemList } from './item-list.tsx';
import { apiPath, type PartProps } from './site-part.ts';

/** The sites on which the shared page may be shown in a frame. */
export function Embeds({ site, mayChange }: PartProps) {
  const embeds = useData<Embed[]>(apiPath(site, '/embeds'));
  const frame = `<iframe src="${site.share_url}" title="Statistics of ${site.domain}" width="100%" height="1200" loading="lazy"></iframe>`;
  const removal = ({ id, origin }: Embed) =>
    mayChange
      ? { path: apiPath(site, `/embeds/${id}`), name: origin, warning: 'Its pages show an empty frame from then on.' }
      : undefined;
  return (
    <Block title="Embedding" about="Browsers show the shared page in a frame only on the sites that you name here.">
      <ItemList
        of={embeds}
        label="Sites that may embed"
        empty={{ title: 'No site may embed it yet', next: 'Name the one whose pages should show these reports.' }}
        removal={removal}
      >
        {({ origin }) => <p class="strong">{origin}</p>}
      </ItemList>
      {mayChange && (
        <AddForm
          label="Allow"
          done="Allowed."
          add={(data) => send('POST', apiPath(site, '/embeds'), Object.fromEntries(data)).then(embeds.reload)}
        >
          <Input name="origin" label="Site" type="url" placeholder="https://intranet.example.com" />
        </AddForm>
      )}
      {(embeds.data?.length ?? 0) > 0 && (
        <>
          <p>Paste this where the reports should appear:</p>
          <Copy text={frame} label="the frame" />
        </>
      )}
    </Block>
  );
}
