// The command `daybook query`: answers a question about figures by up to three dimensions, properties or times.
//
// Invariant: the flags are the fields of `POST /api/v1/sites/{site}/query`, and the same function answers both
// (api/table.ts). The command only reads the file, so a server may run meanwhile.
//
// Example: `daybook query example.com --by channel,week --metrics visitors,revenue --any country=DE --any page=/pricing`
// counts visits from Germany, and visits with a view of /pricing. test/cli/query.test.ts compares it with the API.

import type { Table } from '../api/answers.ts';
import { readAsOf } from '../api/as-of.ts';
import { ask, KNOWN_KEYS, TABLE_METRICS, TableQuestion } from '../api/table.ts';
import { inEnglish } from '../lang/sentences.ts';
import { writeCsvCell } from '../lib/csv.ts';
import { Problem, Refusal, USAGE } from '../lib/errors.ts';
import { Domain } from '../lib/http/fields.ts';
import { checked } from '../lib/http/input.ts';
import { findNearest } from '../lib/nearest.ts';
import { makeAsk } from '../stats/ask.ts';
import { TIME_KEYS } from '../stats/table-keys.ts';
import { findReportedSite, findSiteForViewer } from '../store/sites/sites.ts';
import { type Command, type Invocation, now, validated, withReader } from './command.ts';
import { FILTER_HELP, readTypedFilters } from './filters.ts';
import { unknownSite } from './site.ts';
import { printTable } from './table.ts';

async function query({ args, flags, config, io }: Invocation): Promise<void> {
  const print = FORMATS[flags.format ?? 'table'];
  if (!print) throw new Refusal(`--format takes ${Object.keys(FORMATS).join(', ')}, not "${flags.format}"`, USAGE);
  const domain = validated(Domain, 'DOMAIN', args[0]);
  const typed = readQuestion(flags);
  const body = await explainFaults(typed, () => checked(TableQuestion, typed));
  await withReader(config, async ({ queries, imports }, db) => {
    const site = findReportedSite(db, domain);
    if (!site) throw unknownSite(domain);
    const api = { ask: makeAsk(queries), queries, imports };
    const signal = () => new AbortController().signal;
    const answer = await explainFaults(typed, () => {
      if (body.as_of === undefined) return ask({ api, db, site, body, now: now(), signal });
      const then = findSiteForViewer(db, site.id);
      if (!then) throw unknownSite(domain);
      return readAsOf({ db, queries, site: then, now: now() }, body.as_of, ({ ask: askPast, ...past }) =>
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

/** With `compare`, each metric has another column for the compared days. */
const listColumns = ({ metrics, compare }: TableQuestion): string[] =>
  compare === 'none' ? metrics : [...metrics, ...metrics.map((name) => `previous_${name}`)];

const listFigures = ({ metrics: now, previous }: Table['rows'][number], { metrics, compare }: TableQuestion) => [
  ...metrics.map((name) => now[name]),
  ...(compare === 'none' ? [] : metrics.map((name) => previous?.[name])),
];

/** The fields of a request, from the flags. A flag that is not given is missing, so it gets the default of the API. */
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

/** Stands between the filters of a group. Another filter follows, so that a value may have " & " too. */
const AND = / & (?=(?:\w+|property:[\w()]+)(?:\.\w+)?=)/;

/** Runs `work`. An error of the API then names the flag, and for a wrong name in a list also that name. */
async function explainFaults<Result>(typed: object, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'not_found')
      throw new Refusal('there is no such goal. The API lists the goals of a site', USAGE);
    const [field, fault] = Object.entries(error.fields ?? {})[0] ?? [];
    if (field === undefined || !fault) throw error;
    const { flag, word, known } = readField(field, typed);
    const meant = word === undefined ? undefined : findNearest(word, known);
    const more = meant === undefined || meant === word ? '' : ` Did you mean ${meant}?`;
    throw new Refusal(`${flag}${word === undefined ? '' : ` "${word}"`}: ${inEnglish(fault)}${more}`, USAGE);
  }
}

const KNOWN: Record<string, readonly string[]> = { by: KNOWN_KEYS, metrics: TABLE_METRICS };

/** Example: the field `by.1` of `--by page,contry` is the flag --by with the word "contry". */
function readField(
  field: string,
  typed: object,
): { flag: string; word?: string | undefined; known: readonly string[] } {
  const [name = '', ...rest] = field.split(/[.[\]]+/);
  if (name === 'filters') return { flag: `--filter ${rest[0]}`, known: [] };
  if (name === 'any') return { flag: ['--any', rest[1]].join(' ').trim(), known: [] };
  const list = (typed as Record<string, unknown>)[name];
  const word = Array.isArray(list) && rest[0] !== undefined ? String(list[Number(rest[0])]) : undefined;
  return { flag: `--${name.replaceAll('_', '-')}`, word, known: KNOWN[name] ?? [] };
}

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
