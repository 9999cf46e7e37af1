import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/store/file/open-file.ts';

let made: string | undefined;

/** An empty file as the program makes it, at a path; making the tables, with their syncs, costs ten times what a copy does. */
export function freshFile(path: string): void {
  if (made === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'daybook-fresh-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    made = join(folder, 'daybook.db');
    openStore(made).close();
  }
  copyFileSync(made, path);
}
