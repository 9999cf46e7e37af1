import { createReadStream } from 'node:fs';
import { stdin } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { CRAWLERS } from '../classify/crawlers.ts';
import type { Engine } from '../engine.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { Domain } from '../lib/fields.ts';
import { plural } from '../lib/plural.ts';
import { isPipe, openLog, pipeChunks } from '../logs/files.ts';
import { FORMAT_NAMES } from '../logs/formats.ts';
import { crawlWriter, positionOf } from '../logs/positions.ts';
import { logScan, type Scan, type ScanReader } from '../logs/scan.ts';
import type { Position } from '../store/log-positions.ts';
import type { Db } from '../store/statements.ts';
import { type Command, type Invocation, type Io, withEngine, word } from './command.ts';
import { existingSite } from './site.ts';

/** So many counts take a few milliseconds to write; fewer are written after a while. */
const AT_ONCE = 250;
const AT_LEAST_MS = 1_000;
const POLL_MS = 250;
/** How long a web server may go on writing into a log that was moved away: until it is told, and its last answers are out. */
const AFTERLIFE_MS = 60_000;
const PATIENCE_MS = 5_000;

const START: Position = { offset: 0, lines: 0 };

type Source = AsyncIterable<Buffer> | Iterable<Buffer>;
type Work = { db: Db; engine: Engine; domain: string; siteId: number; scan: Scan; stop: AbortSignal };

/** Reads to the end, or until told to stop, and writes down what is counted on the way. */
async function drain(source: Source, reader: ScanReader, flush: () => Promise<void>, { scan, stop }: Work) {
  let flushed = performance.now();
  try {
    for await (const chunk of source) {
      reader.feed(chunk);
      if (stop.aborted) return;
      const start = performance.now();
      if (scan.size() < AT_ONCE && start - flushed < AT_LEAST_MS) continue;
      await flush();
      flushed = performance.now();
      // A server beside us gets the file for as long as we had it.
      await pause(flushed - start);
    }
  } catch (error) {
    // A pipe that waits is torn away when the program is told to stop.
    if (!stop.aborted || (error as Error).name !== 'AbortError') throw error;
  }
}

async function readPipe(path: string, work: Work): Promise<void> {
  const { scan, stop } = work;
  const write = crawlWriter(work.db, work.engine, work.domain);
  const reader = scan.reader(START);
  const flush = () => write(scan.takeBatch());
  await drain(pipeChunks(path === '-' ? stdin : createReadStream(path), AT_LEAST_MS, stop), reader, flush, work);
  reader.end(true);
  scan.checkFormat();
  await flush();
}

/** A file that is read on from where it was left, by whichever run of this command. */
function fileReader(path: string, work: Work) {
  const { db, engine, siteId, scan, stop } = work;
  const write = crawlWriter(db, engine, work.domain);
  const log = openLog(path);
  let head: Buffer = Buffer.alloc(0);
  let written = START;
  let at = START;

  async function keep(): Promise<void> {
    if (at.offset > written.offset) await write(scan.takeBatch(), { head, from: written, to: at });
    written = at;
  }

  return {
    log,
    async read(isFollowed: boolean): Promise<void> {
      if (!log.hasChanged()) return;
      const before = head;
      head = await log.head();
      const isSame = before.length > 0 && before.equals(head.subarray(0, before.length));
      if (!isSame) written = at = positionOf(db, siteId, head);
      const reader = scan.reader(at);
      const note = () => {
        at = reader.position();
        return keep();
      };
      await drain(log.bytes(at.offset), reader, note, work);
      if (!isFollowed && !stop.aborted) reader.end(log.isGzip);
      if (!isFollowed) scan.checkFormat();
      at = reader.position();
      // While nothing is counted there is no need to write: the same lines read again would count nothing again.
      if (scan.size() > 0) await keep();
    },
    async close(): Promise<void> {
      await keep();
      log.close();
    },
  };
}

/** Reads a log as it grows; where it is moved away and begun anew, both for a while. */
async function follow(path: string, work: Work): Promise<void> {
  let current = fileReader(path, work);
  if (current.log.isGzip) throw new Refusal(`${path}: a packed file does not grow; leave --follow away`);
  let former: typeof current | undefined;
  let formerUntil = 0;
  let closedSince: number | undefined;

  /** A new log may be there before its rights are. */
  function opened(): typeof current | undefined {
    const now = performance.now();
    try {
      const next = fileReader(path, work);
      closedSince = undefined;
      return next;
    } catch (error) {
      closedSince ??= now;
      if (now - closedSince > PATIENCE_MS) throw error;
      return undefined;
    }
  }

  while (!work.stop.aborted) {
    await former?.read(true);
    await current.read(true);
    await pause(POLL_MS, undefined, { signal: work.stop }).catch(() => {});
    const next = current.log.isReplaced() ? opened() : undefined;
    if (former && (next || performance.now() > formerUntil)) {
      await former.close();
      former = undefined;
    }
    if (next) {
      former = current;
      formerUntil = performance.now() + AFTERLIFE_MS;
      current = next;
    }
  }
  await former?.close();
  await current.close();
}

async function readFile(path: string, work: Work): Promise<void> {
  const file = fileReader(path, work);
  await file.read(false);
  await file.close();
}

function report(io: Io, { lines, unreadable, firstUnreadable, requests }: Scan['total']): void {
  const rows = CRAWLERS.map(({ id, name }) => ({ name, count: requests.get(id) ?? 0 })).filter(
    ({ count }) => count > 0,
  );
  const sum = rows.reduce((all, { count }) => all + count, 0);
  io.print(`${plural(lines, 'line')} read, ${plural(sum, 'request')} of AI crawlers counted`);
  for (const { name, count } of rows.sort((a, b) => b.count - a.count)) io.print(`${name} ${count}`);
  if (unreadable > 0) io.explain(`${plural(unreadable, 'line')} cannot be read; the first is line ${firstUnreadable}`);
}

async function logs({ args, flags, config, io }: Invocation): Promise<void> {
  const domain = word(Domain, 'DOMAIN', args[0]);
  const path = args[1] ?? '';
  const format = FORMAT_NAMES.find((name) => name === flags.format);
  if (flags.format !== undefined && !format) {
    throw new Refusal(`--format takes ${FORMAT_NAMES.join(', ')}, not "${flags.format}"`, USAGE);
  }
  const isFollowed = flags.follow !== undefined;
  const isPiped = isPipe(path);
  if (isFollowed && isPiped) throw new Refusal('--follow takes a file; a pipe is read to its end anyway', USAGE);
  const stopping = new AbortController();
  const stop = stopping.signal;
  io.onStop(() => stopping.abort());

  await withEngine(config, async ({ db, engine }) => {
    const site = existingSite(db, domain);
    if (!site.tracksCrawlers) throw new Refusal(`${domain} has track_crawlers switched off; switch it on first`);
    const scan = logScan(site, format);
    const work: Work = { db, engine, domain, siteId: site.id, scan, stop };
    await (isPiped ? readPipe(path, work) : isFollowed ? follow(path, work) : readFile(path, work));
    report(io, scan.total);
  });
}

export const logsCommands: Command[] = [
  {
    name: 'logs',
    args: ['DOMAIN', 'FILE'],
    summary: 'Count the requests of AI crawlers in an access log, or in what comes in where FILE is -',
    settings: ['db'],
    flags: {
      follow: { help: 'go on as the file grows, also when it is moved away and begun anew, until SIGTERM' },
      format: { value: 'NAME', help: `${FORMAT_NAMES.join(', ')}; found out where it is not given` },
    },
    run: logs,
  },
];
