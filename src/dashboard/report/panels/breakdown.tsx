// A breakdown counts visitors by the values of a dimension, such as browsers. This file requests the breakdown for a table of
// a panel, and makes a line from each row. The share of a row is its part of all visitors in the report. If the rows and the
// total count different days, no share is shown.
//
// Example: 30 of 120 visitors use Firefox. The line says Firefox, 30 and 25 %. A click on the line filters by Firefox.
//
// tabbed-panel.tsx and other panels show `BreakdownRows`.

import type { ComponentChildren } from 'preact';
import type { Breakdown, Row } from '../../../api/answers.ts';
import { computeShare } from '../../../lib/percent.ts';
import { isAnyLeftOut, isAnyUnknown } from '../../../stats/left-out.ts';
import { changeView, reportQuery, searchOf, sitePath, statsPath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { hasValue, isFilter, toggled } from '../../core/filters.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { Answer } from '../../ui/loaded.tsx';
import { fileName } from '../details/csv.ts';
import { type NoticeCodes, noneIn, shownIn, type Table, textIn } from '../model/tables.ts';
import { emblemOf } from './icon.tsx';
import { MOST_ROWS, Ranking } from './ranking.tsx';
import type { Line } from './rows.tsx';

/**
 * What each report needs. Without a domain, the report is about all sites together. `visitors` is the total, or
 * undefined while it is loading. `isPart` says whether a filter left days out of the total. It is undefined if this is
 * not known.
 */
export type ReportProps = {
  domain: string | undefined;
  view: View;
  visitors: number | undefined;
  isPart?: boolean | undefined;
};

type Props = ReportProps & {
  of: ReturnType<typeof useBreakdown>;
  table: Table;
  title: string;
  head?: ComponentChildren;
  onDetails(): void;
};

export function BreakdownRows({ of, table, title, head, onDetails, ...report }: Props) {
  return (
    <Answer of={of} lines={8}>
      {({ from, to, rows, notice_codes: notices }) => (
        <Ranking
          title={title}
          heading={t(table.heading)}
          head={head}
          unit="visitors"
          hasShares
          lines={rows.map((row) => lineOf(table, { ...report, visitors: wholeOf(report, notices) }, row))}
          file={{
            name: fileName(report.domain ?? 'all-sites', table.id, { from, to }),
            rows: () => [
              [table.heading, 'Visitors'],
              ...rows.map(({ value, visitors }) => [textIn(table, value), visitors]),
            ],
          }}
          none={t(noneIn(table, notices))}
          hint={noneIn(table, notices) === table.none && table.hint ? t(table.hint) : undefined}
          {...(report.domain === undefined ? {} : { onDetails })}
        />
      )}
    </Answer>
  );
}

/**
 * The total that shares are computed from. Undefined if the rows and the total count different days, because a filter
 * left out days of only one of them.
 */
export function wholeOf({ visitors, isPart }: ReportProps, notices: NoticeCodes): number | undefined {
  const isOfOtherDays = isPart !== undefined && isPart !== isAnyLeftOut(notices);
  return isOfOtherDays || isAnyUnknown(notices) ? undefined : visitors;
}

export type Selection = Pick<Line, 'isSelected' | 'isBeside' | 'onSelect'>;

/**
 * Makes what a row needs to be selected. A click on a row adds its value to the filter. If the filter has the value
 * already, the click removes it.
 */
export function selectionOf({ filter }: Table, { filters }: View, value: string): Selection {
  if (!filter || !isFilter(filter, value)) return {};
  const isSelected = hasValue(filters, filter, value);
  return {
    isSelected,
    isBeside: !isSelected && filters[filter] !== undefined,
    onSelect: (isAnother) => changeView({ filters: toggled(filters, filter, value, isAnother) }),
  };
}

export function lineOf(table: Table, { domain, view, visitors }: ReportProps, { value, visitors: count }: Row): Line {
  const selection = selectionOf(table, view, value);
  return {
    key: value,
    text: shownIn(table, value),
    whole: textIn(table, value),
    emblem: emblemOf(table.filter, value, shownIn(table, value)),
    count,
    // With a filter on this dimension, the total counts only visitors of the selected rows. A share of any other row
    // would be wrong, so it has no share.
    share: visitors && !selection.isBeside ? computeShare(count, visitors) : undefined,
    ...(table.isSites ? { to: sitePath(value, searchOf({ ...view, more: {} })) } : selection),
    ...(table.isPage && domain !== undefined && value.startsWith('/') ? { href: `https://${domain}${value}` } : {}),
  };
}

/**
 * Leaves out the filter on the table's own dimension. So the table still shows the rows of other values, and people can
 * select them.
 */
export function breakdownQuery({ filter }: Table, view: View): ReturnType<typeof reportQuery> {
  if (!filter) return reportQuery(view);
  const { [filter]: _, ...filters } = view.filters;
  return reportQuery({ ...view, filters });
}

export const useBreakdown = (domain: string | undefined, table: Table, view: View, event?: string) =>
  useData<Breakdown>(statsPath(domain, `breakdown/${table.id}`), {
    ...breakdownQuery(table, view),
    ...(event === undefined ? {} : { event }),
    limit: String(MOST_ROWS),
  });
