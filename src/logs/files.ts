// Access logs as files: plain or compressed with gzip, or a pipe. A file may grow, be renamed or be replaced while it
// is read.
//
// Invariant: a log that is renamed is read to its end, because its file stays open. A log is read in small chunks, so a
// large log needs no more memory than a small one.
//
// Example: logrotate renames `access.log` to `access.log.1`, and the web server begins a new `access.log`. Then
// isReplaced() is true: the reader finishes the old file and opens the new one. cli/logs.ts and the imports call
// openLog.

import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { addAbortSignal, PassThrough, pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { findReason } from '../lib/disk.ts';
import { Refusal } from '../lib/errors.ts';
import { HEAD_BYTES } from './positions.ts';

/** An open log file. If the file is renamed, it stays open. */
export type LogFile = {
  isGzip: boolean;
  /** Reads the first bytes, decompressed. */
  head(): Promise<Buffer>;
  /** Reads the bytes from a position to the end, decompressed. The next chunk may use the same memory. */
  bytes(from: number): AsyncIterable<Buffer> | Iterable<Buffer>;
  hasChanged(): boolean;
  /** True if the path now leads to another file. False if there is no file at the path. */
  isReplaced(): boolean;
  close(): void;
};

export function openLog(path: string): LogFile {
  const file = refuseErrors(path, () => openSync(path, 'r'));
  const isGzip = refuseErrors(path, () => isGzipped(file));
  const { ino, dev } = fstatSync(file);
  const bytes = (from: number) => (isGzip ? unpack(path, from) : readBytes(file, from));
  let seen = '';
  return {
    isGzip,
    head: () => readFirst(bytes(0)),
    bytes,
    hasChanged() {
      const { size, mtimeMs } = fstatSync(file);
      const before = seen;
      seen = `${size} ${mtimeMs}`;
      return seen !== before;
    },
    isReplaced() {
      const there = statSync(path, { throwIfNoEntry: false });
      return there !== undefined && (there.ino !== ino || there.dev !== dev);
    },
    close: () => closeSync(file),
  };
}

/**
 * A transaction stores the counts of one or more whole chunks. So chunks are small, to keep transactions short. Larger
 * chunks are not faster.
 */
const CHUNK = 16 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Reads a file with synchronous calls, which saves a sixth of the time. `daybook logs` and `daybook import` run in a
 * process of their own, which has nothing else to do meanwhile.
 */
function* readBytes(file: number, from: number): Iterable<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let offset = from, read = 1; read > 0; offset += read) {
    read = readSync(file, buffer, 0, CHUNK, offset);
    yield buffer.subarray(0, read);
  }
}

async function* unpack(path: string, from: number): AsyncIterable<Buffer> {
  let toSkip = from;
  const gunzip = createGunzip({ chunkSize: CHUNK });
  // No action is needed here. An error of the file or of the unpacking reaches the loop that reads `gunzip`.
  pipeline(createReadStream(path), gunzip, () => {});
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      if (toSkip < chunk.length) yield chunk.subarray(toSkip);
      toSkip = Math.max(0, toSkip - chunk.length);
    }
  } catch (error) {
    throw new Refusal(`${path}: it is cut off or damaged (${(error as Error).message})`);
  }
}

async function readFirst(bytes: ReturnType<LogFile['bytes']>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  for await (const chunk of bytes) {
    head = Buffer.concat([head, chunk]);
    if (head.length >= HEAD_BYTES) break;
  }
  return head.subarray(0, HEAD_BYTES);
}

/** Each gzip file begins with these two bytes. */
const GZIP = Buffer.of(0x1f, 0x8b);

const isGzipped = (file: number): boolean => {
  const magic = Buffer.alloc(2);
  readSync(file, magic, 0, 2, 0);
  return magic.equals(GZIP);
};

async function* followHead(head: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

/** Reads the bytes of a pipe. Bytes that are compressed with gzip are decompressed. */
export async function* unpackPipe(pipe: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = pipe[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < GZIP.length) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const all = followHead(head, chunks);
  if (!head.subarray(0, GZIP.length).equals(GZIP)) return yield* all;
  const gunzip = createGunzip({ chunkSize: CHUNK });
  pipeline(Readable.from(all), gunzip, () => {});
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    throw new Refusal(`the input is cut off or damaged (${(error as Error).message})`);
  }
}

function refuseErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new Refusal(`${path}: ${findReason(error)}`);
  }
}

/** True for standard input and named pipes, which can be read only once. */
export const isPipe = (path: string): boolean =>
  path === '-' || statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;

/**
 * Reads the chunks of a pipe, and adds an empty chunk every `everyMs` milliseconds. With these chunks, the caller can
 * write counts even if nothing arrives.
 */
export function readPipe(pipe: Readable, everyMs: number, stop: AbortSignal): AsyncIterable<Buffer> {
  const chunks = new PassThrough({ objectMode: true, highWaterMark: 1 });
  const timer = setInterval(() => chunks.write(NOTHING), everyMs);
  // No action is needed for an error here: it reaches the loop that reads the chunks.
  pipeline(pipe, chunks, () => clearInterval(timer));
  return addAbortSignal(stop, chunks);
}
