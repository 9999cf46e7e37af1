import { randomBytes } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { stderr, stdin } from 'node:process';
import { countries } from '../classify/country.ts';
import { spamList } from '../classify/spam.ts';
import { visitors } from '../collect/visitor.ts';
import type { Config } from '../config.ts';
import { type Brought, bring, type Content, type Pace } from '../exchange/bring.ts';
import { sumsIn } from '../exchange/day-sums.ts';
import { hitReader } from '../exchange/file-hits.ts';
import { FILE_FORMATS, type FileFormat } from '../exchange/formats.ts';
import { sheet } from '../exchange/reconciliation.ts';
import { type Spool, spool } from '../exchange/spool.ts';
import { fold } from '../ledger/fold.ts';
import { listTaken } from '../ledger/imports.ts';
import { sealed } from '../ledger/seal.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { Domain } from '../lib/fields.ts';
import { dayOf } from '../lib/time.ts';
import { counted } from '../lib/words.ts';
import { isPipe, openLog } from '../logs/files.ts';
import { type Rows, WORDS } from '../store/hits.ts';
import type { Db } from '../store/statements.ts';
import { type Command, clock, type Invocation, now, withStore, word } from './command.ts';
import { progress } from './progress.ts';
import { existingSite } from './site.ts';

type Site = { id: number; domain: string };

type Work = { db: Db; config: Config; site: Site; format: FileFormat; dry: boolean };

const DAY = 86_400;
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

/** Reads the whole file before anything is written, so that a line that cannot be read stops it in time. */
async function readInto(hits: Spool, path: string, { db, config, site, format, dry }: Work) {
  const counts = sheet();
  const hitOf = hitReader(
    {
      site,
      countries: countries(config.geoip, clock, () => {}),
      clock,
      key: randomBytes(32),
      // The codes of today need a salt, which is written where there is none.
      codeOf: dry ? () => 0 : visitors(db, randomBytes, clock).codeOf,
    },
    format.fields,
  );
  const sink = {
    add(...read: Parameters<typeof hitOf>): void {
      const hit = hitOf(...read);
      counts.add(hit);
      if (!dry) hits.add(hit);
    },
    skip: counts.skip,
  };
  const reading = format.reading(sink, { domain: site.domain, spam: spamList(config.spamList, clock, () => {}) });
  for await (const chunk of bytesOf(path)) reading.feed(chunk);
  reading.end();
  return counts;
}

/** Days in words: the first few, and how many more. */
function named(days: readonly number[]): string {
  const names = days.slice(0, 3).map((day) => dayOf(day * DAY));
  return days.length > 3 ? `${names.join(', ')} and ${days.length - 3} more` : names.join(', ');
}

function broughtBy(hits: Spool): Brought {
  const days = hits.days().map(({ day }) => day);
  const today = Math.floor(now() / DAY);
  function rowsOf(day: number, terms: Int32Array): Rows {
    const rows = hits.rows(day);
    for (const name of WORDS) {
      const column = rows.words[name];
      for (let i = 0; i < rows.count; i++) column[i] = terms[column[i] as number] as number;
    }
    return rows;
  }
  const past = days.filter((day) => day < today);
  return {
    today,
    texts: hits.texts(),
    past: past.length,
    *days(terms) {
      for (const day of past) yield sealed(fold(day, rowsOf(day, terms)));
    },
    open: (terms) => (days.includes(today) ? rowsOf(today, terms) : undefined),
  };
}

/** Brings in what a spool holds, all of it or nothing. */
export const store = (db: Db, site: Site, hits: Spool, pace: Pace): Promise<number> =>
  bring(db, site.id, broughtBy(hits), pace);

/** What a file of hits brings. */
async function hitsIn(path: string, work: Work): Promise<Content> {
  const hits = spool(`${work.config.db}.import-${process.pid}`);
  try {
    const counts = await readInto(hits, path, work);
    const days = counts.days();
    return {
      days,
      what: `${counted(counts.hits(), 'hit')} of ${counted(days.length, 'day')}`,
      lines: counts.lines(),
      brought: broughtBy(hits),
      close: hits.close,
    };
  } catch (error) {
    hits.close();
    throw error;
  }
}

async function importFile({ args, flags, config, io }: Invocation): Promise<void> {
  const domain = word(Domain, 'DOMAIN', args[0]);
  const path = args[1] ?? '';
  if (!FORMATS.includes(flags.format ?? '')) {
    throw new Refusal(`--format takes ${FORMATS.join(', ')}, not "${flags.format}"`, USAGE);
  }
  const format = FILE_FORMATS[flags.format ?? ''];
  const from = flags.from === undefined ? domain : word(Domain, '--from', flags.from);
  const replace = flags.replace !== undefined;
  const dry = flags['dry-run'] !== undefined;
  await withStore(config, async (db) => {
    const site = existingSite(db, domain);
    const { days, what, lines, brought, close } = format
      ? await hitsIn(path, { db, config, site: { ...site, domain: from }, format, dry })
      : await sumsIn(path, Math.floor(now() / DAY));
    try {
      if (days.length === 0) throw new Refusal([`${path}: there is no hit in it`, ...lines.slice(1)].join('\n'));
      if (dry) for (const line of lines) io.print(line);
      const taken = listTaken(db, site.id, days);
      if (taken.length > 0 && !replace) {
        const why = `${domain} already has hits on ${named(taken)}; nothing was imported. With --replace the file's days take their place.`;
        throw new Refusal([why, ...(dry ? [] : lines)].join('\n'));
      }
      if (dry) return io.print('nothing was imported, as --dry-run says');
      const bar = progress(stderr, clock.tick, 'writing', days.length);
      const importId = await bring(db, site.id, brought, { replace, written: () => bar.add(1) }).finally(bar.end);
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
