import { createWriteStream } from 'node:fs';
import { stdout } from 'node:process';
import { pipeline } from 'node:stream/promises';
import type { Field } from '../exchange/file-hits.ts';
import { TABLES, tableText } from '../exchange/plausible-export.ts';
import { zipped } from '../exchange/zip.ts';
import { COLUMNS } from '../ledger/columns.ts';
import type { Day } from '../ledger/day.ts';
import { type Ledger, ledger } from '../ledger/days.ts';
import { listSummed } from '../ledger/sum-days.ts';
import { type Row, unfold } from '../ledger/unfold.ts';
import { csvCell } from '../lib/csv.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { Domain } from '../lib/fields.ts';
import { dayOf, iso } from '../lib/time.ts';
import { counted } from '../lib/words.ts';
import type { Db } from '../store/statements.ts';
import { type Command, type Invocation, withStore, word } from './command.ts';
import { existingSite } from './site.ts';

const DAY = 86_400;
/** So much text is handed on at once. */
const CHUNK = 64 * 1024;
/** Beyond so many texts in memory, they are looked up again. */
const REMEMBERED = 50_000;

type Site = { id: number; domain: string };
type Line = Partial<Record<Field, string | number>>;

/** In the order in which they are written. */
const FIELDS = [
  'at',
  'url',
  'referrer',
  'event',
  'label',
  'engaged',
  'visitor',
  'country',
  'device',
  'browser',
  'os',
] as const satisfies readonly Field[];

const FORMATS: Record<string, { head: string; line(line: Line): string }> = {
  ndjson: { head: '', line: (line) => `${JSON.stringify(line)}\n` },
  csv: {
    head: `${FIELDS.join(',')}\n`,
    line: (line) => `${FIELDS.map((field) => csvCell(line[field] ?? '')).join(',')}\n`,
  },
};

const NAMES = [...Object.keys(FORMATS), 'plausible'];

function textsOf(db: Db, siteId: number): (term: number) => string {
  const known = new Map<number, string>();
  return (term) => {
    if (term === 0) return '';
    let text = known.get(term);
    if (text === undefined) {
      const sql = 'SELECT text FROM term WHERE site_id = ? AND id = ?';
      text = db.one<{ text: string }>(sql, siteId, term)?.text ?? '';
      if (known.size >= REMEMBERED) known.clear();
      known.set(term, text);
    }
    return text;
  };
}

/** What a row says, as an import understands it. */
function lineOf({ visitor, second, engaged, words }: Row, day: number, domain: string, text: (term: number) => string) {
  const tags = new URLSearchParams();
  for (const tag of ['utm_source', 'utm_medium', 'utm_campaign'] as const) {
    if (words[tag] !== 0) tags.set(tag, text(words[tag]));
  }
  const page = text(words.page);
  const line: Line = {
    at: iso(day * DAY + second),
    // A page of which only "(other)" is known has no path.
    url: `https://${domain}${page.startsWith('/') ? page : `/${page}`}${tags.size > 0 ? `?${tags}` : ''}`,
  };
  if (words.source !== 0) line.referrer = `https://${text(words.source)}/`;
  if (engaged !== undefined) line.engaged = engaged;
  line.visitor = String(visitor);
  for (const name of ['event', 'label', 'country', 'device', 'browser', 'os'] as const) {
    if (words[name] !== 0) line[name] = text(words[name]);
  }
  return line;
}

/** The day with all of its columns, so that it stays as it was at one moment. */
function whole(day: Day): Day {
  const columns = new Map(COLUMNS.map((name) => [name, day.column(name)]));
  return { ...day, column: (name) => columns.get(name) ?? day.column(name) };
}

const numbersOf = (db: Db, days: Ledger, siteId: number): number[] =>
  db.read(() => [...days.days(siteId, 0, Number.MAX_SAFE_INTEGER)].map(({ day }) => day));

/** The days of a site that have hits, one after the other; only one is in memory. */
function* daysOf(db: Db, days: Ledger, siteId: number): Generator<Day> {
  for (const day of numbersOf(db, days, siteId)) {
    days.turn();
    const found = db.read(() => [...days.days(siteId, day, day + 1)].map(whole));
    yield* found;
    days.forget();
  }
}

/** The hits of a site as text, in pieces. */
function* exported(db: Db, site: Site, format: keyof typeof FORMATS): Generator<string> {
  const { head, line } = FORMATS[format] as (typeof FORMATS)[string];
  const text = textsOf(db, site.id);
  let chunk = head;
  for (const day of daysOf(db, ledger(db), site.id)) {
    for (const row of unfold(day)) {
      chunk += line(lineOf(row, day.day, site.domain, text));
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}

/** Writes no faster than somebody reads, and no longer. */
async function pour(pieces: Iterable<string> | AsyncIterable<Buffer>, path: string | undefined): Promise<void> {
  try {
    if (path === undefined) await pipeline(pieces, stdout, { end: false });
    else await pipeline(pieces, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new Refusal(`${path}: there is something already; name a new file`);
    if (code === 'ENOENT') throw new Refusal(`${path}: the folder does not exist; make it first`);
    if (code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    throw code === undefined ? error : new Refusal(`${path ?? 'the output'}: ${message}`);
  }
}

/** The same as daily sums, in the layout of Plausible: a zip of tables. */
function plausible(db: Db, site: Site): AsyncIterable<Buffer> {
  const days = ledger(db);
  const all = numbersOf(db, days, site.id);
  if (all.length === 0) throw new Refusal(`${site.domain} has no hits`);
  const [first, last] = [all[0] ?? 0, all.at(-1) ?? 0].map((day) => dayOf(day * DAY).replaceAll('-', ''));
  const words = { host: site.domain, text: textsOf(db, site.id), cell: csvCell };
  return zipped(
    Object.keys(TABLES).map((name) => ({
      name: `imported_${name}_${first}_${last}.csv`,
      text: tableText(name, daysOf(db, days, site.id), words),
    })),
  );
}

async function exportSite({ args, flags, config, io }: Invocation): Promise<void> {
  const domain = word(Domain, 'DOMAIN', args[0]);
  const format = flags.format ?? '';
  if (!NAMES.includes(format)) throw new Refusal(`--format takes ${NAMES.join(', ')}, not "${format}"`, USAGE);
  await withStore(config, async (db) => {
    const site = existingSite(db, domain);
    const left = listSummed(db, site.id, 0, Number.MAX_SAFE_INTEGER).length;
    if (left > 0) io.explain(`left out: ${counted(left, 'day')} of which only daily totals are kept`);
    await pour(format === 'plausible' ? plausible(db, site) : exported(db, site, format), flags.out);
  });
}

const HELP = `${NAMES.join(', ')}; ndjson can be imported again with the same figures (a visitor is a number of its day, and of \
engagement the seconds on each page and the ends of visits are kept), plausible is a zip of daily sums`;

export const exportCommands: Command[] = [
  {
    name: 'export',
    args: ['DOMAIN'],
    summary: 'Write out the hits of a site, of sealed days and open ones, or their daily sums',
    settings: ['db'],
    flags: {
      format: { value: 'NAME', help: HELP, required: true },
      out: { value: 'FILE', help: 'a new file for it, in place of the standard output' },
    },
    run: exportSite,
  },
];
