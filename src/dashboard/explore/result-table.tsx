// The answer to a question as a table: a row for each combination of values, with its figures. After a click on the
// head of a column, the page requests the rows again, sorted by this column. The first row has the figures of all
// visits.
//
// Invariant: the server counts every figure that is shown, including the total. Visitors of two rows cannot be added
// up, because a visitor may be in both.
//
// Example: by country and device, the row "Germany, Mobile" has 120 visitors, 12 % more than in the period before.
//
// explore.tsx shows `ResultTable`. A pivot has its own table (pivot-table.tsx).

import { useState } from 'preact/hooks';
import type { Table } from '../../api/answers.ts';
import { isHitKey, isTimeKey, type KeyValue } from '../../stats/table-keys.ts';
import { changeView, sitePath, whyRow } from '../core/address.ts';
import { ask, type Loaded } from '../core/api.ts';
import { isFilter } from '../core/filters.ts';
import { number } from '../core/format.ts';
import { useSiteScope } from '../core/scope.ts';
import { t } from '../core/texts.ts';
import { Download } from '../report/details/download.tsx';
import { isExplained } from '../report/model/figures.ts';
import { noneIn } from '../report/model/tables.ts';
import { WhyTrend } from '../report/panels/rows.tsx';
import { Empty } from '../ui/empty.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Bars } from './bars.tsx';
import { nameFigure, nameInFile, writeFigure } from './figure-text.ts';
import { KeyCell } from './key-cell.tsx';
import { nameInFiles, nameKey, writeValue } from './key-text.ts';
import { countsSameDays, readFigure } from './pivot.ts';
import { type Asked, chooseFigure, type Figure, hasFigure, type Part, type Question, writeBody } from './question.ts';
import { AnswerOrRefusal } from './refusal.tsx';
import { SortHead } from './sort-head.tsx';
import { type FindChange, useChanges } from './use-changes.ts';
import { MOST_ROWS, useTable } from './use-pivot.ts';

const WhyDialog = lazy(async () => (await import('../report/later.ts')).WhyDialog, { waiting: null, isOptional: true });

const STEP = 100;

type Props = { asked: Asked; question: Question };

export function ResultTable({ asked, question }: Props) {
  const { view } = asked;
  const [limit, setLimit] = useState(STEP);
  const { by, figures, sort, order } = question;
  const part: Part = { by, figures, sort, order, limit };
  const rows = useTable(asked, part);
  const ofAll = figures.filter((figure) => hasFigure([], figure));
  const total = useTable(asked, ofAll.length > 0 ? { by: [], figures: ofAll, limit: 1 } : undefined);
  const findChange = useChanges(asked, part, rows);
  const isCharted = view.chart === 'line' && by.length > 0 && !by.some(isTimeKey);
  return (
    <div class="card explore-answer">
      {view.row !== '' && <WhyDialog goal={asked.goal === undefined ? undefined : String(asked.goal)} />}
      <AnswerOrRefusal of={rows}>
        {(data) =>
          data.rows.length === 0 ? (
            <Empty title={t(noneIn({ none: 'No visitors on these days' }, data.notice_codes, view.filters))} />
          ) : (
            <>
              {isCharted && <FirstBars {...{ data, asked, question }} />}
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll a section only if it can have the focus */}
              <section class="explore-rows" aria-label={t('Answer')} tabIndex={0}>
                <ResultRows {...{ data, asked, question, findChange }} total={sameDays(total, data)} />
              </section>
              {by.length > 0 && (
                <footer class="explore-foot">
                  <span class="soft small" role="status">
                    {t('{count} of {total} rows', { count: number(data.rows.length), total: number(data.total_rows) })}
                  </span>
                  {data.rows.length < Math.min(data.total_rows, MOST_ROWS) && (
                    <button type="button" aria-busy={rows.isStale} onClick={() => setLimit(limit + STEP)}>
                      {t('More')}
                    </button>
                  )}
                  <FullDownload {...{ data, asked, part }} />
                </footer>
              )}
            </>
          )
        }
      </AnswerOrRefusal>
    </div>
  );
}

/** Returns the figures of all visits. Returns undefined if these figures and the rows count different days. */
function sameDays({ data, isStale }: Loaded<Table>, rows: Table): Table['rows'][number]['metrics'] | undefined {
  return data && !isStale && countsSameDays(data, rows) ? data.rows[0]?.metrics : undefined;
}

type RowsProps = Props & { data: Table; total: ReturnType<typeof sameDays>; findChange: FindChange };

function ResultRows({ data, asked, question, total, findChange }: RowsProps) {
  const { currency } = asked;
  const { by, figures } = question;
  return (
    <table class="details-table explore-table">
      <thead>
        <tr>
          {by.map((key) => (
            <SortHead key={key} by={key} question={question} isName>
              {nameKey(key)}
            </SortHead>
          ))}
          {by.length === 0 && <th scope="col">{t('All visits')}</th>}
          {figures.map((figure) => (
            <SortHead key={figure} by={figure} question={question}>
              {t(nameFigure(figure))}
            </SortHead>
          ))}
        </tr>
      </thead>
      <tbody>
        {total && (
          <tr class="explore-total">
            <th scope="row" colSpan={Math.max(1, by.length)}>
              {t('Total')}
            </th>
            {figures.map((figure) => (
              <td key={figure} class="number">
                {writeFigure(figure, readFigure(total, figure), currency)}
              </td>
            ))}
          </tr>
        )}
        {by.length > 0 &&
          data.rows.map((row) => (
            <tr key={row.by.join('\n')}>
              {by.map((key, place) => (
                <KeyCell key={key} of={key} value={row.by[place] ?? ''} />
              ))}
              {figures.map((figure) => {
                const trend = findChange(figure, row);
                return (
                  <td key={figure} class="number">
                    {writeFigure(figure, readFigure(row.metrics, figure), currency)}
                    {trend && (
                      <span class={`explore-trend small ${trend.kind}`} title={trend.sentence}>
                        <WhyTrend trend={trend} onWhy={explainCell(asked, question, figure, row)} tabIndex={0} />
                      </span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
      </tbody>
    </table>
  );
}

/**
 * Makes the function that explains the change of a cell. Returns undefined if filters cannot select what the cell
 * counts. That is so for a value such as `(other)`, and for groups of filters. A page has pageviews of its own, but a
 * filter by the page also counts other figures of the visit. So of keys of hits, only one is explained, and only for
 * visitors.
 */
function explainCell({ view }: Asked, { by }: Question, figure: Figure, row: Table['rows'][number]) {
  const filters = by.flatMap((key, place) => {
    const value = String(row.by[place]);
    return !isTimeKey(key) && isFilter(key, value) ? [[key, [value]] as const] : [];
  });
  const ofHits = by.filter(isHitKey).length;
  const isSelected = filters.length === by.length && view.any === '' && ofHits <= (figure === 'visitors' ? 1 : 0);
  return isSelected && isExplained(figure) ? () => changeView(whyRow(Object.fromEntries(filters), figure)) : undefined;
}

function FirstBars({ data, asked: { currency }, question }: Props & { data: Table }) {
  const { by } = question;
  const figure = chooseFigure(question);
  const bars = data.rows.map((row) => ({
    name: nameRow(by, row.by),
    value: Number(readFigure(row.metrics, figure) ?? 0),
    text: writeFigure(figure, readFigure(row.metrics, figure), currency),
  }));
  return <Bars label={t('{figure} of the first rows', { figure: t(nameFigure(figure)) })} bars={bars} />;
}

/** Names a row with several keys, such as "Germany · Mobile". */
export const nameRow = (by: Question['by'], values: readonly KeyValue[]): string =>
  by.map((key, place) => writeValue(key, values[place] ?? '')).join(' · ');

/** Shows a button that downloads all rows, in as few requests as the API allows. */
function FullDownload({ data, asked, part }: { data: Table; asked: Asked; part: Part }) {
  const { domain } = useSiteScope();
  const { by, figures } = part;
  const listRows = async () => {
    const rows: Table['rows'] = [];
    for (let offset = 0, total = 1; offset < total; offset += MOST_ROWS) {
      const body = { ...writeBody(asked, { ...part, limit: MOST_ROWS }), offset };
      const page = await ask<Table>(sitePath(domain, '/query'), body);
      rows.push(...page.rows);
      total = page.total_rows;
    }
    return [
      [...by.map(nameInFiles), ...figures.map((figure) => nameInFile(figure, asked.currency))],
      ...rows.map((row) => [
        ...by.map((key, place) => writeInFile(key, row.by[place] ?? '')),
        ...figures.map((figure) => readFigure(row.metrics, figure) ?? ''),
      ]),
    ];
  };
  return <Download title={t('Explore')} file={{ name: `explore-${writeFileName(by)}`, span: data, rows: listRows }} />;
}

/** Writes a value for a CSV file. Times stay as the API writes them, so that spreadsheets can sort them. */
export const writeInFile = (key: Question['by'][number], value: KeyValue): KeyValue =>
  isTimeKey(key) ? value : writeValue(key, value);

/**
 * Writes the keys as a part of a file's name. The colon of a key such as `property:plan` is replaced, because some file
 * systems do not allow colons.
 */
export const writeFileName = (by: Question['by']): string => by.join('-').replaceAll(/[^\w-]/g, '-');
