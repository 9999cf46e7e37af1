import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { makeZip } from '../../../src/exchange/reading/zip.ts';
import { folder } from '../../support/helpers.ts';
import { readZip } from './zips.ts';

export const CENTRAL = Buffer.from('PK\x01\x02');

/** A path for a zip that is written as it is given. */
export function stage(t: TestContext) {
  const path = join(folder(t), 'a.zip');
  return {
    path,
    read(bytes: Buffer) {
      writeFileSync(path, bytes);
      return readZip(path);
    },
  };
}

export const packed = (files: Record<string, string>): Promise<Buffer> =>
  buffer(makeZip(Object.entries(files).map(([name, text]) => ({ name, text: [text] }))));
