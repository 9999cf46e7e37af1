import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/* What is in files, whatever program wrote it. */

/** What is read, or nothing where ClickHouse has deleted it meanwhile. */
function unlessGone<Read>(read: () => Read[]): Read[] {
  try {
    return read();
  } catch {
    return [];
  }
}

type Found = { path: string; bytes: Buffer };

/** Every file in a folder, and in the folders in it. */
export const filesIn = (at: string): Found[] =>
  unlessGone(() => readdirSync(at, { withFileTypes: true })).flatMap((entry) => {
    const path = join(at, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? unlessGone(() => [{ path, bytes: readFileSync(path) }]) : [];
  });

/** A visitor code as it is in a column of ClickHouse, and in a line on its way there. */
export function writtenAs(code: bigint): Buffer[] {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(code);
  return [bytes, Buffer.from(String(code))];
}
