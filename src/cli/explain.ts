// The command `daybook explain` says which visitors make up most of a difference between two ranges of days.
//
// Invariant: the flags are the parameters of `GET /api/v1/sites/{site}/stats/explain`. One function answers the command
// and the request (api/explain.ts). The command only reads the database file, so a server may run meanwhile.
//
// Example: `daybook explain example.com --range 7d` prints `visitors: 100 (…), then 300 (…): +200`, and a row with the
// filters `country=DE & channel=Organic Search`. test/cli/explain.test.ts compares the command with the API.

import * as v from 'valibot';
import { EXPLAINED, ExplainQuery, type Explanation, showExplanation } from '../api/explain.ts';
import { FilterObject, writeParameters } from '../api/filters.ts';
import { checkParameters } from '../api/property-filters.ts';
import { checked } from '../lib/http/input.ts';
import type { Command, Invocation } from './command.ts';
import { FILTER_HELP, readTypedFilters } from './filters.ts';
import { explainFaults, withReports } from './reports.ts';
import { printTable } from './table.ts';

async function explain(invocation: Invocation): Promise<void> {
  const { flags, io } = invocation;
  const query = await explainFaults({}, () => checkParameters(ExplainQuery, readQuestion(flags)));
  await withReports(invocation, async (reports) => {
    const answer = await explainFaults({}, () => showExplanation({ ...reports, query }));
    if (flags.json !== undefined) return io.print(JSON.stringify(answer, null, 2));
    printReasons(answer, io);
    for (const notice of answer.notices ?? []) io.explain(notice);
  });
}

const VERDICTS: Record<Explanation['verdict'], string> = {
  explained: 'Most of the difference comes from these visitors:',
  unsure: 'These visitors stand out, but chance alone can cause such a difference:',
  even: 'All groups of visitors changed by about the same share, so no group explains the difference.',
  chance: 'No group of visitors stands out. The difference may be chance.',
};

function printReasons(
  { by, total, previous, difference, from, to, verdict, reasons }: Explanation,
  io: Invocation['io'],
) {
  const [days, before] = [writeDays({ from, to }), writeDays(previous)];
  io.explain(`${by}: ${previous.total} (${before}), then ${total} (${days}): ${writeSigned(difference)}`);
  io.explain(VERDICTS[verdict]);
  if (reasons.length === 0) return;
  const rows = reasons.map((one) => [
    ...[one.previous, one.total, writeSigned(one.difference), one.share ?? '-', writeFilters(one.filters)],
  ]);
  printTable({ flags: {}, io }, ['BEFORE', 'NOW', 'DIFFERENCE', 'SHARE', 'VISITORS'], rows);
}

const writeDays = ({ from, to }: { from: string; to: string }): string => `${from.slice(0, 10)} to ${to.slice(0, 10)}`;

const writeSigned = (value: number): string => (value > 0 ? `+${value}` : String(value));

/** Writes filters in the form that the flag --any of `daybook query` takes. */
const writeFilters = (filters: Explanation['reasons'][number]['filters']): string =>
  Object.entries(filters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' & ');

const TypedFilters = v.strictObject({ filters: FilterObject });

/** Turns the flags into parameters of a request. For a missing flag, the API uses its default. */
function readQuestion({ filter, range, compare, by, goal, 'compare-until': until }: Invocation['flags']) {
  const filters = filter === undefined ? {} : readTypedFilters('filter', filter.split('\n'));
  // The filters are checked like filters in the body of a request. An error then calls a filter `country`, like the
  // flag does. An error about a URL would call the filter `filters[country]`.
  const lists = Object.entries(writeParameters(checked(TypedFilters, { filters }).filters)) as [string, unknown[]][];
  return {
    ...Object.fromEntries(lists.map(([name, values]) => [name, values.map(String)])),
    ...{ range, compare, by, goal, compare_until: until },
  };
}

export const explainCommands: Command[] = [
  {
    name: 'explain',
    args: ['DOMAIN'],
    summary: 'Explain a difference: which visitors make up most of it, and whether chance alone may do as much',
    settings: ['db', 'engine'],
    flags: {
      json: { help: 'print the answer of the API' },
      range: { value: 'RANGE', help: '7d, 30d, month, last-month, year or 2026-01-01~2026-01-31 (default 30d)' },
      compare: { value: 'RANGE', help: 'the days to compare with: previous, year or two days (default previous)' },
      'compare-until': { value: 'now', help: 'if the range ends today: compare only up to the same time' },
      by: { value: 'FIGURE', help: `what to explain: ${EXPLAINED.join(' or ')} (default visitors)` },
      goal: { value: 'ID', help: 'the goal of conversions (default: the main goal)' },
      filter: { value: 'FILTER', help: `which visits: ${FILTER_HELP}. With several, all must match`, many: true },
    },
    run: explain,
  },
];
