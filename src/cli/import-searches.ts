// Imports figures about searches on Google, and deletes imported figures. `daybook import` calls `importSearches` for a
// file with such figures.
//
// Invariant: a file is stored as a whole or not at all. For one kind of rows, such as search queries, no day is stored
// twice.
//
// Example: the site has search queries of 3 May, so a zip of May is refused. With --replace, the rows of the zip
// replace these search queries.

import type { SearchFormat } from '../exchange/format.ts';
import { writeTooMany } from '../exchange/products/search-console.ts';
import { inEnglish } from '../lang/sentences.ts';
import { Refusal } from '../lib/errors.ts';
import { Domain } from '../lib/http/fields.ts';
import { DAY, formatDay } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import type { CollectedSite } from '../store/sites/collected-sites.ts';
import {
  addSearches,
  countSearches,
  listSearchSpans,
  removeAllSearches,
  removeSearches,
  SEARCH_ROWS_PER_SITE,
  type SearchRow,
  type SearchSpan,
} from '../store/sites/searches.ts';
import { type Command, type Io, validated, withStore } from './command.ts';
import type { ImportLines } from './import-lines.ts';
import { existingSite } from './site.ts';

export const searchCommands: Command[] = [
  {
    name: 'import remove-searches',
    args: ['DOMAIN'],
    summary: 'Delete all imported figures of searches on Google',
    settings: ['db'],
    run: ({ args, config, io }) =>
      withStore(config, (db) => {
        const { id, domain } = existingSite(db, validated(Domain, 'DOMAIN', args[0]));
        const count = db.write(() => removeAllSearches(db, id));
        io.print(`${count} rows of searches removed from ${domain}`);
      }),
  },
];

type Order = {
  db: Db;
  io: Io;
  site: CollectedSite;
  path: string;
  format: SearchFormat;
  from: string;
  told: ImportLines;
};

/**
 * Imports figures about searches. If some days of the file already have rows of the same kind, the file is refused:
 * searches would count twice. With `replace`, the file replaces these rows. With --json, the program that started the
 * command must confirm first. For an upload in the dashboard, this program is the server.
 */
export async function importSearches(
  { db, io, site, path, format, from, told }: Order,
  { replace: isReplacing, isDry }: { replace: boolean; isDry: boolean },
): Promise<void> {
  const { rows, sheet } = await format.readSearches(path, { ...site, domain: from });
  const lines = sheet.map(inEnglish);
  if (rows.length === 0) throw new Refusal([`${path}: no searches to import`, ...lines].join('\n'));
  const spans = listSpans(rows);
  const listTaken = () => spans.flatMap((span) => listSearchSpans(db, site.id, span));
  async function confirm(): Promise<string | undefined> {
    told.print({ checked: { sheet, ...describeDays(spans), taken: listDates(listTaken()) } });
    return await told.readAnswer();
  }
  const answer = told.isOn ? await confirm() : 'import';
  if (answer === undefined) return;
  const replace = isReplacing || answer === 'replace';
  db.write(() => {
    const taken = listTaken();
    const [first] = taken;
    if (first && !replace) {
      const days = `${formatDay(first.firstDay * DAY)} to ${formatDay(first.lastDay * DAY)}`;
      throw new Refusal(
        `${site.domain} already has searches from ${days}. Nothing was imported. To replace them with the file, use --replace.`,
      );
    }
    if (isDry) return;
    for (const span of taken) removeSearches(db, site.id, span);
    if (countSearches(db, site.id) + rows.length > SEARCH_ROWS_PER_SITE) {
      throw new Refusal(writeTooMany(site.domain));
    }
    addSearches(db, site.id, rows);
  });
  if (told.isOn) return told.print({ done: { id: null } });
  io.print(isDry ? 'dry run: nothing was imported' : 'searches imported');
  for (const line of lines) io.print(line);
}

/** Lists the dates of all days in some ranges of days. */
const listDates = (spans: readonly SearchSpan[]): string[] =>
  [...new Set(spans.flatMap(({ firstDay, lastDay }) => listDaysBetween(firstDay, lastDay)))]
    .sort((one, other) => one - other)
    .map((day) => formatDay(day * DAY));

const listDaysBetween = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

function describeDays(spans: readonly SearchSpan[]): { days: number; from: string; to: string } {
  const dates = listDates(spans);
  return { days: dates.length, from: dates[0] ?? '', to: dates.at(-1) ?? '' };
}

const listSpans = (rows: readonly SearchRow[]): SearchSpan[] => [
  ...new Map(
    rows.map(({ kind, firstDay, lastDay }) => [`${kind} ${firstDay} ${lastDay}`, { kind, firstDay, lastDay }]),
  ).values(),
];
