// The list of a site's exclusions. Each exclusion has the number of visits that it leaves out, and a button that
// removes it. An exclusion deletes no visits. So after its removal, these visits count again. Example: "Source is
// spam.example" leaves out 900 visits of bots.
//
// pages/settings.tsx shows `ExclusionsPart`.

import type { Exclusion } from '../../api/exclusions.ts';
import { useData } from '../core/api.ts';
import { conditionTexts } from '../core/conditions.ts';
import { day, spanText } from '../core/format.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { plural, t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { ItemList } from '../ui/item-list.tsx';
import { NewExclusion } from './new-exclusion.tsx';

export function ExclusionsPart({ site, mayChange }: PartProps) {
  const exclusions = useData<Exclusion[]>(apiPath(site, '/exclusions'));
  const removal = (one: Exclusion) =>
    mayChange
      ? {
          path: apiPath(site, `/exclusions/${one.id}`),
          name: conditionTexts(one.filters).join(', '),
          verb: t('Undo'),
          isHarmless: true,
          warning: plural(
            one.visits,
            '{count} visit will count again, exactly as before.',
            '{count} visits will count again, exactly as before.',
          ),
        }
      : undefined;
  return (
    <>
      <Block
        title={t('Excluded visits')}
        about={t(
          'Reports leave out these visits, such as bot traffic. Nothing is deleted, and you can undo this at any time.',
        )}
      >
        <ItemList
          of={exclusions}
          label={t('Excluded visits')}
          empty={{ title: t('No exclusions yet'), next: t('Reports count every visit to this site.') }}
          removal={removal}
          gone="Exclusion removed: {name}. Its visits count again."
        >
          {(one) => <ExclusionText {...one} />}
        </ItemList>
      </Block>
      {mayChange && <NewExclusion site={site} onAdd={exclusions.reload} />}
    </>
  );
}

const daysText = ({ from, to }: Pick<Exclusion, 'from' | 'to'>): string =>
  to === null
    ? t('Since {day}, including future visits', { day: day(from) })
    : from === to
      ? day(from)
      : spanText({ from, to });

function ExclusionText({ filters, note, visits, ...days }: Exclusion) {
  return (
    <>
      <p class="strong">{conditionTexts(filters).join(', ')}</p>
      <p class="soft small">
        {daysText(days)} · {plural(visits, '{count} visit', '{count} visits')}
      </p>
      {note && <p>{note}</p>}
    </>
  );
}
