// The answer to a question as a pivot: the last key gives the columns, and each cell has one figure. Visitors of two
// columns cannot be added up, because a visitor may be in both. So the server also counts the total of each row, and
// the column "Other".
//
// Example: pages in rows and countries in columns. The column "Other" has the visits from all other countries.
//
// explore.tsx shows `PivotTable`, and use-pivot.ts requests its figures.

import { useState } from 'preact/hooks';
import { isTimeKey, type KeyValue } from '../../stats/table-keys.ts';
import { changeView } from '../core/address.ts';
import { number } from '../core/format.ts';
import { t } from '../core/texts.ts';
import { Download } from '../report/details/download.tsx';
import { noneIn } from '../report/model/tables.ts';
import { Empty } from '../ui/empty.tsx';
import { Bars } from './bars.tsx';
import { nameFigure, writeFigure } from './figure-text.ts';
import { KeyCell } from './key-cell.tsx';
import { nameInFiles, nameKey, writeShort, writeValue } from './key-text.ts';
import type { CellValue } from './pivot.ts';
import { type Asked, chooseFigure, type Question } from './question.ts';
import { AnswerOrRefusal } from './refusal.tsx';
import { nameRow, writeFileName, writeInFile } from './result-table.tsx';
import { SortHead } from './sort-head.tsx';
import { type Pivot, usePivot } from './use-pivot.ts';

/**
 * How many rows are shown at first, and how many a click on "More" adds. The API allows just as many values in one
 * filter. So before the first click on "More", the query for the cells can filter by the values of all shown rows.
 */
const STEP = 20;
const MOST_SHOWN = 500;
/**
 * How many columns are shown at most, because a wide table is hard to read. If the columns are times, there may be
 * more, so that a month of days fits.
 */
const [MOST_VALUES, MOST_TIMES] = [8, 31];

type Props = { asked: Asked; question: Question };

export function PivotTable({ asked, question }: Props) {
  const { view, currency } = asked;
  const [mostRows, setMostRows] = useState(STEP);
  const { by, sort, order } = question;
  const [rowKeys, [columnKey = 'day']] = [by.slice(0, -1), by.slice(-1)];
  const figure = chooseFigure(question);
  const pivot = usePivot(asked, {
    ...{ rowKeys, columnKey, figure, sort, order, mostRows },
    columns: { most: isTimeKey(columnKey) ? MOST_TIMES : MOST_VALUES },
  });
  const write = (value: CellValue) => (value === undefined ? '…' : writeFigure(figure, value, currency));
  return (
    <div class="card explore-answer">
      <FigureChoice question={question} />
      <AnswerOrRefusal of={pivot}>
        {(data) =>
          data.rows.length === 0 ? (
            <Empty title={t(noneIn({ none: 'No visitors on these days' }, data.notice_codes, view.filters))} />
          ) : (
            <>
              {view.chart === 'line' && !by.some(isTimeKey) && data.findTotal && (
                <TotalBars {...{ data, rowKeys, question }} write={write} />
              )}
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll a section only if it can have the focus */}
              <section class="explore-rows" aria-label={t('Answer')} tabIndex={0}>
                <PivotRows {...{ data, question, rowKeys, columnKey, write }} />
              </section>
              <Remarks {...{ data, columnKey }} />
              <footer class="explore-foot">
                <span class="soft small" role="status">
                  {t('{count} of {total} rows', { count: number(data.rows.length), total: number(data.rowsTotal) })}
                </span>
                {data.rows.length < Math.min(data.rowsTotal, MOST_SHOWN) && (
                  <button type="button" aria-busy={pivot.isStale} onClick={() => setMostRows(mostRows + STEP)}>
                    {t('More')}
                  </button>
                )}
                <Download
                  title={t('Explore')}
                  file={{
                    name: `explore-${writeFileName(by)}`,
                    span: data,
                    rows: () => listRows(data, rowKeys, columnKey),
                  }}
                />
              </footer>
            </>
          )
        }
      </AnswerOrRefusal>
    </div>
  );
}

/** Lets people choose which figure the cells show, because a cell has room for only one. */
function FigureChoice({ question }: { question: Question }) {
  const { figures } = question;
  if (figures.length < 2) return null;
  return (
    <fieldset class="explore-figure">
      <legend class="unseen">{t('Figure in the table')}</legend>
      {figures.map((figure) => (
        <button
          key={figure}
          type="button"
          class="plain legend-button"
          aria-pressed={figure === chooseFigure(question)}
          onClick={() => changeView({ sort: figure, order: 'desc' }, 'replace')}
        >
          {t(nameFigure(figure))}
        </button>
      ))}
    </fieldset>
  );
}

type Keys = { rowKeys: Question['by']; columnKey: Question['by'][number] };
type Write = (value: CellValue) => string;

function PivotRows(props: Keys & { data: Pivot; question: Question; write: Write }) {
  const { data, question, rowKeys, columnKey, write } = props;
  const { columns, findCell, findTotal, findOther } = data;
  const cell = (value: CellValue) => (
    <td
      class={value === 0 || value === null ? 'number soft' : 'number'}
      title={value === undefined ? t('Not known') : undefined}
    >
      {write(value)}
    </td>
  );
  return (
    <table class="details-table explore-table">
      <thead>
        <tr>
          {rowKeys.map((key) => (
            <SortHead key={key} by={key} question={question} isName>
              {nameKey(key)}
            </SortHead>
          ))}
          {findTotal && (
            <SortHead by={chooseFigure(question)} question={question}>
              {t('Total')}
            </SortHead>
          )}
          {columns.map((column) => (
            <th key={column} scope="col" class="number" title={writeValue(columnKey, column)}>
              {writeShort(columnKey, column)}
            </th>
          ))}
          {findOther && (
            <th scope="col" class="number">
              {t('Other')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {data.rows.map((row) => (
          <tr key={row.join('\n')}>
            {rowKeys.map((key, place) => (
              <KeyCell key={key} of={key} value={row[place] ?? ''} />
            ))}
            {findTotal && cell(findTotal(row))}
            {columns.map((column) => cell(findCell(row, column)))}
            {findOther && cell(findOther(row))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Says what the table does not show. */
function Remarks({ data, columnKey }: { data: Pivot; columnKey: Keys['columnKey'] }) {
  const { columns, columnsTotal, findOther, isCut } = data;
  const values = { count: number(columns.length), total: number(columnsTotal), name: nameKey(columnKey) };
  const isShort = columnsTotal > columns.length;
  return (
    <>
      {isShort && (
        <p class="soft small">
          {isTimeKey(columnKey)
            ? t('The last {count} of {total} columns are shown.', values)
            : findOther
              ? t(
                  '{name}: the first {count} of {total} values. “Other” counts the visits with all other values.',
                  values,
                )
              : t('{name}: the first {count} of {total} values. The other values cannot be counted together.', values)}
        </p>
      )}
      {isCut && (
        <p class="soft small">
          {t('Some cells are not known, because there are too many. Use filters or a shorter period.')}
        </p>
      )}
    </>
  );
}

function TotalBars(props: { data: Pivot; rowKeys: Keys['rowKeys']; question: Question; write: Write }) {
  const { data, rowKeys, question, write } = props;
  const bars = data.rows.map((row) => {
    const value = data.findTotal?.(row);
    return { name: nameRow(rowKeys, row), value: Number(value ?? 0), text: write(value) };
  });
  return (
    <Bars label={t('{figure} of the first rows', { figure: t(nameFigure(chooseFigure(question))) })} bars={bars} />
  );
}

/** Lists the rows of a CSV file. An unknown figure is an empty cell. */
function listRows(data: Pivot, rowKeys: Keys['rowKeys'], columnKey: Keys['columnKey']): KeyValue[][] {
  const { rows, columns, findCell, findTotal, findOther } = data;
  return [
    [
      ...rowKeys.map(nameInFiles),
      ...(findTotal ? ['Total'] : []),
      ...columns.map((column) => writeInFile(columnKey, column)),
      ...(findOther ? ['Other'] : []),
    ],
    ...rows.map((row) => [
      ...rowKeys.map((key, place) => writeInFile(key, row[place] ?? '')),
      ...[
        ...(findTotal ? [findTotal(row)] : []),
        ...columns.map((column) => findCell(row, column)),
        ...(findOther ? [findOther(row)] : []),
      ].map((value) => value ?? ''),
    ]),
  ];
}
