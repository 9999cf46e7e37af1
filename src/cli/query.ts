// The command `daybook query` prints a table of figures, grouped by up to three keys. A key is a dimension, a property
// or a time, such as the week.
//
// Invariant: the flags are the fields of `POST /api/v1/sites/{site}/query`. One function answers the command and the
// request (api/table.ts). The command only reads the database file, so a server may run meanwhile.
//
// Example: `daybook query example.com --by channel,week --metrics visitors,revenue --any country=DE --any
// page=/pricing` counts each visit that is from Germany, or saw the page /pricing, or both. test/cli/query.test.ts
// compares the command with the API.

import type { Table } from '../api/answers.ts';
import { readAsOf } from '../api/as-of.ts';
import { ask, TABLE_METRICS, TableQuestion } from '../api/table.ts';
import { writeCsvCell } from '../lib/csv.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { checked } from '../lib/http/input.ts';
import { TIME_KEYS } from '../stats/table-keys.ts';
import { findSiteForViewer } from '../store/sites/sites.ts';
import type { Command, Invocation } from './command.ts';
import { FILTER_HELP, readTypedFilters } from './filters.ts';
import { explainFaults, withReports } from './reports.ts';
import { unknownSite } from './site.ts';
import { printTable } from './table.ts';

async function query({ args, flags, config, io }: Invocation): Promise<void> {
  const print = FORMATS[flags.format ?? 'table'];
  if (!print) throw new Refusal(`--format takes ${Object.keys(FORMATS).join(', ')}, not "${flags.format}"`, USAGE);
  const typed = readQuestion(flags);
  const body = await explainFaults(typed, () => checked(TableQuestion, typed));
  await withReports({ args, config }, async (reports) => {
    const { db, api, site, now, signal } = reports;
    const answer = await explainFaults(typed, () => {
      if (body.as_of === undefined) return ask({ ...reports, body });
      const then = findSiteForViewer(db, site.id);
      if (!then) throw unknownSite(site.domain);
      return readAsOf({ db, queries: api.queries, site: then, now }, body.as_of, ({ ask: askPast, ...past }) =>
        ask({ ...past, api: { ...past, ask: askPast }, body, signal }),
      );
    });
    print(answer, body, io);
    if (print === FORMATS.json) return;
    for (const notice of answer.notices ?? []) io.explain(notice);
    const shown = body.offset + answer.rows.length;
    if (answer.rows.length > 0 && shown < answer.total_rows) {
      io.explain(
        `these are rows ${body.offset + 1} to ${shown} of ${answer.total_rows}. To see more, use --limit or --offset`,
      );
    }
  });
}

type Print = (answer: Table, question: TableQuestion, io: Invocation['io']) => void;

const FORMATS: Record<string, Print> = {
  table(answer, question, io) {
    const metrics = listColumns(question);
    const rows = answer.rows.map((row) => [
      ...row.by.map((value) => (value === '' ? '(none)' : value)),
      ...listFigures(row, question).map((figure) => figure ?? '-'),
    ]);
    const none = 'no visits on these days match';
    printTable({ flags: {}, io }, [...answer.by, ...metrics], rows, { none, figures: metrics.length });
  },
  json: (answer, _, io) => io.print(JSON.stringify(answer)),
  csv(answer, question, io) {
    const rows = answer.rows.map((row) => [...row.by, ...listFigures(row, question).map((figure) => figure ?? '')]);
    for (const row of [[...answer.by, ...listColumns(question)], ...rows]) io.print(row.map(writeCsvCell).join(','));
  },
};

/** Lists the columns of figures. With `compare`, each metric has a second column for the compared days. */
const listColumns = ({ metrics, compare }: TableQuestion): string[] =>
  compare === 'none' ? metrics : [...metrics, ...metrics.map((name) => `previous_${name}`)];

const listFigures = ({ metrics: now, previous }: Table['rows'][number], { metrics, compare }: TableQuestion) => [
  ...metrics.map((name) => now[name]),
  ...(compare === 'none' ? [] : metrics.map((name) => previous?.[name])),
];

/** Turns the flags into the fields of a request. For a missing flag, the API uses its default. */
function readQuestion(flags: Invocation['flags']) {
  const {
    by,
    metrics,
    filter,
    any,
    limit,
    offset,
    goal,
    'as-of': asOf,
    format: _,
    db: __,
    engine: ___,
    ...plain
  } = flags;
  const list = (name: string, text: string | undefined) =>
    text === undefined ? {} : { [name]: text.split(',').map((word) => word.trim()) };
  const number = (name: string, text: string | undefined) =>
    text === undefined ? {} : { [name]: Number(text || NaN) };
  return {
    ...plain,
    ...(asOf !== undefined && { as_of: asOf }),
    ...{ ...list('by', by), ...list('metrics', metrics) },
    ...(filter !== undefined && { filters: readTypedFilters('filter', filter.split('\n')) }),
    ...(any !== undefined && { any: any.split('\n').map((group) => readTypedFilters('any', group.split(AND))) }),
    ...{ ...number('limit', limit), ...number('offset', offset), ...number('goal', goal) },
  };
}

/**
 * Separates the filters in one --any. " & " is a separator only if another filter follows, because the value of a
 * filter may contain " & " too.
 */
const AND = / & (?=(?:\w+|property:[\w()]+)(?:\.\w+)?=)/;

export const queryCommands: Command[] = [
  {
    name: 'query',
    args: ['DOMAIN'],
    summary: 'Answer figures of a site by up to three dimensions, properties or times, as the API does',
    settings: ['db', 'engine'],
    flags: {
      by: {
        value: 'KEYS',
        help: `what the rows are: names of filters such as country, property:NAME, ${TIME_KEYS.join(', ')}`,
      },
      metrics: { value: 'METRICS', help: `the figures of a row (default visitors): ${TABLE_METRICS.join(', ')}` },
      range: { value: 'RANGE', help: '7d, 30d, month, last-month, year or 2026-01-01~2026-01-31 (default 30d)' },
      filter: { value: 'FILTER', help: `which visits: ${FILTER_HELP}. With several, all must match`, many: true },
      any: {
        value: 'FILTERS',
        help: 'filters, such as "country=DE & page=/pricing". With several --any, a visit must match one of them',
        many: true,
      },
      compare: { value: 'RANGE', help: 'adds the figures of other days: previous, year or two days' },
      'as-of': { value: 'DAY', help: 'the answer as it was at the end of this past day, such as 2026-01-31' },
      goal: { value: 'ID', help: 'the goal of conversions and conversion_rate (default: the main goal)' },
      currency: { value: 'CODE', help: 'the currency of revenue, such as EUR (default: that of the site)' },
      sort: { value: 'NAME', help: 'a metric, the largest first, or a key, the smallest first (default visitors)' },
      order: { value: 'ORDER', help: 'asc or desc' },
      limit: { value: 'N', help: 'how many rows at most, up to 10000 (default 100)' },
      offset: { value: 'N', help: 'how many rows to leave out first' },
      format: { value: 'NAME', help: `${Object.keys(FORMATS).join(', ')} (default table)` },
    },
    run: query,
  },
];
