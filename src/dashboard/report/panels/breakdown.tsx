// A breakdown counts visitors by the values of a dimension, such as browsers. This file requests the breakdown for a
// table of a panel, and makes a line from each row. The share of a row is its part of all visitors in the report. No
// share is shown if it would be wrong, because the rows and the total count different days, or an import has no figures
// for the rows.
//
// Example: 30 of 120 visitors use Firefox. The line says Firefox, 30 and 25.0%. A click on the line filters by Firefox.
//
// tabbed-panel.tsx and other panels show `BreakdownRows`.

import type { ComponentChildren } from 'preact';
import type { Breakdown, Row } from '../../../api/answers.ts';
import { computeShare } from '../../../lib/percent.ts';
import { OTHER } from '../../../stats/dimensions.ts';
import { isAnyLeftOut, isAnyUnknown } from '../../../stats/left-out.ts';
import { changeView, reportOf, reportQuery, searchOf, sitePath, whyRow } from '../../core/address.ts';
import { type Query, useData } from '../../core/api.ts';
import { filterText } from '../../core/filter-names.ts';
import { filteredOut, hasValue, isFilter, type Selection, toggled } from '../../core/filters.ts';
import { mayExplore, type Scope, statsPath, useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { type FilterName, type Filters, filterOf, type View } from '../../core/view.ts';
import { Answer } from '../../ui/loaded.tsx';
import type { IsEmptyBefore } from '../model/empty-comparison.ts';
import { periodsIn, type RowChanges, useRowChanges, writePeriods } from '../model/row-changes.ts';
import { type NoticeCodes, noneIn, shownIn, type Table, textIn } from '../model/tables.ts';
import type { Trend } from '../model/trend.ts';
import { emblemOf } from './icon.tsx';
import { MOST_ROWS, Ranking } from './ranking.tsx';
import type { Line } from './rows.tsx';

/** Figures of the whole report, which the shares and the changes of rows need. */
export type Totals = {
  /** The number of all visitors of the report, or undefined while it is loading. */
  visitors: number | undefined;
  /**
   * Whether `visitors` lacks totals-only days. That is so if the report has a filter. The field is undefined if this is
   * not known.
   */
  isPart?: boolean | undefined;
  /**
   * True if nothing was counted in the first half of the comparison period, for example because the site is new. The
   * other half is too little for a comparison: "+1,178%" would mislead. So no change is shown. Null until the answers
   * have arrived.
   */
  isEmptyBefore?: IsEmptyBefore;
};

type Props = Totals & {
  of: ReturnType<typeof useBreakdown>;
  table: Table;
  title: string;
  head?: ComponentChildren;
  /** More parameters of the request, such as the event whose labels are shown. */
  parameters?: Query | undefined;
  onDetails(): void;
};

export function BreakdownRows({ of, table, title, head, parameters, onDetails, ...totals }: Props) {
  const scope = useScope();
  const changeOf = useTableChanges(table, totals, parameters);
  return (
    <Answer of={of} lines={8}>
      {({ from, to, rows, notice_codes: notices }) => (
        <>
          <OwnFilterNote table={table} />
          <Ranking
            title={title}
            heading={t(table.heading)}
            head={head}
            unit="visitors"
            hasShares
            lines={rows.map((row) =>
              lineOf(table, scope, wholeOf(totals, notices), row, changeOf(row.value, row.visitors)),
            )}
            file={{
              name: table.id,
              span: { from, to },
              rows: () => [
                [table.heading, 'Visitors', SHARE_HEAD, ...(isCounted(rows) ? ['Occurrences'] : [])],
                ...rows.map((row) => {
                  const { share = '' } = lineOf(table, scope, wholeOf(totals, notices), row);
                  return [textIn(table, row.value), row.visitors, share, ...(isCounted(rows) ? [row.count ?? ''] : [])];
                }),
              ],
            }}
            none={t(noneIn(table, notices, filtersFor(table, scope.view)))}
            hint={noneIn(table, notices) === table.none && table.hint ? t(table.hint) : undefined}
            {...(scope.kind === 'site' && { onDetails })}
            onExplore={exploring(scope, { by: table.filter ?? (table.id === 'event_labels' ? 'event' : '') })}
          />
        </>
      )}
    </Answer>
  );
}

/**
 * Returns the total for computing shares. If the rows and the total count different days, shares would be wrong, so the
 * result is undefined. The result is also undefined if an import has no figures for the rows.
 */
export function wholeOf({ visitors, isPart }: Totals, notices: NoticeCodes): number | undefined {
  const isOfOtherDays = isPart !== undefined && isPart !== isAnyLeftOut(notices);
  return isOfOtherDays || isAnyUnknown(notices) ? undefined : visitors;
}

/** The heading of the column of shares in CSV files. Headings in CSV files are in English and name the unit. */
export const SHARE_HEAD = 'Share (percent)';

/**
 * Says whether a row is selected, and makes the functions for clicks on the row. A click sets a filter with the row's
 * value. If the filter already has the value, the click removes the value.
 */
export function selectionOf({ filter }: Pick<Table, 'filter'>, { filters }: View, value: string): Selection {
  if (!filter || !isFilter(filter, value)) return {};
  const isSelected = hasValue(filters, filter, value);
  return {
    isSelected,
    isBeside: !isSelected && filters[filter] !== undefined,
    onSelect: (isAnother) => changeView({ filters: toggled(filters, filter, value, isAnother) }),
    onFilterOut: () => changeView({ filters: filteredOut(filters, filter, value) }),
  };
}

/**
 * Makes the function that opens the page "Explore" for the visits of this view. Returns undefined if the user may not
 * use this page.
 */
export const exploring = (scope: Scope, change: Partial<View>): (() => void) | undefined =>
  mayExplore(scope) ? () => changeView({ by: '', sort: '', ...change, explore: true, details: '' }) : undefined;

/** Makes the function that opens the page "Explore" for the visits of one row. */
export const exploringRow = (filter: FilterName | undefined, scope: Scope, value: string) =>
  filter && exploring(scope, { filters: { ...scope.view.filters, [filter]: [value] } });

/**
 * Makes the function that explains the change of a row's visitors. Returns undefined if the user may not ask for this.
 */
const explainingRow = (filter: FilterName | undefined, scope: Scope, value: string) =>
  filter && mayExplore(scope) ? () => changeView(whyRow({ [filter]: [value] })) : undefined;

/** Makes the view of a site that explains its change, for the days that the change of its row compares. */
const whySite = ({ view, today }: Scope): View => ({
  ...reportOf(view),
  ...writePeriods(periodsIn(view, today)),
  why: 'visitors',
});

const isCounted = (rows: readonly Row[]): boolean => rows.some(({ count }) => count !== undefined);

/** Tells whether a click opens the values of a property. `(other)` stands for many properties, so it has no values. */
const opens = ({ id }: Table, value: string): boolean => id === 'properties' && value !== OTHER;
const openProperty = (property: string) => changeView({ property, details: '', sort: '', order: 'desc' });

/**
 * Makes a line from a row. `whole` is the total that the share of the row is computed from. `trend` is the change of
 * the row, if it is known.
 */
export function lineOf(
  table: Table,
  scope: Scope,
  whole: number | undefined,
  { value, visitors: count, count: times }: Row,
  trend?: Trend,
): Line {
  const selection = selectionOf(table, scope.view, value);
  return {
    key: value,
    text: shownIn(table, value),
    whole: textIn(table, value),
    emblem: emblemOf(table.filter, value, shownIn(table, value)),
    count,
    // With a filter such as "Country is France", the total counts only visitors from France. So the row of Germany has
    // no share in this total.
    share: whole && !selection.isBeside ? computeShare(count, whole) : undefined,
    ...(times !== undefined && { times }),
    trend,
    onWhy: trend && selection.onSelect && explainingRow(table.filter, scope, value),
    ...(opens(table, value) && { onOpen: () => openProperty(value) }),
    onExplore: opens(table, value)
      ? exploring(scope, { by: filterOf(value) })
      : selection.onSelect && exploringRow(table.filter, scope, value),
    ...(table.isSites
      ? { to: sitePath(value, searchOf(reportOf(scope.view))), whyTo: sitePath(value, searchOf(whySite(scope))) }
      : selection),
    ...(table.isPage &&
      scope.kind === 'site' &&
      value.startsWith('/') && {
        href: `https://${scope.domain}${value}`,
        onJourney: () =>
          changeView({ journey: value, direction: table.id === 'exit_pages' ? 'before' : 'after', details: '' }),
      }),
  };
}

/**
 * Makes the parameters of the request for a table's rows, without the filter on the table's own dimension. With the
 * filter "Country is France", the table of countries still has all countries. So people can select other countries.
 */
export const breakdownQuery = (table: Table, view: View): ReturnType<typeof reportQuery> =>
  reportQuery({ ...view, filters: filtersFor(table, view) });

/** Finds the changes of a table's rows since the comparison period. */
export function useTableChanges(table: Table, { isEmptyBefore = false }: Totals, parameters?: Query): RowChanges {
  const { view } = useScope();
  return useRowChanges(isEmptyBefore === false, `breakdown/${table.id}`, (range) => ({
    ...breakdownQuery(table, { ...view, range }),
    ...parameters,
  }));
}

/**
 * Returns the filters that apply to the rows of a table. The filter on the table's own dimension, such as the country,
 * is left out.
 */
export function filtersFor({ filter }: Table, view: View): Filters {
  if (!filter) return view.filters;
  const { [filter]: _, ...filters } = view.filters;
  return filters;
}

/**
 * Says that the filter on the table's own dimension does not apply to its rows. Otherwise the other rows would look
 * like a mistake.
 */
export function OwnFilterNote({ table }: { table: Table }) {
  const { view } = useScope();
  if (!table.filter || view.filters[table.filter] === undefined) return null;
  return (
    <p class="soft small">
      {t('The filter “{name}” does not apply to this list.', { name: filterText(table.filter) })}
    </p>
  );
}

export function useBreakdown(table: Table, parameters?: Query) {
  const scope = useScope();
  return useData<Breakdown>(statsPath(scope, `breakdown/${table.id}`), {
    ...breakdownQuery(table, scope.view),
    ...parameters,
    limit: String(MOST_ROWS),
  });
}
