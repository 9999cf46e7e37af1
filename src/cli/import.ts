import { randomBytes } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { stderr, stdin } from 'node:process';
import { visitors } from '../collect/visitor.ts';
import type { Config } from '../config.ts';
import { readPlausible } from '../exchange/day-sums.ts';
import { FILE_FORMATS } from '../exchange/formats.ts';
import { type ImportFile, readHits } from '../exchange/import.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { Domain } from '../lib/fields.ts';
import { DAY, dayOf } from '../lib/time.ts';
import { isPipe, openLog } from '../logs/files.ts';
import type { Db } from '../store/statements.ts';
import { type Command, clock, type Invocation, now, withEngine, word } from './command.ts';
import { progress } from './progress.ts';
import { existingSite } from './site.ts';

/** A file of it has no hits, only sums of days. */
const SUMS = 'plausible';
const FORMATS = [...Object.keys(FILE_FORMATS), SUMS];

async function* bytesOf(path: string): AsyncIterable<Buffer> {
  if (isPipe(path)) {
    const bar = progress(stderr, clock.tick, 'reading');
    for await (const chunk of path === '-' ? stdin : createReadStream(path)) {
      bar.add(chunk.length);
      yield chunk;
    }
    return bar.end();
  }
  const file = openLog(path);
  const bar = progress(stderr, clock.tick, 'reading', file.isGzip ? 0 : statSync(path).size);
  try {
    for await (const chunk of file.bytes(0)) {
      bar.add(chunk.length);
      yield chunk;
    }
  } finally {
    bar.end();
    file.close();
  }
}

/** Days in words: the first few, and how many more. */
function named(days: readonly number[]): string {
  const names = days.slice(0, 3).map((day) => dayOf(day * DAY));
  return days.length > 3 ? `${names.join(', ')} and ${days.length - 3} more` : names.join(', ');
}

type Work = { db: Db; config: Config; site: { id: number; domain: string }; isDry: boolean };

function readFile(path: string, formatName: string, { db, config, site, isDry }: Work): Promise<ImportFile> {
  const format = FILE_FORMATS[formatName];
  if (!format) return readPlausible(path, Math.floor(now() / DAY));
  return readHits(bytesOf(path), {
    config,
    clock,
    site,
    format,
    spoolPath: isDry ? undefined : `${config.db}.import-${process.pid}`,
    key: randomBytes(32),
    // The codes of today need a salt, which is written where there is none.
    codeOf: isDry ? () => 0 : visitors(db, randomBytes, clock).codeOf,
  });
}

async function importFile({ args, flags, config, io }: Invocation): Promise<void> {
  const domain = word(Domain, 'DOMAIN', args[0]);
  const path = args[1] ?? '';
  const format = flags.format ?? '';
  if (!FORMATS.includes(format)) throw new Refusal(`--format takes ${FORMATS.join(', ')}, not "${format}"`, USAGE);
  const from = flags.from === undefined ? domain : word(Domain, '--from', flags.from);
  const replace = flags.replace !== undefined;
  const isDry = flags['dry-run'] !== undefined;
  await withEngine(config, async ({ db, engine }) => {
    const { id } = existingSite(db, domain);
    const { content, what, lines, close } = await readFile(path, format, {
      ...{ db, config, isDry },
      site: { id, domain: from },
    });
    const { days } = content;
    try {
      if (days.length === 0) throw new Refusal([`${path}: there is no hit in it`, ...lines.slice(1)].join('\n'));
      if (isDry) for (const line of lines) io.print(line);
      const taken = await engine.taken(id, days);
      if (taken.length > 0 && !replace) {
        const why = `${domain} already has hits on ${named(taken)}; nothing was imported. With --replace the file's days take their place.`;
        throw new Refusal([why, ...(isDry ? [] : lines)].join('\n'));
      }
      if (isDry) return io.print('nothing was imported, as --dry-run says');
      const bar = progress(stderr, clock.tick, 'writing', days.length);
      const importId = await engine.bring(id, content, { replace, written: () => bar.add(1) }).finally(bar.end);
      io.print(`${what} imported (import ${importId})`);
      for (const line of lines) io.print(line);
    } finally {
      close();
    }
  });
}

const HELP = `how the file is written: ndjson, goatcounter (its CSV), umami (website_event.csv), simpleanalytics (raw CSV), \
log (an access log: combined, caddy or json), plausible (its zip, which has daily totals and no hits)`;

export const importCommands: Command[] = [
  {
    name: 'import',
    args: ['DOMAIN', 'FILE'],
    summary: 'Bring in hits from a file, or from what comes in where FILE is -; all of it or nothing',
    settings: ['db', 'geoip', 'spam-list'],
    flags: {
      format: { value: 'NAME', help: HELP, required: true },
      from: { value: 'NAME', help: 'the domain that the file names, where the site has had another one' },
      replace: { help: 'take the place of what the days of the file already hold' },
      'dry-run': { help: 'read and check all of it, say what would be taken and what left, and write nothing' },
    },
    run: importFile,
  },
];
