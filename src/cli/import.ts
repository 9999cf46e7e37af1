// The command `daybook import` reads a file, such as an export of another product. The command passes hits and sums to
// the engine, and prints a summary, such as the numbers of imported and skipped lines. Figures about searches do not go
// to the engine (import-searches.ts).
//
// Without --replace, an import of a day that already has hits is refused, so that no hit counts twice. The error says
// what to do. A dry run checks everything but writes nothing. Without --format, the format is recognised by the
// beginning of the file (src/exchange/recognize.ts).

import { randomBytes } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { stderr, stdin } from 'node:process';
import { makeVisitors } from '../collect/visitor.ts';
import type { Engine } from '../engine/engine.ts';
import type { FileFormat, HitFormat, ImportFile, SumFormat } from '../exchange/format.ts';
import { FILE_FORMATS } from '../exchange/formats.ts';
import { type ReadOptions, readHits } from '../exchange/import.ts';
import { recognize } from '../exchange/recognize.ts';
import type { CheckedFile } from '../exchange/upload-process.ts';
import { inEnglish } from '../lang/sentences.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { Domain } from '../lib/http/fields.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import { isPipe, openLog, unpackPipe } from '../logs/files.ts';
import { isOnCluster } from '../store/cluster/cluster-servers.ts';
import type { Db } from '../store/db.ts';
import { setFirstCurrency } from '../store/sites/currency.ts';
import { type Command, clock, type Invocation, type Io, now, validated, withEngine, withStore } from './command.ts';
import { findFormerDay } from './former-days.ts';
import { describeFailure, type ImportLines, importLines } from './import-lines.ts';
import { importSearches } from './import-searches.ts';
import { progress } from './progress.ts';
import { meantSite, SITE_ID } from './site.ts';

const FORMAT_NAMES = Object.keys(FILE_FORMATS).join(', ');
const FORMAT_HELP = Object.entries(FILE_FORMATS)
  .map(([name, { help }]) => `${name} (${help})`)
  .join(', ');

/**
 * Yields the bytes of a file or a pipe. `count` is called with the number of bytes of each chunk. The progress bar of a
 * pipe or a compressed file has no total, because the size of the content is unknown.
 */
async function* readBytes(path: string, count: (bytes: number) => void): AsyncIterable<Buffer> {
  const file = isPipe(path) ? undefined : openLog(path);
  const bar = progress(stderr, clock.tick, 'reading', !file || file.isGzip ? 0 : statSync(path).size);
  try {
    for await (const chunk of file?.bytes(0) ?? unpackPipe(path === '-' ? stdin : createReadStream(path))) {
      bar.add(chunk.length);
      count(chunk.length);
      yield chunk;
    }
  } finally {
    bar.end();
    file?.close();
  }
}

/** Names the first days and counts the others, such as "2026-01-01, 2026-01-02, 2026-01-03 and 4 more". */
function dayList(days: readonly number[]): string {
  const names = days.slice(0, 3).map((day) => formatDay(day * DAY));
  return days.length > 3 ? `${names.join(', ')} and ${days.length - 3} more` : names.join(', ');
}

type Target = Pick<ReadOptions, 'config' | 'site' | 'skipUnreadable'> & { db: Db; isDry: boolean; told: ImportLines };

function readFile(
  path: string,
  format: HitFormat | SumFormat,
  { db, isDry, told, ...target }: Target,
): Promise<ImportFile> {
  const { config, site, skipUnreadable } = target;
  if ('readSums' in format) {
    if (skipUnreadable) throw refuseSkipping('daily totals');
    return format.readSums(path, findSiteDay(site, now()), site);
  }
  let bytes = 0;
  const count = (length: number): void => {
    bytes += length;
  };
  return readHits(readBytes(path, count), {
    ...target,
    watch: (rows, days) => told.printSometimes({ reading: { bytes, rows, days } }),
    clock,
    format,
    spoolPath: isDry ? undefined : `${config.db}.import-${process.pid}`,
    key: randomBytes(32),
    // Computing a visitor code may write a new salt to the database. A dry run must write nothing, so all its codes are
    // 0.
    codeOf: isDry ? () => 0 : makeVisitors(db, randomBytes, clock, isOnCluster(db)).computeCode,
  });
}

const refuseSkipping = (what: string): Refusal =>
  new Refusal(`--skip-unreadable is not for files with ${what}. Leave it out`, USAGE);

function formatNamed(name: string): FileFormat {
  const format = Object.hasOwn(FILE_FORMATS, name) ? FILE_FORMATS[name] : undefined;
  if (!format) throw new Refusal(`--format takes ${FORMAT_NAMES}, not "${name}"`, USAGE);
  return format;
}

async function recognized(path: string): Promise<string> {
  if (isPipe(path)) throw new Refusal(`--format NAME is required for a pipe: ${FORMAT_NAMES}`, USAGE);
  return await recognize(path);
}

function refuseFormer(domain: string, { day, timeZone }: { day: number; timeZone: string }): Refusal {
  const why = `${domain} counted hits of this time on ${formatDay(day * DAY)}, in its earlier time zone ${timeZone}. The file now has no hits on that day, so they would count twice. Nothing was imported.`;
  const help = `To import them, first give the site that time zone: daybook site change ${domain} --time-zone ${timeZone}`;
  return new Refusal(`${why} ${help}`);
}

async function importFile(invocation: Invocation): Promise<void> {
  const { args, flags, config, io } = invocation;
  const path = args[1] ?? '';
  const told = importLines(io, flags.json !== undefined);
  try {
    await importTold(invocation, path, told);
  } catch (error) {
    told.print({ error: describeFailure(error, path, config.db) });
    throw error;
  }
}

async function importTold({ args, flags, config, io }: Invocation, path: string, told: ImportLines): Promise<void> {
  const domain = validated(Domain, 'DOMAIN', args[0]);
  const named = flags.format ?? (await recognized(path));
  const format = formatNamed(named);
  if (flags.format === undefined && !told.isOn) io.explain(`read as ${named}: ${format.help}`);
  told.print({ format: named });
  const from = flags.from === undefined ? domain : validated(Domain, '--from', flags.from);
  const isDry = flags['dry-run'] !== undefined;
  const id = flags['site-id'];
  if ('readSearches' in format) {
    if (flags['skip-unreadable'] !== undefined) throw refuseSkipping('searches');
    const replace = flags.replace !== undefined;
    return await withStore(config, (db) =>
      importSearches({ db, io, site: meantSite(db, domain, id), path, format, from, told }, { replace, isDry }),
    );
  }
  await withEngine(config, async ({ db, engine }) => {
    const site = meantSite(db, domain, id);
    const file = await readFile(path, format, {
      ...{ db, config, isDry, told, skipUnreadable: flags['skip-unreadable'] !== undefined },
      site: { ...site, domain: from },
    });
    try {
      await importRead(file, { db, engine, site, flags, io, path, told });
    } finally {
      file.close();
    }
  });
}

function describeFile({ content: { days }, sheet }: ImportFile, occupied: readonly number[]): CheckedFile {
  const dates = days.map((day) => formatDay(day * DAY)).sort();
  const taken = occupied.map((day) => formatDay(day * DAY)).sort();
  return { days: days.length, from: dates[0] ?? '', to: dates.at(-1) ?? '', sheet, taken };
}

type Reading = {
  db: Db;
  engine: Engine;
  site: ReturnType<typeof meantSite>;
  flags: Invocation['flags'];
  io: Io;
  path: string;
  told: ImportLines;
};

/** Checks the days of the read file, and imports the file. */
async function importRead(file: ImportFile, { db, engine, site, flags, io, path, told }: Reading): Promise<void> {
  const { content, name, sheet, currency } = file;
  const { days } = content;
  const { id, domain } = site;
  const isDry = flags['dry-run'] !== undefined;
  const lines = sheet.map(inEnglish);
  if (days.length === 0) throw new Refusal([`${path}: no hits to import`, ...lines.slice(1)].join('\n'));
  if (isDry) for (const line of lines) io.print(line);
  const occupied = await engine.imports.listTaken(id, days);
  async function assertNoFormer(): Promise<void> {
    const former = await findFormerDay({ db, engine, site }, file);
    if (former) throw refuseFormer(domain, former);
  }
  async function confirm(): Promise<string | undefined> {
    await assertNoFormer();
    told.print({ checked: describeFile(file, occupied) });
    return await told.readAnswer();
  }
  const answer = told.isOn ? await confirm() : 'import';
  if (answer === undefined) return;
  const replace = flags.replace !== undefined || answer === 'replace';
  if (occupied.length > 0 && !replace) {
    const why = `${domain} already has hits on ${dayList(occupied)}. Nothing was imported. To replace those days with the days of the file, use --replace.`;
    throw new Refusal([why, ...(isDry ? [] : lines)].join('\n'));
  }
  await assertNoFormer();
  if (isDry) return io.print('dry run: nothing was imported');
  const bar = progress(stderr, clock.tick, 'writing', days.length);
  let done = 0;
  const written = (): void => {
    bar.add(1);
    told.printSometimes({ writing: { days: ++done } });
  };
  const importId = await engine.imports.add(id, content, { replace, written }).finally(bar.end);
  if (currency !== undefined) db.write(() => setFirstCurrency(db, id, currency));
  if (told.isOn) return told.print({ done: { id: importId } });
  io.print(`${name} imported (import ${importId})`);
  for (const line of lines) io.print(line);
}

export const importCommands: Command[] = [
  {
    name: 'import',
    isUntimed: true,
    args: ['DOMAIN', 'FILE'],
    summary: 'Import hits from a file, or from standard input with -. It imports the whole file or nothing',
    settings: ['db', 'engine', 'geoip', 'spam-list', 'exclude-addresses'],
    flags: {
      format: { value: 'NAME', help: `the format of the file, if daybook does not recognise it: ${FORMAT_HELP}` },
      from: { value: 'NAME', help: 'the domain in the file, if the site now has another one' },
      replace: { help: 'replace the hits that the site already has on the days of the file' },
      json: {
        help: 'for programs: print progress and counts as lines of JSON. Wait for the word import or replace on standard input before writing',
      },
      'site-id': SITE_ID,
      'dry-run': {
        help: 'read and check the whole file. Print how many lines would be imported and skipped, and write nothing',
      },
      'skip-unreadable': {
        help: 'import the other lines if some cannot be read. Print how many were skipped. Without this flag, nothing is imported',
      },
    },
    run: importFile,
  },
];
