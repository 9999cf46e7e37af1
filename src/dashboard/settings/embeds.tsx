// The list of websites that may show the shared reports in a frame. If the list is not empty, the HTML of the frame is
// shown below the list. People paste this HTML into their pages. The frame grows with the reports, so that nobody has
// to scroll inside it. sharing.tsx shows `Embeds`.

import type { Embed } from '../../api/embeds.ts';
import { send, useData } from '../core/api.ts';
import { originIn } from '../core/parse-url-input.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { AddForm, Input } from '../ui/add-form.tsx';
import { Block } from '../ui/block.tsx';
import { Copy } from '../ui/copy.tsx';
import { ItemList } from '../ui/item-list.tsx';

export function Embeds({ site, mayChange }: PartProps) {
  const embeds = useData<Embed[]>(apiPath(site, '/embeds'));
  const title = t('Statistics of {domain}', { domain: site.domain });
  const removal = ({ id, origin }: Embed) =>
    mayChange
      ? {
          path: apiPath(site, `/embeds/${id}`),
          name: origin,
          warning: t('Pages on this website will show an empty frame instead of the reports.'),
        }
      : undefined;
  return (
    <Block title={t('Embedding')} about={t('Only the websites in this list can embed the shared reports.')}>
      <ItemList
        of={embeds}
        label={t('Allowed websites')}
        empty={{ title: t('No allowed websites yet'), next: t('Add the website that should show these reports.') }}
        removal={removal}
      >
        {({ origin }) => <p class="strong">{origin}</p>}
      </ItemList>
      {mayChange && (
        <AddForm
          label={t('Allow')}
          done={t('Allowed.')}
          add={(data) =>
            send('POST', apiPath(site, '/embeds'), { origin: originIn(String(data.get('origin'))) }).then(embeds.reload)
          }
        >
          <Input name="origin" label={t('Website')} type="url" placeholder="https://intranet.example.com" />
        </AddForm>
      )}
      {(embeds.data?.length ?? 0) > 0 && (
        <>
          <p>{t('Paste this where the reports should appear:')}</p>
          <Copy text={writeFrame(site.share_url ?? '', title)} label={t('the embed code')} />
        </>
      )}
    </Block>
  );
}

/**
 * Writes the HTML of a frame, and a script for the page around it. The page in the frame sends the height of its
 * reports (ui/frame-height.ts), and the script gives the frame this height. If a website forbids the script, the frame
 * keeps its height and scrolls.
 */
export const writeFrame = (
  url: string,
  title: string,
): string => `<iframe id="daybook" src="${url}" title="${title}" width="100%" height="1200" style="border: 0"></iframe>
<script>
  addEventListener('message', ({ source, data }) => {
    const frame = document.getElementById('daybook');
    if (source === frame.contentWindow && data.daybookHeight) frame.height = data.daybookHeight;
  });
</script>`;
