// The command `daybook export` writes hits as NDJSON, CSV or Parquet, or daily totals as the zip of Plausible. For
// exports in the dashboard, the server starts this command (src/exchange/exports.ts).
//
// The command generates output only as fast as another program reads it, so little output is in memory. If the reading
// program closes the pipe, as `head` does, the command ends without an error (test/cli/export.test.ts).

import { createWriteStream, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stdout } from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RangeName, readRange } from '../api/query.ts';
import type { Engine } from '../engine/engine.ts';
import { EXPORT_FORMATS, exportHits } from '../exchange/export.ts';
import { streamDayFile, writeDayFiles } from '../exchange/parquet/day-files.ts';
import { TABLES, writeTable } from '../exchange/products/plausible-export.ts';
import { makeZip } from '../exchange/reading/zip.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { Domain } from '../lib/http/fields.ts';
import { plural } from '../lib/plural.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import type { Range } from '../stats/query.ts';
import { type Command, type Invocation, now, validated, withEngine } from './command.ts';
import { meantSite, SITE_ID } from './site.ts';

const PARQUET = 'parquet';
const NAMES = [...Object.keys(EXPORT_FORMATS), PARQUET, 'plausible'];

/**
 * Writes an export to a file or to standard output. If the reading program closes the pipe, the export ends without an
 * error.
 */
async function writeOut(
  pieces: AsyncIterable<string> | AsyncIterable<Buffer>,
  path: string | undefined,
): Promise<void> {
  try {
    if (path === undefined) return await pipeline(pieces, stdout, { end: false });
    // The file is opened here, not later by the stream. Otherwise, if the source failed at once, `rmSync` would run
    // before the stream made the file, and an empty file would stay.
    const file = createWriteStream(path, { fd: openSync(path, 'wx', 0o600) });
    await pipeline(pieces, file).catch((error) => {
      // The incomplete file is removed. Otherwise it would look like a complete export, and would prevent the next
      // export to this path.
      rmSync(path, { force: true });
      throw error;
    });
  } catch (error) {
    // A zip begins to read the database before the file is opened. If the file cannot be opened, the zip is stopped
    // here, before the database is closed.
    if (pieces instanceof Readable) pieces.destroy();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new Refusal(`${path}: the file exists already. Name a new one`);
    if (code === 'ENOENT') throw new Refusal(`${path}: the folder does not exist. Create it first`);
    if (code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    throw code === undefined ? error : new Refusal(`${path ?? 'the output'}: ${message}`);
  }
}

type Site = { id: number; domain: string };
type Source = { engine: Engine; site: Site; range: Range | undefined; days: readonly number[] };

/** Every format can be written as one file. For each format, a function returns the content of this file. */
const STREAMS: Record<string, (source: Source) => AsyncIterable<string> | AsyncIterable<Buffer>> = {
  ...Object.fromEntries(
    Object.keys(EXPORT_FORMATS).map((format) => [
      format,
      ({ engine, site, range }: Source) => exportHits(engine.queries.readVisits(site.id, range), format),
    ]),
  ),
  [PARQUET]: ({ engine, site: { id, domain }, days }) =>
    makeZip(
      days.map((day) => ({
        name: `${domain}/${formatDay(day * DAY)}.parquet`,
        text: streamDayFile(domain, engine.queries.readTables(id, { from: day, to: day + 1 })),
        isPacked: true,
      })),
    ),
  plausible({ engine, site: { id, domain }, range, days }) {
    const [first, last] = [days[0] ?? 0, days.at(-1) ?? 0].map((day) => formatDay(day * DAY).replaceAll('-', ''));
    return makeZip(
      Object.keys(TABLES).map((name) => ({
        name: `imported_${name}_${first}_${last}.csv`,
        text: writeTable(name, engine.queries.readVisits(id, range), domain),
      })),
    );
  },
};

/** The formats that are a zip. An empty zip would tell the user nothing, so a site without hits is refused. */
const ZIPS = [PARQUET, 'plausible'];

async function exportSite({ args, flags, config, io }: Invocation): Promise<void> {
  const domain = validated(Domain, 'DOMAIN', args[0]);
  const format = flags.format ?? '';
  if (!NAMES.includes(format)) throw new Refusal(`--format takes ${NAMES.join(', ')}, not "${format}"`, USAGE);
  const folder = readFolder(format, flags);
  const typed = flags.range === undefined ? undefined : validated(RangeName, '--range', flags.range);
  await withEngine(config, async ({ db, engine }) => {
    const site = meantSite(db, domain, flags['site-id']);
    const range = typed === undefined ? undefined : readRange(typed, findSiteDay(site, now()));
    const { days, sums } = await listDays(engine, site.id, range);
    if (sums.length > 0) {
      const [first, last] = [Math.min(...sums), Math.max(...sums)].map((day) => formatDay(day * DAY));
      io.explain(`left out: ${plural(sums.length, 'day')} with only daily totals, ${first} to ${last}`);
    }
    if (days.length === 0 && ZIPS.includes(format))
      throw new Refusal(`${domain} has no hits${range ? ` in ${typed}` : ''}`);
    if (folder !== undefined) return io.print(await exportParquet(engine, site, folder, range));
    const stream = STREAMS[format] as NonNullable<(typeof STREAMS)[string]>;
    await writeOut(stream({ engine, site, range, days }), flags.out);
  });
}

/** Lists the days of a range with hits, and the days with only daily totals. Both lists are in ascending order. */
async function listDays(engine: Engine, siteId: number, range: Range | undefined) {
  const { hits, sums } = await engine.queries.listDays(siteId);
  const isIn = (day: number): boolean => !range || (day >= range.from && day < range.to);
  return { days: hits.filter(isIn).sort((one, other) => one - other), sums: sums.filter(isIn) };
}

/**
 * Reads the folder of --to. Only Parquet can go to a folder, because it has a file for each day. All formats can go to
 * one file.
 */
function readFolder(format: string, { to, out }: Invocation['flags']): string | undefined {
  if (to === undefined) return undefined;
  if (format !== PARQUET) throw new Refusal(`--to is for --format ${PARQUET}. Use --out FILE`, USAGE);
  if (out !== undefined) throw new Refusal('--to and --out exclude each other. Use one of them', USAGE);
  if (to === '') throw new Refusal('--to needs the path of a folder', USAGE);
  return to;
}

async function exportParquet(engine: Engine, { id, domain }: Site, folder: string, range?: Range): Promise<string> {
  let [days, all] = [0, 0];
  const tables = engine.queries.readTables(id, range);
  try {
    for await (const { hits } of writeDayFiles(tables, { folder, domain, writer: 'export' })) {
      days++;
      all += hits;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Refusal(`${folder}: ${message}`);
  }
  return `wrote ${plural(all, 'hit')} of ${plural(days, 'day')} to ${join(folder, domain)}`;
}

const HELP = `${NAMES.join(', ')}. If you import the ndjson, you get the same reports again. Visitors are numbers of one \
day, such as 2026-01-05-3. Engagement is the seconds on each page, and the end of each visit. Format parquet has a \
file for each day, in a folder or in a zip. Format plausible is a zip of daily totals`;

export const exportCommands: Command[] = [
  {
    name: 'export',
    args: ['DOMAIN'],
    summary: 'Export all hits of a site, or their daily sums',
    settings: ['db', 'engine'],
    flags: {
      format: { value: 'NAME', help: HELP, required: true },
      out: { value: 'FILE', help: 'write to this new file instead of standard output' },
      to: {
        value: 'FOLDER',
        help: 'folder for the files of --format parquet: FOLDER/DOMAIN/2026-01-05.parquet (default: a zip of these files)',
      },
      'site-id': SITE_ID,
      range: { value: 'RANGE', help: 'export only these days: 30d, last-month, year or 2026-01-01~2026-01-31' },
    },
    run: exportSite,
  },
];
