import { createWriteStream } from 'node:fs';
import { stdout } from 'node:process';
import { pipeline } from 'node:stream/promises';
import type { Engine } from '../engine.ts';
import { EXPORT_FORMATS, exportedHits } from '../exchange/export.ts';
import { TABLES, tableText } from '../exchange/plausible-export.ts';
import { zipped } from '../exchange/zip.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { Domain } from '../lib/fields.ts';
import { plural } from '../lib/plural.ts';
import { DAY, dayOf } from '../lib/time.ts';
import { type Command, type Invocation, withEngine, word } from './command.ts';
import { existingSite } from './site.ts';

const NAMES = [...Object.keys(EXPORT_FORMATS), 'plausible'];

/** Writes no faster than somebody reads, and no longer. */
async function pour(pieces: AsyncIterable<string> | AsyncIterable<Buffer>, path: string | undefined): Promise<void> {
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

type Site = { id: number; domain: string };

/** The same as daily sums, in the layout of Plausible: a zip of tables. */
function plausible(engine: Engine, { id, domain }: Site, days: readonly number[]): AsyncIterable<Buffer> {
  if (days.length === 0) throw new Refusal(`${domain} has no hits`);
  const [first, last] = [Math.min(...days), Math.max(...days)].map((day) => dayOf(day * DAY).replaceAll('-', ''));
  return zipped(
    Object.keys(TABLES).map((name) => ({
      name: `imported_${name}_${first}_${last}.csv`,
      text: tableText(name, engine.visits(id), domain),
    })),
  );
}

async function exportSite({ args, flags, config, io }: Invocation): Promise<void> {
  const domain = word(Domain, 'DOMAIN', args[0]);
  const format = flags.format ?? '';
  if (!NAMES.includes(format)) throw new Refusal(`--format takes ${NAMES.join(', ')}, not "${format}"`, USAGE);
  await withEngine(config, async ({ db, engine }) => {
    const site = existingSite(db, domain);
    const { hits, sums } = await engine.days(site.id);
    if (sums.length > 0) io.explain(`left out: ${plural(sums.length, 'day')} of which only daily totals are kept`);
    const isHits = format in EXPORT_FORMATS;
    await pour(
      isHits ? exportedHits(engine.visits(site.id), domain, format) : plausible(engine, site, hits),
      flags.out,
    );
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
