// Details are all rows of a table with all their figures, in a dialog. People can sort them by a figure, search them, and
// download them as a CSV file. The URL has the open table and its order.
//
// The server sorts and searches, because it may have 100,000 rows, while the page has only the first hundred. The server does
// not know the names of countries, so the page searches them.
//
// panels.tsx opens `Details`.

import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Row } from '../../../api/answers.ts';
import type { Goal } from '../../../api/goals.ts';
import type { Site } from '../../../api/sites.ts';
import { makeSearch } from '../../../lib/search.ts';
import { sitePath } from '../../core/address.ts';
import { type Query, useData } from '../../core/api.ts';
import { keptPath } from '../../core/readable.ts';
import { plural, t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FormError } from '../../ui/form.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { useSettled } from '../../ui/use-debounced.ts';
import { type Column, columnsOf, hasConversions } from '../model/columns.ts';
import { noneIn, shownIn, type Table, textIn } from '../model/tables.ts';
import { breakdownQuery, type ReportProps, wholeOf } from '../panels/breakdown.tsx';
import { allRows, type PagedRows, usePagedRows } from '../panels/paged-rows.ts';
import { fileName } from './csv.ts';
import { closeDetails, sortBy, sortIn } from './details-address.ts';
import { DetailsTable, type Sort } from './details-table.tsx';
import { Download } from './download.tsx';

const LONGEST_SEARCH = 1_024;

/**
 * The properties of the details dialog. The report of all sites together has no details, so there is always a domain.
 */
type Props = ReportProps & {
  domain: string;
  table: Table;
  title: string;
  site: Site | undefined;
  event?: string | undefined;
};

export function Details({ table, title, site, event, ...report }: Props) {
  const { domain, view } = report;
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim());
  const { goals, goal, choose, isReady } = useGoal(
    hasConversions(table) ? sitePath(domain, '/goals') : undefined,
    site?.main_goal_id,
  );
  const columns = columnsOf(table, goal !== undefined);
  const sort = columns.find(({ metric }) => metric === sortIn(view))?.metric;
  const path = sitePath(domain, `/stats/breakdown/${table.id}`);
  const query = queryOf({ table, view, event, columns, goal }, sort, search);
  const paged = usePagedRows(isReady ? path : undefined, query);
  const isWanted = isSearchedHere(table) ? makeSearch(typed.trim()) : () => true;
  const wanted = (all: readonly Row[]) => all.filter(({ value }) => isWanted(shownIn(table, value)));
  const rows = wanted(paged.rows);
  const list = useRef<HTMLElement>(null);
  const close = () => closeDetails(view);
  const { data } = paged.first;
  return (
    <Dialog title={title} onClose={close} isWide>
      <div class="details">
        <div class="details-head">
          <input
            type="search"
            autofocus
            aria-label={t('Search {title}', { title })}
            placeholder={t('Search')}
            maxLength={LONGEST_SEARCH}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          {goal ? <GoalChoice goals={goals} goal={goal} onChoose={choose} /> : null}
          {data ? (
            <Download
              title={title}
              file={{
                name: fileName(domain, table.id, data),
                rows: async () => fileRows(table, columns, wanted(await allRows(path, query, paged.rows))),
              }}
            />
          ) : null}
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll a section only if it can have the focus */}
        <section ref={list} class="details-rows" aria-label={t('Rows of {title}', { title })} tabIndex={0}>
          <Answer of={paged.first} lines={12}>
            {({ notice_codes: notices }) =>
              rows.length > 0 ? (
                <DetailsTable
                  {...{ ...report, table, columns, rows, sort }}
                  visitors={wholeOf(report, notices)}
                  onSort={(by) => sortBy(view, by)}
                  onChoice={close}
                />
              ) : (
                <Empty title={search === '' ? t(noneIn(table, notices)) : t('No results for “{search}”', { search })} />
              )
            }
          </Answer>
        </section>
        <More of={paged} list={list} />
      </div>
    </Dialog>
  );
}

/** The goal whose conversions are shown. This is the chosen goal, or else the main goal, or else the first goal. */
function useGoal(path: string | undefined, mainGoal: number | null | undefined) {
  const [chosen, choose] = useState<number>();
  const { data = [], error, isStale } = useData<Goal[]>(path);
  const goal = [chosen, mainGoal].map((id) => data.find((one) => one.id === id)).find(Boolean) ?? data[0];
  return { goals: data, goal, choose, isReady: path === undefined || error !== undefined || !isStale };
}

type Asked = {
  table: Table;
  view: View;
  event: string | undefined;
  columns: readonly Column[];
  goal: Goal | undefined;
};

/**
 * True if the page itself searches the rows. The server searches stored values such as DE, and does not know that the page
 * writes "Germany".
 */
const isSearchedHere = ({ textOf }: Table): boolean => textOf !== undefined;

function queryOf({ table, view, event, columns, goal }: Asked, sort: Sort, search: string): Query {
  return {
    ...breakdownQuery(table, view),
    ...(event === undefined ? {} : { event }),
    metrics: columns.map(({ metric }) => metric).join(),
    ...(goal && { goal: String(goal.id) }),
    ...(sort && { sort }),
    ...(search && !isSearchedHere(table) ? { search: table.isPage ? keptPath(search) : search } : {}),
  };
}

const fileRows = (table: Table, columns: readonly Column[], rows: readonly Row[]) => [
  [table.heading, 'Visitors', ...columns.map(({ name }) => name)],
  ...rows.map((row) => [textIn(table, row.value), row.visitors, ...columns.map(({ metric }) => row[metric] ?? '')]),
];

type ChoiceProps = { goals: readonly Goal[]; goal: Goal; onChoose(id: number): void };

function GoalChoice({ goals, goal, onChoose }: ChoiceProps) {
  return (
    <label class="details-goal">
      <span class="soft small">{t('Conversions of')}</span>
      <select value={goal.id} onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}>
        {goals.map(({ id, value }) => (
          <option key={id} value={id}>
            {value}
          </option>
        ))}
      </select>
    </label>
  );
}

type MoreProps = { of: PagedRows; list: RefObject<HTMLElement | null> };

const rowsText = (count: number, hasMore: boolean): string =>
  hasMore
    ? plural(count, '{count} row. More are available.', '{count} rows. More are available.')
    : plural(count, '{count} row', '{count} rows');

function More({ of: { rows, hasMore, more, addMore }, list }: MoreProps) {
  useEffect(() => {
    // After the last rows, the button for more rows disappears and loses the focus. So the list gets the focus, and
    // keys still work there.
    if (!hasMore && document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  }, [hasMore, list]);
  return (
    <footer class="details-foot">
      <span class="soft small" role="status">
        {rows.length > 0 ? rowsText(rows.length, hasMore) : ''}
      </span>
      {hasMore ? (
        <button type="button" aria-busy={more.isBusy} onClick={addMore}>
          {t('More')}
        </button>
      ) : null}
      <FormError error={more.error} />
    </footer>
  );
}
