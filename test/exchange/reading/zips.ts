import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { listZipped, makeZip } from '../../../src/exchange/reading/zip.ts';

type Files = readonly { name: string; text: Iterable<string> }[];

export const writeZip = (path: string, files: Files): Promise<void> =>
  pipeline(makeZip(files), createWriteStream(path));

/** The names of the files in a zip, each with its content. */
export async function readZip(path: string): Promise<[name: string, text: string][]> {
  const found: [string, string][] = [];
  for await (const { name, bytes } of listZipped(path)) {
    const chunks: Buffer[] = [];
    for await (const chunk of bytes()) chunks.push(chunk);
    found.push([name, Buffer.concat(chunks).toString()]);
  }
  return found;
}
