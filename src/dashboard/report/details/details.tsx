// The details dialog, which has all rows of a table with all their figures. People can sort the rows by a figure,
// search them, and download them as a CSV file. The URL says which table is open, and how it is sorted.
//
// A table may have 100,000 rows, and the page loads only a hundred at a time. So the server sorts and searches. The
// server knows only codes of countries, such as DE. So the page itself searches their names.
//
// panels.tsx opens `Details`.

import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Row } from '../../../api/answers.ts';
import type { Goal } from '../../../api/goals.ts';
import { makeSearch } from '../../../lib/search.ts';
import { needsCurrency } from '../../../stats/metrics.ts';
import { sitePath } from '../../core/address.ts';
import { type Query, useData } from '../../core/api.ts';
import { nameTarget } from '../../core/goal-types.ts';
import { keptPath } from '../../core/readable.ts';
import { type Scope, useSiteScope } from '../../core/scope.ts';
import { plural, t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FormError } from '../../ui/form.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { useSettled } from '../../ui/use-debounced.ts';
import { type Column, columnsOf, hasConversions } from '../model/columns.ts';
import { noneIn, shownIn, type Table, textIn } from '../model/tables.ts';
import {
  breakdownQuery,
  filtersFor,
  lineOf,
  OwnFilterNote,
  SHARE_HEAD,
  type Totals,
  useTableChanges,
  wholeOf,
} from '../panels/breakdown.tsx';
import { allRows, type PagedRows, usePagedRows } from '../panels/paged-rows.ts';
import { closeDetails, sortBy } from './details-address.ts';
import { DetailsTable, type Sort } from './details-table.tsx';
import { Download } from './download.tsx';

const LONGEST_SEARCH = 1_024;

type Props = Totals & { table: Table; title: string; parameters?: Query | undefined };

/** Shows the details dialog, for reports of one site. The report of all sites has no details. */
export function Details({ table, title, parameters = {}, ...totals }: Props) {
  const scope = useSiteScope();
  const { domain, site, view, currency = null } = scope;
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim());
  const { goals, goal, choose, isReady } = useGoal(
    hasConversions(table) ? sitePath(domain, '/goals') : undefined,
    site?.main_goal_id,
  );
  const columns = columnsOf(table, { hasGoal: goal !== undefined, currency });
  const sort = columns.find(({ metric }) => metric === view.sort)?.metric;
  const path = sitePath(domain, `/stats/breakdown/${table.id}`);
  const { order } = view;
  const query = queryOf({ table, view, parameters, columns, goal, currency }, sort, search);
  const paged = usePagedRows(isReady ? path : undefined, query);
  const isWanted = isSearchedHere(table) ? makeSearch(typed.trim()) : () => true;
  const wanted = (all: readonly Row[]) => all.filter(({ value }) => isWanted(shownIn(table, value)));
  const rows = wanted(paged.rows);
  const changeOf = useTableChanges(table, totals, parameters);
  const list = useRef<HTMLElement>(null);
  const close = () => closeDetails();
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
                name: table.id,
                span: data,
                rows: async () => {
                  const found = wanted(await allRows(path, query, paged.rows));
                  return fileRows({ table, columns, rows: found, scope, whole: wholeOf(totals, data.notice_codes) });
                },
              }}
            />
          ) : null}
        </div>
        <OwnFilterNote table={table} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll a section only if it can have the focus */}
        <section ref={list} class="details-rows" aria-label={t('Rows in {title}', { title })} tabIndex={0}>
          <Answer of={paged.first} lines={12}>
            {({ notice_codes: notices }) =>
              rows.length > 0 ? (
                <DetailsTable
                  {...{ table, columns, rows, sort, order, changeOf }}
                  whole={wholeOf(totals, notices)}
                  onSort={(by) => sortBy(view, by)}
                  onChoice={close}
                />
              ) : (
                <Empty
                  title={
                    search === ''
                      ? t(noneIn(table, notices, filtersFor(table, view)))
                      : t('No results for “{search}”', { search })
                  }
                />
              )
            }
          </Answer>
        </section>
        <More of={paged} list={list} />
      </div>
    </Dialog>
  );
}

/**
 * Loads the goals, and finds the goal whose conversions are shown. If the user has chosen no goal, it is the main goal.
 * Without a main goal, it is the first goal.
 */
function useGoal(path: string | undefined, mainGoal: number | null | undefined) {
  const [chosen, choose] = useState<number>();
  const { data = [], error, isStale } = useData<Goal[]>(path);
  const goal = [chosen, mainGoal].map((id) => data.find((one) => one.id === id)).find(Boolean) ?? data[0];
  return { goals: data, goal, choose, isReady: path === undefined || error !== undefined || !isStale };
}

type Asked = {
  table: Table;
  view: View;
  parameters: Query;
  columns: readonly Column[];
  goal: Goal | undefined;
  currency: string | null;
};

/**
 * True if the page itself searches the rows, because it writes the values in another way than the server. For example,
 * the server has DE, and the page writes "Germany".
 */
const isSearchedHere = ({ textOf }: Table): boolean => textOf !== undefined;

function queryOf({ table, view, parameters, columns, goal, currency }: Asked, sort: Sort, search: string): Query {
  return {
    ...breakdownQuery(table, view),
    ...parameters,
    metrics: columns.map(({ metric }) => metric).join(),
    ...(currency !== null && columns.some(({ metric }) => needsCurrency(metric)) && { currency }),
    ...(goal && { goal: String(goal.id) }),
    ...(sort && { sort }),
    ...(view.order === 'asc' && { order: 'asc' }),
    ...(search && !isSearchedHere(table) ? { search: table.isPage ? keptPath(search) : search } : {}),
  };
}

type File = {
  table: Table;
  columns: readonly Column[];
  rows: readonly Row[];
  scope: Scope;
  whole: number | undefined;
};

const fileRows = ({ table, columns, rows, scope, whole }: File) => [
  [table.heading, 'Visitors', SHARE_HEAD, ...columns.map(({ name, unit }) => (unit ? `${name} (${unit})` : name))],
  ...rows.map((row) => [
    textIn(table, row.value),
    row.visitors,
    lineOf(table, scope, whole, row).share ?? '',
    ...columns.map(({ metric }) => row[metric] ?? ''),
  ]),
];

type ChoiceProps = { goals: readonly Goal[]; goal: Goal; onChoose(id: number): void };

function GoalChoice({ goals, goal, onChoose }: ChoiceProps) {
  return (
    <label class="details-goal">
      <span class="soft small">{t('Goal for the conversions')}</span>
      <select value={goal.id} onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}>
        {goals.map((one) => (
          <option key={one.id} value={one.id}>
            {nameTarget(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

type MoreProps = { of: PagedRows; list: RefObject<HTMLElement | null> };

const rowsText = (count: number, hasMore: boolean): string =>
  hasMore
    ? plural(count, '{count} row is shown. There are more.', '{count} rows are shown. There are more.')
    : plural(count, '{count} row', '{count} rows');

function More({ of: { rows, hasMore, more, addMore }, list }: MoreProps) {
  useEffect(() => {
    // When all rows are loaded, the button for more rows disappears. So the list gets the focus, and keys can still
    // scroll it.
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
