// The table of the details dialog. It has a row for each value, with visitors, share and more figures. A click on the
// head of a column sorts by this column, with the largest values first. Another click puts the smallest values first.
// The server sorts, so each click changes the URL and requests new rows. A click on a row sets the filter and closes
// the dialog. details.tsx shows `DetailsTable`.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Row } from '../../../api/answers.ts';
import type { Metric, Order } from '../../../stats/metrics.ts';
import { number, percent } from '../../core/format.ts';
import { useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import type { Column } from '../model/columns.ts';
import type { RowChanges } from '../model/row-changes.ts';
import type { Table } from '../model/tables.ts';
import { lineOf } from '../panels/breakdown.tsx';
import { type Line, Name, WhyTrend } from '../panels/rows.tsx';

/** The metric that the rows are sorted by, such as bounce rate. If it is undefined, rows are sorted by visitors. */
export type Sort = Metric | undefined;

type Props = {
  table: Table;
  /** The total number of visitors. The table shows the share of each row in this total. */
  whole: number | undefined;
  columns: readonly Column[];
  rows: readonly Row[];
  sort: Sort;
  order?: Order;
  /** Finds the change of a row since the comparison period. Without a comparison, this function is undefined. */
  changeOf?: RowChanges | undefined;
  onSort(by: Sort): void;
  /**
   * Called after a click on a row, to close the dialog. After a click with Ctrl, Cmd or Shift, the dialog stays open.
   * So the user can select more rows.
   */
  onChoice(): void;
};

type HeadProps = { by: Sort; sort: Sort; order: Order; onSort(by: Sort): void; children: ComponentChildren };

export function DetailsTable(props: Props) {
  const { table, whole, columns, rows, sort, order = 'desc', changeOf, onSort, onChoice } = props;
  const scope = useScope();
  const head = { sort, order, onSort };
  const trends = rows.map(({ value, visitors }) => changeOf?.(value, visitors));
  const hasTrends = trends.some((trend) => trend !== undefined);
  return (
    <table class="details-table">
      <thead>
        <tr>
          <th scope="col">{t(table.heading)}</th>
          <Head by={undefined} {...head}>
            {t('Visitors')}
          </Head>
          {hasTrends ? (
            <th scope="col" class="number">
              {t('Change')}
            </th>
          ) : null}
          <th scope="col" class="number details-table-share">
            {t('Share')}
          </th>
          {columns.map(({ metric, name }) => (
            <Head key={metric} by={metric} {...head}>
              {t(name)}
            </Head>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => {
          const line = choosing(lineOf(table, scope, whole, row, trends[i]), onChoice);
          return (
            <tr key={line.key} class={`${line.isSelected ? 'is-selected' : ''} ${line.isBeside ? 'is-beside' : ''}`}>
              <th scope="row">
                <Name {...line} />
              </th>
              <td class="number">{number(line.count)}</td>
              {hasTrends ? (
                <td class={`number ${line.trend?.kind ?? ''}`} title={line.trend?.sentence}>
                  <WhyTrend {...line} />
                </td>
              ) : null}
              <td class="number details-table-share">{line.share === undefined ? '' : percent(line.share)}</td>
              {columns.map(({ metric, textOf }) => (
                <td key={metric} class="number">
                  {textOf(row)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Head({ by, sort, order, onSort, children }: HeadProps) {
  const cell = useRef<HTMLTableCellElement>(null);
  const isSorted = by === sort;
  useEffect(() => {
    // On a narrow screen, the sorted column may be outside of the window. So it is scrolled into view.
    if (isSorted) cell.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isSorted]);
  return (
    <th
      ref={cell}
      scope="col"
      class="number"
      aria-sort={isSorted ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <button type="button" class="details-table-sort" onClick={() => onSort(by)}>
        {children}
      </button>
    </th>
  );
}

const choosing = ({ onSelect, onFilterOut, ...line }: Line, onChoice: () => void): Line => ({
  ...line,
  ...(onFilterOut && {
    onFilterOut() {
      onFilterOut();
      onChoice();
    },
  }),
  ...(onSelect && {
    onSelect(isAnother) {
      onSelect(isAnother);
      if (!isAnother) onChoice();
    },
  }),
});
