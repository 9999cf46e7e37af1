import { pipeline, Readable, type Transform } from 'node:stream';
import { crc32, createDeflateRaw, createInflateRaw } from 'node:zlib';
import { Refusal } from './errors.ts';

/** One file in a zip, as its directory lists it. */
export type Entry = { name: string; size: number; crc: number; method: number; packed: number; at: number };

/** Bytes of a file from one place to before another. */
export type ReadAt = (from: number, to: number) => Buffer;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const DESCRIPTOR = 0x08074b50;

const LOCAL_SIZE = 30;
const CENTRAL_SIZE = 46;
const END_SIZE = 22;
const LONGEST_REMARK = 0xffff;
const CHUNK = 64 * 1024;

/** Sizes stand behind the data, because they are not known before; names are UTF-8. */
const FLAGS = 0x0808;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
const VERSION = 20;
/** 1980-01-01, the earliest day there is in a zip. */
const DATE = 0x21;

const damaged = (what: string): Refusal => new Refusal(`this is no zip file, or it is damaged: ${what}`);

/** The files of a zip, by the directory at its end. */
export function entriesOf(readAt: ReadAt, size: number): Entry[] {
  const tail = readAt(Math.max(0, size - END_SIZE - LONGEST_REMARK), size);
  let end = tail.length - END_SIZE;
  while (end >= 0 && tail.readUInt32LE(end) !== END) end--;
  if (end < 0) throw damaged('it has no directory');
  const count = tail.readUInt16LE(end + 10);
  const length = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  if (count === 0xffff || length === 0xffff_ffff || start === 0xffff_ffff) {
    throw new Refusal('this zip has the form zip64, which is not understood; unpack it and pack it again without');
  }
  if (start + length > size) throw damaged('it is cut off');
  const bytes = readAt(start, start + length);
  const entries: Entry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + CENTRAL_SIZE > bytes.length || bytes.readUInt32LE(at) !== CENTRAL)
      throw damaged('its directory is broken');
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + CENTRAL_SIZE, at + CENTRAL_SIZE + nameLength);
    const method = bytes.readUInt16LE(at + 10);
    if ((bytes.readUInt16LE(at + 8) & ENCRYPTED) !== 0) throw new Refusal(`${name}: it is locked with a password`);
    if (method !== STORED && method !== DEFLATED) throw new Refusal(`${name}: it is packed in a way not understood`);
    entries.push({
      name,
      method,
      crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      at: bytes.readUInt32LE(at + 42),
    });
    at += CENTRAL_SIZE + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function* packedBytes(readAt: ReadAt, { at, packed }: Entry): Generator<Buffer> {
  const head = readAt(at, at + LOCAL_SIZE);
  if (head.length < LOCAL_SIZE || head.readUInt32LE(0) !== LOCAL) throw damaged('a file is not where it should be');
  const start = at + LOCAL_SIZE + head.readUInt16LE(26) + head.readUInt16LE(28);
  for (let from = start; from < start + packed; from += CHUNK)
    yield readAt(from, Math.min(from + CHUNK, start + packed));
}

/** What is in one of the files. It never gives more than the directory says, so that little cannot become very much. */
export async function* unzipped(readAt: ReadAt, entry: Entry): AsyncGenerator<Buffer> {
  let size = 0;
  let crc = 0;
  const packed = packedBytes(readAt, entry);
  const inflate = createInflateRaw();
  const plain: AsyncIterable<Buffer> | Iterable<Buffer> = entry.method === STORED ? packed : poured(packed, inflate);
  try {
    for await (const chunk of plain) {
      size += chunk.length;
      crc = crc32(chunk, crc);
      if (size > entry.size) break;
      yield chunk;
    }
  } catch (error) {
    throw error instanceof Refusal ? error : damaged(`${entry.name} (${(error as Error).message})`);
  }
  if (size !== entry.size || crc !== entry.crc) throw damaged(`${entry.name} is not what it was`);
}

/** An error reaches whoever reads. */
const poured = (chunks: Iterable<Buffer> | AsyncIterable<Buffer>, through: Transform): AsyncIterable<Buffer> =>
  pipeline(Readable.from(chunks), through, () => {});

/** A zip with files whose texts are made while it is written, so that none of them is ever in memory as a whole. */
export async function* zipped(
  files: Iterable<{ name: string; text: Iterable<string> | AsyncIterable<string> }>,
): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, text } of files) {
    const label = Buffer.from(name);
    const local = Buffer.alloc(LOCAL_SIZE);
    local.writeUInt32LE(LOCAL, 0);
    local.writeUInt16LE(VERSION, 4);
    local.writeUInt16LE(FLAGS, 6);
    local.writeUInt16LE(DEFLATED, 8);
    local.writeUInt16LE(DATE, 12);
    local.writeUInt16LE(label.length, 26);
    yield Buffer.concat([local, label]);

    let [size, packed, crc] = [0, 0, 0];
    const counted = (async function* () {
      for await (const piece of text) {
        const bytes = Buffer.from(piece);
        size += bytes.length;
        crc = crc32(bytes, crc);
        yield bytes;
      }
    })();
    for await (const chunk of poured(counted, createDeflateRaw())) {
      packed += chunk.length;
      yield chunk;
    }
    const sums = Buffer.alloc(16);
    sums.writeUInt32LE(DESCRIPTOR, 0);
    for (const [i, sum] of [crc, packed, size].entries()) sums.writeUInt32LE(sum, 4 + i * 4);
    yield sums;

    const central = Buffer.alloc(CENTRAL_SIZE);
    central.writeUInt32LE(CENTRAL, 0);
    central.writeUInt16LE(VERSION, 4);
    // What follows the version is the same in both places, but for the sums.
    local.copy(central, 6, 4, 28);
    sums.copy(central, 16, 4);
    central.writeUInt32LE(offset, 42);
    directory.push(central, label);
    offset += LOCAL_SIZE + label.length + packed + sums.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(END_SIZE);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(directory.length / 2, 8);
  end.writeUInt16LE(directory.length / 2, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  yield Buffer.concat([list, end]);
}
