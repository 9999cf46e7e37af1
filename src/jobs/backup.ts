import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine, Recounted } from '../engine.ts';
import type { Log } from '../lib/log.ts';
import { plural } from '../lib/plural.ts';
import { backup } from '../store/backup.ts';
import { faultIn } from '../store/copy.ts';
import { openReader } from '../store/open.ts';
import type { Db } from '../store/statements.ts';
import { type Noted, noteUpkeep } from '../store/upkeep.ts';
import { type Started, startThread } from '../threads/thread.ts';

/** Where the daily copies go, and how many are kept; 0 makes none. */
export type Copies = { folder: string; keep: number };

/** What the thread gets to do. */
export type Order = Copies & { day: string };
type Outcome = Omit<Noted, 'at'>;
export type Report = { backup: Outcome; drill: Outcome };

/** How the days of a copy are counted again. */
type Recount = (db: Db) => Iterable<Recounted>;

/** A copy is in no hurry, and others may wait for the disk. */
const PAUSE_MS = 5;

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

async function withPauses(steps: Iterable<unknown>): Promise<void> {
  for (const _ of steps) await pause(PAUSE_MS);
}

/** An error becomes an outcome, in its words. */
async function outcomeOf(work: () => Promise<string>): Promise<Outcome> {
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
  await withPauses(backup(path, join(folder, name), { replace: true }));
  return `${name}, ${(statSync(join(folder, name)).size / 1e6).toFixed(1)} MB`;
}

/** Tries the newest copy: opens it, and counts all of its sealed days again. */
async function drill({ folder }: Order, recount: Recount): Promise<string> {
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
      if (faults.length > 0)
        throw new Error(`${name} holds days of ${domain} that differ when counted again: ${faults[0]}`);
      await pause(PAUSE_MS);
    }
    return `${name} can be opened, ${plural(days, 'sealed day')} counted again`;
  } finally {
    close();
  }
}

/** What the thread does: it makes a copy and tries it. Old copies are deleted only after that, so that one is always left. */
export async function copyAndTry(path: string, order: Order, recount: Recount): Promise<Report> {
  const made = await outcomeOf(() => make(path, order));
  const tried = await outcomeOf(() => drill(order, recount));
  if (made.fine && tried.fine) {
    for (const name of listCopies(order.folder).slice(0, -order.keep)) rmSync(join(order.folder, name));
  }
  return { backup: made, drill: tried };
}

const FAILED: Record<keyof Report, string> = {
  backup: 'backup failed; check the disk, and make one with daybook backup FILE',
  drill: 'the newest backup is not usable; make another with daybook backup FILE, and run daybook check',
};

type Deps = { db: Db; path: string; code: string; log: Log; copies: Copies; engine: Pick<Engine, 'hasSealedDays'> };

/** Makes the copy of a day, unless there is one, or no sealed day yet. */
export function dailyCopy({ db, path, code, log, copies, engine }: Deps) {
  let thread: Started | undefined;
  let isStopped = false;

  const run = (order: Order): Promise<Report> =>
    new Promise((done, failed) => {
      thread = startThread(code, { path, order }, (report) => done(report as Report));
      thread.worker.once('error', failed).once('exit', () => failed(new Error('its thread was stopped')));
    });

  return {
    async make(day: string, at: number): Promise<void> {
      if (copies.keep === 0 || isStopped || listCopies(copies.folder).includes(`${day}.db`)) return;
      if (!engine.hasSealedDays()) return;
      const died = (error: Error): Partial<Report> => ({ backup: { fine: false, words: error.message } });
      const report = await run({ ...copies, day }).catch(died);
      if (isStopped) return;
      for (const [name, { fine, words }] of Object.entries(report) as [keyof Report, Outcome][]) {
        noteUpkeep(db, name, { at, fine, words });
        log(fine ? `${name} done` : FAILED[name], { words });
      }
    },
    async stop(): Promise<void> {
      isStopped = true;
      await thread?.end();
    },
  };
}
