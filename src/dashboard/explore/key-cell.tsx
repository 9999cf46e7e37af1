import { isPropertyKey, isTimeKey, type KeyValue, type TableKey } from '../../stats/table-keys.ts';
import { useSiteScope } from '../core/scope.ts';
import { selectionOf } from '../report/panels/breakdown.tsx';
import { emblemOf } from '../report/panels/icon.tsx';
import { Name } from '../report/panels/rows.tsx';
import { writeValue } from './key-text.ts';

/** Keys whose values are pages of the website. */
const PAGES: readonly TableKey[] = ['page', 'entry', 'exit'];

/** Shows the value of a key at the head of a row. A click filters by the value, as in the report. */
export function KeyCell({ of: key, value }: { of: TableKey; value: KeyValue }) {
  const { view, domain } = useSiteScope();
  const text = writeValue(key, value);
  const name = String(value);
  const filter = isTimeKey(key) ? undefined : key;
  return (
    <th scope="row">
      <Name
        {...{ key: name, text, whole: name === '' ? text : name, count: 0 }}
        emblem={filter && !isPropertyKey(filter) ? emblemOf(filter, name, text) : undefined}
        {...(filter && selectionOf({ filter }, view, name))}
        {...(PAGES.includes(key) && name.startsWith('/') && { href: `https://${domain}${name}` })}
      />
    </th>
  );
}
