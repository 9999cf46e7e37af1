// Reads and writes zips. Files are unpacked while they are read, and generated while they are written.
//
// No file of a zip is in memory as a whole, and nothing is unpacked to the disk
// (test/exchange/reading/zip.long.test.ts). After a file has been unpacked, its checksum is checked. The imports from
// Plausible, GoatCounter and Search Console read zips. The exports in Plausible's tables and in Parquet write zips.

import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ZipFile as NewZip } from 'yazl';
import { findReason } from '../../lib/disk.ts';
import { Refusal } from '../../lib/errors.ts';

/** A file in a zip. Reading `bytes` unpacks the file, and throws at the end if its checksum is wrong. */
export type ZippedFile = { name: string; bytes(): AsyncIterable<Buffer> };

/**
 * The date of every file in a zip: the earliest date that the format allows. With the real date, two exports of equal
 * data would differ (test/exchange/reading/zip.test.ts).
 */
const DATE = new Date(1980, 0, 1);

/** Yields the files of a zip. The caller must read a file before it asks for the next one. */
export async function* listZipped(path: string): AsyncGenerator<ZippedFile> {
  try {
    const zip = await openPromise(path);
    for await (const entry of zip.eachEntry()) {
      yield { name: entry.fileName, bytes: () => unpack(zip, entry) };
    }
  } catch (error) {
    throw makeRefusal(path, error);
  }
}

type NewFile = {
  name: string;
  text: Iterable<string> | AsyncIterable<string | Uint8Array>;
  /** True if the file is already compressed, such as Parquet. Compressing it again would only take time. */
  isPacked?: boolean;
};

/**
 * Makes a zip. The texts of its files are generated while the zip is written, so a large export needs little memory.
 */
export function makeZip(files: Iterable<NewFile>): Readable {
  const zip = new NewZip();
  const output = zip.outputStream as Readable;
  let source: Readable | undefined;
  for (const { name, text, isPacked = false } of files) {
    zip.addReadStreamLazy(name, { mtime: DATE, forceDosTimestamp: true, compress: !isPacked }, (done) => {
      source = Readable.from(text, { objectMode: false });
      // The package yazl ignores errors of the source. Without this line, the zip would never end after an error.
      source.on('error', (error) => output.destroy(error));
      done(null, source);
    });
  }
  zip.end();
  return output.once('close', () => source?.destroy());
}

function makeRefusal(path: string, error: unknown): Refusal {
  const { syscall, message } = error as NodeJS.ErrnoException;
  if (syscall) return new Refusal(`${path}: ${findReason(error)}`);
  return new Refusal(`${path}: it cannot be read as a zip (${message}). Download it again`);
}

const damaged = (why: string): Refusal => new Refusal(`it is damaged (${why}). Download the zip again`);

async function* unpack(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  if (entry.isEncrypted()) {
    throw new Refusal('it has a password. Unpack the zip and pack it again without one');
  }
  if (!entry.canDecodeFileData()) {
    const method = entry.compressionMethod;
    throw new Refusal(`it is packed by method ${method}, which is not known. Unpack the zip and pack it with deflate`);
  }
  let sum = 0;
  try {
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throw damaged((error as Error).message);
  }
  if (sum !== entry.crc32) throw damaged('wrong checksum');
}
