// The data of a site as a whole: export, import, the list of imports, and the deletion of days. Only managers and the
// owner can export and import, and only the owner can delete days. Everyone who sees the site also sees the imports.
// pages/settings.tsx shows `DataPart`.

import type { Import } from '../../api/imports.ts';
import { useData } from '../core/api.ts';
import { day, spanText } from '../core/format.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { plural, t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { ItemList } from '../ui/item-list.tsx';
import { DeleteDays } from './delete-days.tsx';
import { ExportData } from './export-data.tsx';
import { ImportData } from './import-data.tsx';

export function DataPart({ site, mayChange }: PartProps) {
  const imports = useData<Import[]>(apiPath(site, '/imports'));
  return (
    <>
      {mayChange && <ExportData site={site} />}
      {mayChange && <ImportData site={site} onImported={imports.reload} />}
      <Block title={t('Imports')} about={t('Files that were imported here or in the terminal of the server.')}>
        <ItemList
          of={imports}
          label={t('Imports')}
          empty={{ title: t('No imports yet'), next: t('Imported days look like all other days in reports.') }}
          removal={(one) =>
            mayChange
              ? {
                  path: apiPath(site, `/imports/${one.id}`),
                  name: nameOf(one),
                  warning: t('Remove all hits and totals of this import? Hits that it replaced do not come back.'),
                }
              : undefined
          }
        >
          {(one) => (
            <>
              <p class="strong">{nameOf(one)}</p>
              <p class="soft small">
                {[
                  plural(one.days, '{count} day', '{count} days'),
                  one.hits > 0 ? plural(one.hits, '{count} hit', '{count} hits') : t('only daily totals'),
                  t('imported on {day}', { day: day(one.imported_at.slice(0, 10)) }),
                ].join(' · ')}
              </p>
            </>
          )}
        </ItemList>
      </Block>
      {site.role === 'owner' && <DeleteDays site={site} onDeleted={imports.reload} />}
    </>
  );
}

const nameOf = ({ from, to }: Import): string =>
  from !== null && to !== null ? spanText({ from, to }) : t('Replaced by later imports');
