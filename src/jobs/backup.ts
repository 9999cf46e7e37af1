import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { recount } from '../ledger/recount.ts';
import type { Log } from '../lib/log.ts';
import { backup } from '../store/backup.ts';
import { faultIn } from '../store/copy.ts';
import { openReader } from '../store/open.ts';
import type { Db } from '../store/statements.ts';
import { type Noted, noteUpkeep } from '../store/upkeep.ts';
import { type Started, startThread } from '../threads/thread.ts';

/** Where the daily copies go, and how many are kept; 0 makes none. */
export type Copies = { folder: string; keep: number };

/** What a thread is told. */
export type Order = Copies & { day: string };
type Outcome = Omit<Noted, 'at'>;
export type Report = { backup: Outcome; drill: Outcome };

/** Nobody waits for a copy at night, but others may for the disk. */
const BREATH_MS = 5;

const NAME = /^\d{4}-\d\d-\d\d\.db$/;

/** The names of the copies, the newest last. */
function listCopies(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => NAME.test(name))
      .sort();
  } catch {
    return [];
  }
}

async function calmly(steps: Iterable<unknown>): Promise<void> {
  for (const _ of steps) await pause(BREATH_MS);
}

/** What goes wrong is what is to be said about it. */
async function tried(work: () => Promise<string>): Promise<Outcome> {
  try {
    return { fine: true, words: await work() };
  } catch (error) {
    return { fine: false, words: (error as Error).message };
  }
}

async function make(path: string, { folder, day }: Order): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) if (/^[\d-]+\.db\.tmp$/.test(name)) rmSync(join(folder, name));
  const name = `${day}.db`;
  await calmly(backup(path, join(folder, name), { replace: true }));
  return `${name}, ${(statSync(join(folder, name)).size / 1e6).toFixed(1)} MB`;
}

/** Opens the newest copy as somebody would who needs it, and counts all of its sealed days again. */
async function drill({ folder }: Order): Promise<string> {
  const name = listCopies(folder).at(-1);
  if (name === undefined) throw new Error('there is no copy');
  const path = join(folder, name);
  const fault = faultIn(path);
  if (fault) throw new Error(`${name} is damaged: ${fault}`);
  const { db, close } = openReader(path);
  try {
    let days = 0;
    for (const { domain, faults } of recount(db)) {
      days++;
      if (faults.length > 0) throw new Error(`${name} has days of ${domain} that differ: ${faults[0]}`);
      await pause(BREATH_MS);
    }
    return `${name} opens, and its ${days} sealed days add up`;
  } finally {
    close();
  }
}

/** The life of the thread that makes a copy and tries it. Old copies go only after that, so that there is always one. */
export async function copy(path: string, order: Order): Promise<Report> {
  const made = await tried(() => make(path, order));
  const drilled = await tried(() => drill(order));
  if (made.fine && drilled.fine) {
    for (const name of listCopies(order.folder).slice(0, -order.keep)) rmSync(join(order.folder, name));
  }
  return { backup: made, drill: drilled };
}

type Deps = { db: Db; path: string; code: string; log: Log; copies: Copies };

/** The copy of a day, unless there is one or nothing to lose yet. */
export function dailyCopy({ db, path, code, log, copies }: Deps) {
  let thread: Started | undefined;
  let isStopped = false;

  const run = (order: Order): Promise<Report> =>
    new Promise((done, failed) => {
      thread = startThread(code, { path, order }, (report) => done(report as Report));
      thread.worker.once('error', failed).once('exit', () => failed(new Error('it was stopped')));
    });

  return {
    async make(day: string, at: number): Promise<void> {
      if (copies.keep === 0 || isStopped || listCopies(copies.folder).includes(`${day}.db`)) return;
      if (!db.one('SELECT 1 FROM sealed_day WHERE shown = 1 LIMIT 1')) return;
      const died = (error: Error): Partial<Report> => ({ backup: { fine: false, words: error.message } });
      const report = await run({ ...copies, day }).catch(died);
      if (isStopped) return;
      for (const [name, { fine, words }] of Object.entries(report) as [keyof Report, Outcome][]) {
        noteUpkeep(db, name, { at, fine, words });
        log(fine ? `${name} done` : `${name} failed`, { words });
      }
    },
    async stop(): Promise<void> {
      isStopped = true;
      await thread?.end();
    },
  };
}
