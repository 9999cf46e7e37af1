// The table of the details dialog has a row for each value, with visitors, share and more figures. After a click on the head of
// a column, the largest values of the column come first. The server sorts, so the click changes the URL and requests new rows.
// A click on a row sets the filter and closes the dialog.
// details.tsx shows `DetailsTable`.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Row } from '../../../api/answers.ts';
import type { Metric } from '../../../stats/metrics.ts';
import { number, percent } from '../../core/format.ts';
import { t } from '../../core/texts.ts';
import type { Column } from '../model/columns.ts';
import type { Table } from '../model/tables.ts';
import { lineOf, type ReportProps } from '../panels/breakdown.tsx';
import { type Line, Name } from '../panels/rows.tsx';

/** The metric that decides the order of rows. Undefined means visitors. */
export type Sort = Metric | undefined;

type Props = ReportProps & {
  table: Table;
  columns: readonly Column[];
  rows: readonly Row[];
  sort: Sort;
  onSort(by: Sort): void;
  /** Called after a click on a row. A click with Ctrl or Shift does not call it, because the user may select more rows. */
  onChoice(): void;
};

type HeadProps = { by: Sort; sort: Sort; onSort(by: Sort): void; children: ComponentChildren };

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
    // On a narrow screen, the sorted column may be outside of the window.
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
