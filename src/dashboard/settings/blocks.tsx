// The blocks of a site. A block names hits that the site does not count from now on. A block is for an IP address, a
// country, a host name, a page, a source or a user agent. A switch adds a block for the user's own IP address. Hits
// that were counted before do not change. The server stores only a hash of an IP address, so the list cannot show the
// IP address. pages/settings.tsx shows `BlocksPart`.

import type { Block } from '../../api/blocks.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import type { BlockKind } from '../../store/sites/blocks.ts';
import { type Loaded, send, useData } from '../core/api.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { plural, t } from '../core/texts.ts';
import { AddForm, Input } from '../ui/add-form.tsx';
import { Block as Box } from '../ui/block.tsx';
import { Field } from '../ui/form.tsx';
import { ItemList } from '../ui/item-list.tsx';
import { Switch } from '../ui/switch.tsx';

const KINDS: Record<BlockKind, DashboardMessage> = {
  address: 'IP address',
  country: 'Country',
  hostname: 'Host name',
  page: 'Page',
  source: 'Source',
  agent: 'User agent',
};

export function BlocksPart(props: PartProps) {
  const blocks = useData<Block[]>(apiPath(props.site, '/blocks'));
  return (
    <>
      <OwnVisits {...props} blocks={blocks} />
      <Blocks {...props} blocks={blocks} />
    </>
  );
}

type Props = PartProps & { blocks: Loaded<Block[]> };

function OwnVisits({ site, mayChange, blocks }: Props) {
  const own = blocks.data?.find(({ mine }) => mine);
  const save = async (isOn: boolean) => {
    if (isOn) await send('POST', apiPath(site, '/blocks'), { kind: 'address', mine: true });
    else if (own) await send('DELETE', apiPath(site, `/blocks/${own.id}`));
    blocks.reload();
  };
  return (
    <Box title={t('Your visits')}>
      <Switch
        label={t('Leave my visits out')}
        help={t(
          'Hits from your present IP address are not counted. Only a hash of the IP address is stored. If your IP address changes, switch this on again.',
        )}
        isOn={own !== undefined}
        isDisabled={!mayChange || !blocks.data}
        save={save}
      />
    </Box>
  );
}

function Blocks({ site, mayChange, blocks }: Props) {
  return (
    <Box title={t('Blocks')} about={t('From now on, hits that match a block are not counted. Past hits stay.')}>
      <ItemList
        of={blocks}
        label={t('Blocks')}
        empty={{
          title: t('No blocks yet'),
          next: t('Block an IP address, a country, a host name, a page, a source or a user agent.'),
        }}
        removal={(block) =>
          mayChange
            ? {
                path: apiPath(site, `/blocks/${block.id}`),
                name: nameOf(block),
                warning: t('Its hits will be counted again.'),
              }
            : undefined
        }
      >
        {(block) => (
          <>
            <p>
              <span class="strong">{nameOf(block)}</span> <span class="badge">{t(KINDS[block.kind])}</span>
            </p>
            <Details {...block} />
          </>
        )}
      </ItemList>
      {mayChange && (
        <AddForm
          label={t('Block')}
          done={t('Blocked.')}
          add={(data) => add(apiPath(site, '/blocks'), data).then(blocks.reload)}
        >
          <Field label={t('Kind')} name="kind">
            <select name="kind">
              {(Object.keys(KINDS) as BlockKind[]).map((kind) => (
                <option key={kind} value={kind}>
                  {t(KINDS[kind])}
                </option>
              ))}
            </select>
          </Field>
          <Input
            name="value"
            label={t('Value')}
            help={t('A star stands for any characters, as in /internal/*. A country is two letters, as in DE.')}
          />
          <Input name="note" label={t('Note (optional)')} />
        </AddForm>
      )}
    </Box>
  );
}

const add = (path: string, data: FormData): Promise<unknown> =>
  send(
    'POST',
    path,
    Object.fromEntries(['kind', 'value', 'note'].map((name) => [name, String(data.get(name) ?? '').trim()])),
  );

const nameOf = ({ value, mine }: Block): string => value ?? t(mine ? 'your IP address' : 'an IP address');

/**
 * Shows the note of a block and the number of hits that the block dropped. If the servers of a cluster do not answer,
 * the number is unknown and left out.
 */
export function Details({ note, dropped }: Pick<Block, 'note' | 'dropped'>) {
  const count =
    dropped !== null &&
    plural(dropped, '{count} hit dropped in the last 30 days', '{count} hits dropped in the last 30 days');
  const words = [note, count].filter(Boolean);
  return words.length > 0 && <p class="soft small">{words.join(' · ')}</p>;
}
