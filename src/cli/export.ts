// The command `daybook export`: hits as NDJSON, CSV or Parquet, or daily totals as the zip of Plausible.
//
// The command produces output only as fast as it is read, so little of it is in memory. If the reading program closes
// the pipe, as `head` does, the command ends without an error (test/cli/export.test.ts).

import { createWriteStream, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stdout } from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Engine } from '../engine/engine.ts';
import { EXPORT_FORMATS, exportHits } from '../exchange/export.ts';
import { writeDayFiles } from '../exchange/parquet/day-files.ts';
import { TABLES, writeTable } from '../exchange/products/plausible-export.ts';
import { makeZip } from '../exchange/reading/zip.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { Domain } from '../lib/http/fields.ts';
import { plural } from '../lib/plural.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { type Command, type Invocation, validated, withEngine } from './command.ts';
import { existingSite } from './site.ts';

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
    // The file is opened now, not by the stream. If the source fails at once, `rmSync` below would run before the
    // stream has made the file. An empty file would stay.
    const file = createWriteStream(path, { fd: openSync(path, 'wx', 0o600) });
    await pipeline(pieces, file).catch((error) => {
      // An incomplete file looks like a complete export, and would prevent the next export to this path. So the file is
      // removed.
      rmSync(path, { force: true });
      throw error;
    });
  } catch (error) {
    // Even if the file could not be opened, the zip has begun to read the database. So the zip is stopped here, before
    // the database is closed.
    if (pieces instanceof Readable) pieces.destroy();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new Refusal(`${path}: the file exists already. Name a new one`);
    if (code === 'ENOENT') throw new Refusal(`${path}: the folder does not exist. Create it first`);
    if (code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    throw code === undefined ? error : new Refusal(`${path ?? 'the output'}: ${message}`);
  }
}

type Site = { id: number; domain: string };

function plausibleZip(engine: Engine, { id, domain }: Site, days: readonly number[]): AsyncIterable<Buffer> {
  if (days.length === 0) throw new Refusal(`${domain} has no hits`);
  const [first, last] = [Math.min(...days), Math.max(...days)].map((day) => formatDay(day * DAY).replaceAll('-', ''));
  return makeZip(
    Object.keys(TABLES).map((name) => ({
      name: `imported_${name}_${first}_${last}.csv`,
      text: writeTable(name, engine.queries.readVisits(id), domain),
    })),
  );
}

async function exportSite({ args, flags, config, io }: Invocation): Promise<void> {
  const domain = validated(Domain, 'DOMAIN', args[0]);
  const format = flags.format ?? '';
  if (!NAMES.includes(format)) throw new Refusal(`--format takes ${NAMES.join(', ')}, not "${format}"`, USAGE);
  const folder = readFolder(format, flags);
  await withEngine(config, async ({ db, engine }) => {
    const site = existingSite(db, domain);
    const { hits, sums } = await engine.queries.listDays(site.id);
    if (sums.length > 0) {
      const [first, last] = [Math.min(...sums), Math.max(...sums)].map((day) => formatDay(day * DAY));
      io.explain(`left out: ${plural(sums.length, 'day')} with only daily totals, ${first} to ${last}`);
    }
    if (folder !== undefined) {
      io.print(await exportParquet(engine, site, folder));
      return;
    }
    const isHits = format in EXPORT_FORMATS;
    await writeOut(
      isHits ? exportHits(engine.queries.readVisits(site.id), format) : plausibleZip(engine, site, hits),
      flags.out,
    );
  });
}

/** Parquet goes to a folder, because each day has a file. The other formats go to one file. */
function readFolder(format: string, { to, out }: Invocation['flags']): string | undefined {
  if (format !== PARQUET) {
    if (to !== undefined) throw new Refusal(`--to is for --format ${PARQUET}. Use --out FILE`, USAGE);
    return undefined;
  }
  if (out !== undefined) throw new Refusal('--out is for the other formats. Use --to FOLDER', USAGE);
  if (to === undefined || to === '') throw new Refusal(`--format ${PARQUET} needs --to FOLDER`, USAGE);
  return to;
}

async function exportParquet(engine: Engine, { id, domain }: Site, folder: string): Promise<string> {
  let [days, all] = [0, 0];
  try {
    for await (const { hits } of writeDayFiles(engine.queries.readTables(id), { folder, domain, writer: 'export' })) {
      days++;
      all += hits;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Refusal(`${folder}: ${message}`);
  }
  if (days === 0) throw new Refusal(`${domain} has no hits`);
  return `wrote ${plural(all, 'hit')} of ${plural(days, 'day')} to ${join(folder, domain)}`;
}

const HELP = `${NAMES.join(', ')}. If you import the ndjson, you get the same reports again. Visitors are numbers of one \
day, such as 2026-01-05-3. Engagement is the seconds on each page, and the end of each visit. Format parquet writes a \
file for each day. Format plausible is a zip of daily totals`;

export const exportCommands: Command[] = [
  {
    name: 'export',
    args: ['DOMAIN'],
    summary: 'Export all hits of a site, or their daily sums',
    settings: ['db', 'engine'],
    flags: {
      format: { value: 'NAME', help: HELP, required: true },
      out: { value: 'FILE', help: 'write to this new file instead of standard output' },
      to: { value: 'FOLDER', help: 'folder for the files of --format parquet: FOLDER/DOMAIN/2026-01-05.parquet' },
    },
    run: exportSite,
  },
];
