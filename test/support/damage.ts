import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Overwrites the first page of a table in its file. */
export function spoilTable(path: string, table: string, byte: number): void {
  const file = new Database(path);
  const root = file.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table) as number;
  // A handle that is left open takes the files beside this one away with it, whenever it is collected.
  file.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(byte, (root - 1) * 4096, root * 4096));
}
