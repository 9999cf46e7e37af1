import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Queries, Recounted } from '../engine/engine.ts';
import { coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { readCoded, writeCoded } from '../lib/http/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { formatDay } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { backup } from '../store/file/backup.ts';
import { faultIn } from '../store/file/copy.ts';
import { openReader } from '../store/file/open-file.ts';
import { findUpkeep, type Noted, noteUpkeep, serverName } from '../store/server/upkeep.ts';
import { type Started, startThread } from '../threads/thread.ts';

/** Where the daily copies go, and how many are kept; 0 makes none. */
export type Copies = { folder: string; keep: number };

/** What the thread gets to do. */
export type Order = Copies & { server: string; at: number };
type Outcome = Omit<Noted, 'at'>;
export type Report = { backup: Outcome; drill: Outcome };

/** How the days of a copy are counted again. */
type Recount = (db: Db) => Iterable<Recounted>;

/** A copy is in no hurry, and others may wait for the disk. */
const PAUSE_MS = 5;

/** The name of a copy: its day, and the server that made it, so that two may share a folder. */
const NAME = /^\d{4}-\d\d-\d\d-([\da-f]{8})\.db(\.tmp)?$/;

const nameOf = ({ server, at }: Pick<Order, 'server' | 'at'>): string => `${formatDay(at)}-${server}.db`;

/** When this server made a copy, as is written in it; undefined where it did not, or where that cannot be read. */
function madeAt(path: string, server: string): number | undefined {
  try {
    const { db, close } = openReader(path);
    try {
      const copied = findUpkeep(db, 'copied');
      return copied?.words === server ? copied.at : undefined;
    } finally {
      close();
    }
  } catch {
    return undefined;
  }
}

type Found = { copies: string[]; others: string[] };

/**
 * What lies in the folder: this server's copies in the order in which they go, by the time that is written in them, and all else.
 * One from the future goes first: the clock was wrong when it was made, and it would otherwise stand in the place of a new one for
 * good.
 */
function look({ folder, server, at }: Order): Found {
  const times = new Map<string, number>();
  const others: string[] = [];
  for (const name of readdirSync(folder).sort()) {
    const time = NAME.exec(name)?.[1] === server ? madeAt(join(folder, name), server) : undefined;
    if (time === undefined) others.push(name);
    else times.set(name, time > at ? time - Number.MAX_SAFE_INTEGER : time);
  }
  return { copies: [...times].sort(([, a], [, b]) => a - b).map(([name]) => name), others };
}

const MOST_NAMED = 5;

/** Names what lies in the folder and is no copy of this server. */
function leftAlone(order: Order): string {
  const names = look(order).others.map((name) => {
    const server = NAME.exec(name)?.[1] ?? order.server;
    return server === order.server ? name : `copies of server ${server}`;
  });
  const [named, more] = [[...new Set(names)].slice(0, MOST_NAMED), new Set(names).size - MOST_NAMED];
  if (names.length === 0) return '';
  return `; not of this server and left alone: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
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

async function make(path: string, order: Order): Promise<string> {
  const { folder, server, at } = order;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const [, maker, unfinished] = NAME.exec(name) ?? [];
    if (unfinished && maker === server) rmSync(join(folder, name));
  }
  const copy = join(folder, nameOf(order));
  await withPauses(backup(path, copy, { mark: (db) => noteUpkeep(db, 'copied', { at, fine: true, words: server }) }));
  return `${nameOf(order)}, ${(statSync(copy).size / 1e6).toFixed(1)} MB${leftAlone(order)}`;
}

/** Tries a copy: opens it, and counts all of its sealed days again. */
async function drill(folder: string, name: string | undefined, recount: Recount): Promise<string> {
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
    return writeCoded(coded('drill_fine', { name, days }));
  } finally {
    close();
  }
}

/**
 * What the thread does: it makes a copy and tries it, or the newest there is where none could be made. Old copies are deleted only
 * after that, and never the one just made nor what this server did not make (test/jobs/backup.test.ts).
 */
export async function copyAndTry(path: string, order: Order, recount: Recount): Promise<Report> {
  const { folder, keep } = order;
  const made = await outcomeOf(() => make(path, order));
  const tried = await outcomeOf(async () =>
    drill(folder, made.fine ? nameOf(order) : look(order).copies.at(-1), recount),
  );
  if (made.fine && tried.fine) {
    const earlier = look(order).copies.filter((name) => name !== nameOf(order));
    for (const name of earlier.slice(0, Math.max(earlier.length - keep + 1, 0))) rmSync(join(folder, name));
  }
  return { backup: made, drill: tried };
}

const FAILED: Record<keyof Report, string> = {
  backup: 'backup failed; check the disk, and make one with daybook backup FILE',
  drill: 'the newest backup is not usable; make another with daybook backup FILE, and run daybook check',
};

type Deps = {
  db: Db;
  path: string;
  code: string;
  random: Random;
  log: Log;
  copies: Copies;
  queries: Pick<Queries, 'hasSealedDays'>;
};

/** Makes the copy of a day, unless there is one, or no sealed day yet. */
export function dailyCopy({ db, path, code, random, log, copies, queries }: Deps) {
  let thread: Started | undefined;
  let isStopped = false;

  const run = (order: Order): Promise<Report> =>
    new Promise((done, failed) => {
      thread = startThread(code, { path, order }, (report) => done(report as Report));
      thread.worker.once('error', failed).once('exit', () => failed(new Error('its thread was stopped')));
    });

  return {
    async make(at: number): Promise<void> {
      if (copies.keep === 0 || isStopped || !queries.hasSealedDays()) return;
      const order = { ...copies, server: serverName(db, random, at), at };
      if (existsSync(join(copies.folder, nameOf(order)))) return;
      const died = (error: Error): Partial<Report> => ({ backup: { fine: false, words: error.message } });
      const report = await run(order).catch(died);
      if (isStopped) return;
      for (const [name, { fine, words }] of Object.entries(report) as [keyof Report, Outcome][]) {
        noteUpkeep(db, name, { at, fine, words });
        log(fine ? `${name} done` : FAILED[name], { words: inEnglish(readCoded(words)) });
      }
    },
    async stop(): Promise<void> {
      isStopped = true;
      await thread?.end();
    },
  };
}
