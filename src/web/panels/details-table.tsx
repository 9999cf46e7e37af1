// The table of the details dialog has a row for each value, with visitors, share and more figures. A click on the head of a
// column sorts by it, the largest first. The server sorts, so the URL changes and new rows are requested. A click on a row
// sets the filter and closes the dialog.
// details.tsx shows it.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Row } from '../../api/answers.ts';
import type { Metric } from '../../stats/metrics.ts';
import { number, percent } from '../format.ts';
import { t } from '../texts.ts';
import { lineOf, type ReportProps } from './breakdown.tsx';
import type { Column } from './columns.ts';
import { type Line, Name } from './rows.tsx';
import type { Table } from './tables.ts';

/** The metric to sort by. Undefined means visitors. */
export type Sort = Metric | undefined;

type Props = ReportProps & {
  table: Table;
  columns: readonly Column[];
  rows: readonly Row[];
  sort: Sort;
  onSort(by: Sort): void;
  /** Called after a click on a row. A click with Ctrl or Shift does not call it, because another row may follow. */
  onChoice(): void;
};

type HeadProps = { by: Sort; sort: Sort; onSort(by: Sort): void; children: ComponentChildren };

/** Shows rows with their figures. */
export function DetailsTable({ table, columns, rows, sort, onSort, onChoice, ...report }: Props) {
  return (
    <table class="details-table">
      <thead>
        <tr>
          <th scope="col">{t(table.heading)}</th>
          <Head by={undefined} sort={sort} onSort={onSort}>
            {t('Visitors')}
          </Head>
          <th scope="col" class="number details-table-share">
            {t('Share')}
          </th>
          {columns.map(({ metric, name }) => (
            <Head key={metric} by={metric} sort={sort} onSort={onSort}>
              {t(name)}
            </Head>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const line = choosing(lineOf(table, report, row), onChoice);
          return (
            <tr key={line.key} class={`${line.isSelected ? 'is-selected' : ''} ${line.isBeside ? 'is-beside' : ''}`}>
              <th scope="row">
                <Name {...line} />
              </th>
              <td class="number">{number(line.count)}</td>
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

function Head({ by, sort, onSort, children }: HeadProps) {
  const cell = useRef<HTMLTableCellElement>(null);
  const isSorted = by === sort;
  useEffect(() => {
    // On a narrow screen, this column may be out of sight.
    if (isSorted) cell.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isSorted]);
  return (
    <th ref={cell} scope="col" class="number" aria-sort={isSorted ? 'descending' : undefined}>
      <button type="button" class="details-table-sort" onClick={() => onSort(by)}>
        {children}
      </button>
    </th>
  );
}

const choosing = ({ onSelect, ...line }: Line, onChoice: () => void): Line => ({
  ...line,
  ...(onSelect && {
    onSelect(isAnother) {
      onSelect(isAnother);
      if (!isAnother) onChoice();
    },
  }),
});
