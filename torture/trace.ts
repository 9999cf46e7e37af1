// Loaded before the program (--require, which threads are given too): writes down each SQL text that it prepares or runs, once for each thread, with the number of the thread.
import { appendFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import Database from 'better-sqlite3';

const file = process.env.TRACED ?? '';
const seen = new Set<string>();

function note(sql: string): void {
  if (seen.has(sql)) return;
  seen.add(sql);
  appendFileSync(file, `${JSON.stringify([threadId, sql])}\n`);
}

const { prepare, exec, pragma } = Database.prototype;
Object.assign(Database.prototype, {
  prepare(this: Database.Database, sql: string) {
    note(sql);
    return prepare.call(this, sql);
  },
  exec(this: Database.Database, sql: string) {
    note(sql);
    return exec.call(this, sql);
  },
  pragma(this: Database.Database, text: string, options?: Database.PragmaOptions) {
    note(`PRAGMA ${text}`);
    return pragma.call(this, text, options);
  },
});
