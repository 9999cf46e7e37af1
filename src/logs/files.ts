import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { addAbortSignal, PassThrough, pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { reasonOf } from '../lib/disk.ts';
import { Refusal } from '../lib/errors.ts';
import { HEAD } from './positions.ts';

/** A log on disk, read on through all that happens to its name. */
export type LogFile = {
  isGzip: boolean;
  /** Its first bytes. */
  head(): Promise<Buffer>;
  /** Its text from a byte on. The memory of a chunk is used again for the next. */
  text(from: number): AsyncIterable<Buffer> | Iterable<Buffer>;
  /** Whether it has been written to since this was last asked. */
  hasChanged(): boolean;
  /** Whether the path leads to another file by now; not while it leads nowhere. */
  isReplaced(): boolean;
  close(): void;
};

/** Small, so that a chunk holds no more counts than one short transaction can take; bigger ones are no faster. */
const CHUNK = 16 * 1024;
const NOTHING = Buffer.alloc(0);

/** Waits for the disk, which one process that does nothing else can do, and saves a sixth of the time. */
function* bytesFrom(file: number, from: number): Iterable<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let offset = from, read = 1; read > 0; offset += read) {
    read = readSync(file, buffer, 0, CHUNK, offset);
    yield buffer.subarray(0, read);
  }
}

async function* unpacked(path: string, from: number): AsyncIterable<Buffer> {
  let toSkip = from;
  const gunzip = createGunzip({ chunkSize: CHUNK });
  // An error reaches whoever reads the stream.
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

async function firstOf(text: ReturnType<LogFile['text']>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  for await (const chunk of text) {
    head = Buffer.concat([head, chunk]);
    if (head.length >= HEAD) break;
  }
  return head.subarray(0, HEAD);
}

const isPacked = (file: number): boolean => {
  const magic = Buffer.alloc(2);
  readSync(file, magic, 0, 2, 0);
  return magic.equals(Buffer.of(0x1f, 0x8b));
};

function explained<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new Refusal(`${path}: ${reasonOf(error)}`);
  }
}

export function openLog(path: string): LogFile {
  const file = explained(path, () => openSync(path, 'r'));
  const isGzip = explained(path, () => isPacked(file));
  const { ino, dev } = fstatSync(file);
  const text = (from: number) => (isGzip ? unpacked(path, from) : bytesFrom(file, from));
  let mark = '';
  return {
    isGzip,
    head: () => firstOf(text(0)),
    text,
    hasChanged() {
      const { size, mtimeMs } = fstatSync(file);
      const before = mark;
      mark = `${size} ${mtimeMs}`;
      return mark !== before;
    },
    isReplaced() {
      const there = statSync(path, { throwIfNoEntry: false });
      return there !== undefined && (there.ino !== ino || there.dev !== dev);
    },
    close: () => closeSync(file),
  };
}

/** Whether there is nothing to come back to: standard input, a pipe. */
export const isPipe = (path: string): boolean =>
  path === '-' || statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;

/** What a pipe brings; while it brings nothing, an empty chunk now and then, so that nothing counted is kept waiting. */
export function piped(pipe: Readable, everyMs: number, stop: AbortSignal): AsyncIterable<Buffer> {
  const chunks = new PassThrough({ objectMode: true, highWaterMark: 1 });
  const timer = setInterval(() => chunks.write(NOTHING), everyMs);
  // An error reaches whoever reads the chunks.
  pipeline(pipe, chunks, () => clearInterval(timer));
  return addAbortSignal(stop, chunks);
}
