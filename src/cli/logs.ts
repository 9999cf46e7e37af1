// The command `daybook logs` counts requests of AI crawlers in an access log: once, or again and again while the log
// grows.
//
// The first bytes of a log identify it, even after it was renamed. One transaction stores both the counts and the
// position after the last counted line. Each line of a log file therefore counts once, even after restarts and log
// rotations (test/cli/logs.test.ts). A pipe has no position: if the same lines are piped again, they count again.
//
// Example: a run stops at byte 5,000 of access.log, which is then renamed to access.log.1. A run on access.log.1
// continues at byte 5,000. A run on the new access.log begins at byte 0.

import { createReadStream } from 'node:fs';
import { stdin } from 'node:process';
import { addAbortSignal, Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { CRAWLERS } from '../classify/crawlers.ts';
import type { Engine } from '../engine/engine.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { Domain } from '../lib/http/fields.ts';
import { plural } from '../lib/plural.ts';
import { isPipe, openLog, readPipe, unpackPipe } from '../logs/files.ts';
import { FORMAT_NAMES } from '../logs/formats.ts';
import { findPosition, makeCrawlWriter } from '../logs/positions.ts';
import type { LogSite } from '../logs/requests.ts';
import { makeLogScan, type Scan, type ScanReader } from '../logs/scan.ts';
import type { Db } from '../store/db.ts';
import type { Position } from '../store/server/log-positions.ts';
import { type CollectedSite, findCollectedSiteById, findVisitedSite } from '../store/sites/collected-sites.ts';
import { listZoneChanges } from '../store/sites/zones.ts';
import { type Command, type Invocation, type Io, now, validated, withEngine } from './command.ts';
import { unknownSite } from './site.ts';

/**
 * As soon as this many counts wait, they are written. So a write has few counts, and takes only a few milliseconds.
 * Fewer counts than this are written after about FLUSH_MS.
 */
const BATCH = 250;
const FLUSH_MS = 1_000;
const POLL_MS = 250;
/**
 * How long the old log is still read after a rotation. The web server writes to the old log until it opens the new one.
 */
const ROTATED_MS = 60_000;
/** How long opening the new log may fail before the command ends with an error. */
const OPEN_RETRY_MS = 5_000;

const START: Position = { offset: 0, lines: 0 };

type LogSource = AsyncIterable<Buffer> | Iterable<Buffer>;
type LogWork = { db: Db; engine: Engine; site: CollectedSite; scan: Scan; stop: AbortSignal };

const logSite = (db: Db, site: CollectedSite): LogSite => ({
  ...site,
  zoneSince: listZoneChanges(db, site.id).at(-1)?.at ?? 0,
});

/** Reads a log to its end. Meanwhile, counts are written in batches. */
async function readAll(source: LogSource, reader: ScanReader, flush: () => Promise<void>, { scan, stop }: LogWork) {
  let flushed = performance.now();
  try {
    for await (const chunk of source) {
      reader.feed(chunk);
      if (stop.aborted) return;
      const start = performance.now();
      if (scan.size() < BATCH && start - flushed < FLUSH_MS) continue;
      await flush();
      flushed = performance.now();
      // The command pauses for as long as the last write took. A running server can then write for at least half of the
      // time.
      await pause(flushed - start);
    }
  } catch (error) {
    // Stopping the command aborts a pipe that waits for input, so this error is expected.
    if (!stop.aborted || (error as Error).name !== 'AbortError') throw error;
  }
}

async function scanPipe(path: string, work: LogWork): Promise<void> {
  const { scan, stop } = work;
  const write = makeCrawlWriter(work.db, work.engine.intake, work.site);
  const reader = scan.reader(START);
  const flush = () => write(scan.takeBatch());
  // The signal must end the pipe. If the signal ended only the unpacking, the unpacking would wait for the next bytes
  // of the pipe forever.
  const pipe = addAbortSignal(stop, path === '-' ? stdin : createReadStream(path));
  const unpacked = Readable.from(unpackPipe(pipe));
  await readAll(readPipe(unpacked, FLUSH_MS, stop), reader, flush, work);
  reader.end(true);
  scan.checkFormat();
  await flush();
}

/** Reads a log file from the position at which the last run stopped. */
function fileReader(path: string, work: LogWork) {
  const { db, engine, site, scan, stop } = work;
  const write = makeCrawlWriter(db, engine.intake, site);
  const log = openLog(path);
  let head: Buffer = Buffer.alloc(0);
  let written = START;
  let at = START;

  async function save(): Promise<void> {
    if (at.offset > written.offset) await write(scan.takeBatch(), { head, from: written, to: at });
    written = at;
  }

  return {
    log,
    async read(isFollowed: boolean): Promise<void> {
      if (!log.hasChanged()) return;
      // The site may be renamed meanwhile. Lines with the domain from the command line still count.
      scan.know(logSite(db, { former: [site.domain], ...site, ...findCollectedSiteById(db, site.id) }));
      const before = head;
      head = await log.head();
      // The first bytes identify a log. If they have changed, somebody emptied the file, and a new log begins in it.
      // Each log is read from its own stored position, or from its beginning.
      const isSame = before.length > 0 && before.equals(head.subarray(0, before.length));
      if (!isSame) written = at = findPosition(db, site.id, head);
      const reader = scan.reader(at);
      const flush = () => {
        at = reader.position();
        return save();
      };
      await readAll(log.bytes(at.offset), reader, flush, work);
      if (!isFollowed && !stop.aborted) reader.end(log.isGzip);
      if (!isFollowed) scan.checkFormat();
      at = reader.position();
      // If no request was counted, the position is written only later: at the next count or when the log is closed. If
      // the command is killed before, the next run reads these lines again. They have nothing to count.
      if (scan.size() > 0) await save();
    },
    async close(): Promise<void> {
      await save();
      log.close();
    },
  };
}

/** Reads a log while it grows. After a rotation, the old file is read for a minute more, together with the new file. */
async function follow(path: string, work: LogWork): Promise<void> {
  let current = fileReader(path, work);
  if (current.log.isGzip) throw new Refusal(`${path}: a gzip file does not grow. Leave out --follow`);
  let rotated: typeof current | undefined;
  let rotatedUntil = 0;
  let failingSince: number | undefined;

  /**
   * Opens the new log after a rotation. If this fails, returns undefined, because the new file may get its permissions
   * a moment later. Throws if opening has failed for longer than `OPEN_RETRY_MS`.
   */
  function tryOpen(): typeof current | undefined {
    const now = performance.now();
    try {
      const next = fileReader(path, work);
      failingSince = undefined;
      return next;
    } catch (error) {
      failingSince ??= now;
      if (now - failingSince > OPEN_RETRY_MS) throw error;
      return undefined;
    }
  }

  while (!work.stop.aborted) {
    await rotated?.read(true);
    await current.read(true);
    await pause(POLL_MS, undefined, { signal: work.stop }).catch(() => {});
    const next = current.log.isReplaced() ? tryOpen() : undefined;
    if (rotated && (next || performance.now() > rotatedUntil)) {
      await rotated.close();
      rotated = undefined;
    }
    if (next) {
      rotated = current;
      rotatedUntil = performance.now() + ROTATED_MS;
      current = next;
    }
  }
  await rotated?.close();
  await current.close();
}

async function readFile(path: string, work: LogWork): Promise<void> {
  const file = fileReader(path, work);
  await file.read(false);
  await file.close();
}

function report(io: Io, { lines, unreadable, firstUnreadable, excluded, requests }: Scan['total']): void {
  const rows = CRAWLERS.map(({ id, name }) => ({ name, count: requests.get(id) ?? 0 })).filter(
    ({ count }) => count > 0,
  );
  const sum = rows.reduce((all, { count }) => all + count, 0);
  io.print(`${plural(lines, 'line')} read, ${plural(sum, 'request')} of AI crawlers counted`);
  for (const { name, count } of rows.sort((a, b) => b.count - a.count)) io.print(`${name} ${count}`);
  if (excluded > 0) io.print(`${plural(excluded, 'request')} from excluded IP addresses left out`);
  if (unreadable > 0) io.explain(`${plural(unreadable, 'line')} cannot be read. The first is line ${firstUnreadable}`);
}

async function logs({ args, flags, config, io }: Invocation): Promise<void> {
  const domain = validated(Domain, 'DOMAIN', args[0]);
  const path = args[1] ?? '';
  const format = FORMAT_NAMES.find((name) => name === flags.format);
  if (flags.format !== undefined && !format) {
    throw new Refusal(`--format takes ${FORMAT_NAMES.join(', ')}, not "${flags.format}"`, USAGE);
  }
  const isFollowed = flags.follow !== undefined;
  const isPiped = isPipe(path);
  if (isFollowed && isPiped) throw new Refusal('--follow takes a file. A pipe is always read to its end', USAGE);
  const stopping = new AbortController();
  const stop = stopping.signal;
  io.onStop(() => stopping.abort());

  await withEngine(config, async ({ db, engine }) => {
    const site = findVisitedSite(db, domain, now());
    if (!site) throw unknownSite(domain);
    if (!site.tracksCrawlers)
      throw new Refusal(`${domain} does not count AI crawlers (track_crawlers). Turn this on first`);
    const scan = makeLogScan(logSite(db, site), format, config.excluded);
    const work: LogWork = { db, engine, site, scan, stop };
    await (isPiped ? scanPipe(path, work) : isFollowed ? follow(path, work) : readFile(path, work));
    report(io, scan.total);
  });
}

export const logsCommands: Command[] = [
  {
    name: 'logs',
    isUntimed: true,
    args: ['DOMAIN', 'FILE'],
    summary: 'Count AI crawlers in an access log, or in standard input with -',
    settings: ['db', 'engine', 'exclude-addresses'],
    flags: {
      follow: { help: 'keep reading as the file grows, also across log rotation, until SIGTERM' },
      format: { value: 'NAME', help: `${FORMAT_NAMES.join(', ')}; detected by default` },
    },
    run: logs,
  },
];
