// The daily backup, and its restore test. Both run in a thread of low priority.
//
// A backup is a copy of the database file. Its name, such as 2026-01-05-1a2b3c4d.db, has the day and the code of the
// server that made it. The restore test opens the newest backup and recounts all its sealed days. Old backups are
// deleted only if this test finds no fault. Backups of other servers are never touched (test/jobs/backup.long.test.ts).
//
// daily.ts calls `makeDailyBackups`, and src/worker.ts runs `backUpAndTest` in the thread.

import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Recounted } from '../engine/engine.ts';
import { coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { readCoded, writeCoded } from '../lib/http/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { isOnCluster } from '../store/cluster/cluster-servers.ts';
import type { Db } from '../store/db.ts';
import { backup } from '../store/file/backup.ts';
import { findFault } from '../store/file/copy.ts';
import { openReader } from '../store/file/open-file.ts';
import { findUpkeep, type Noted, nameServer, noteUpkeep } from '../store/server/upkeep.ts';
import { askThread, type Started } from '../threads/thread.ts';

/** `keep` is how many backups stay in the folder. With 0, no backup is made. */
export type BackupSettings = { folder: string; keep: number };

export type Order = BackupSettings & { server: string; at: number };
type Outcome = Omit<Noted, 'at'>;
export type Report = { backup: Outcome; restore: Outcome };

type Recount = (db: Db) => Iterable<Recounted>;

/**
 * How long the thread pauses between two steps of copying or testing a backup. In the pause, queries and hits can use
 * the disk.
 */
const PAUSE_MS = 5;

/** The name of a backup contains its day and its server, so two servers may use one folder. */
const NAME = /^\d{4}-\d\d-\d\d-([\da-f]{8})\.db(\.tmp)?$/;

/**
 * Makes a backup and tests the newest one, in a thread of low priority. If no backup could be made, the newest existing
 * one is tested. Old backups are deleted only if the test finds no fault.
 */
export async function backUpAndTest(path: string, order: Order, recount: Recount): Promise<Report> {
  const { folder, keep } = order;
  const made = await settleOutcome(() => make(path, order));
  const tried = await settleOutcome(async () =>
    testRestore(folder, made.fine ? nameBackup(order) : look(order).backups.at(-1), recount),
  );
  if (tried.fine) {
    // Old backups are deleted even if no new backup could be made. The disk may be full, and then a smaller
    // --keep-backups makes room.
    const { backups } = look(order);
    for (const name of backups.slice(0, Math.max(backups.length - keep, 0))) rmSync(join(folder, name));
  }
  return { backup: made, restore: tried };
}

export function makeDailyBackups({ db, path, code, random, log, backups }: Deps) {
  let thread: Started | undefined;
  let isStopped = false;

  const run = (order: Order): Promise<Report> =>
    askThread(code, { path, order }, (started) => {
      thread = started;
    });

  return {
    async make(at: number): Promise<void> {
      if (backups.keep === 0 || isStopped) return;
      const order = { ...backups, server: nameServer(db, random, at), at };
      if (existsSync(join(backups.folder, nameBackup(order)))) return;
      const died = (error: Error): Partial<Report> => ({ backup: { fine: false, words: error.message } });
      const report = await run(order).catch(died);
      if (isStopped) return;
      for (const [name, { fine, words }] of Object.entries(report) as [keyof Report, Outcome][]) {
        noteUpkeep(db, name, { at, fine, words });
        log(fine ? DONE[name] : FAILED[name], { words: inEnglish(readCoded(words)) });
      }
    },
    async stop(): Promise<void> {
      isStopped = true;
      await thread?.end();
    },
  };
}

const nameBackup = ({ server, at }: Pick<Order, 'server' | 'at'>): string => `${formatDay(at)}-${server}.db`;

/**
 * Finds when a backup was made. The time is stored in the backup. Returns undefined for a broken file, and for a backup
 * of another server.
 */
function findBackupTime(path: string, server: string): number | undefined {
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

/**
 * Lists the paths of this server's backups since an instant. A backup whose time cannot be read is listed too, because
 * it may be new.
 */
export const listBackupsSince = ({ folder, server }: { folder: string; server: string }, since: number): string[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => NAME.exec(name)?.[1] === server)
    .map((name) => join(folder, name))
    .filter((path) => (findBackupTime(path, server) ?? Number.POSITIVE_INFINITY) >= since);

type FoundBackups = { backups: string[]; others: string[] };

/**
 * Lists the backups of this server in the order of deletion, and the names of all other files. A backup from the future
 * was made with a wrong clock. Such a backup comes first, so it is deleted first. Otherwise it would count as the
 * newest backup for years.
 */
function look({ folder, server, at }: Order): FoundBackups {
  const times = new Map<string, number>();
  const others: string[] = [];
  for (const name of readdirSync(folder).sort()) {
    const time = NAME.exec(name)?.[1] === server ? findBackupTime(join(folder, name), server) : undefined;
    if (time === undefined) others.push(name);
    else times.set(name, time > at ? time - Number.MAX_SAFE_INTEGER : time);
  }
  return { backups: [...times].sort(([, a], [, b]) => a - b).map(([name]) => name), others };
}

const MOST_NAMED = 5;

function describeOthers(order: Order): string {
  const names = look(order).others.map((name) => {
    const server = NAME.exec(name)?.[1] ?? order.server;
    return server === order.server ? name : `backups of server ${server}`;
  });
  const [named, more] = [[...new Set(names)].slice(0, MOST_NAMED), new Set(names).size - MOST_NAMED];
  if (names.length === 0) return '';
  return `. Files that are not of this server stay: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

async function withPauses(steps: Iterable<unknown>): Promise<void> {
  for (const _ of steps) await pause(PAUSE_MS);
}

/** Runs `work` and returns how it ended. If `work` throws, the result has the message of the error. */
async function settleOutcome(work: () => Promise<string>): Promise<Outcome> {
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
  const copy = join(folder, nameBackup(order));
  await withPauses(backup(path, copy, { finish: (db) => noteUpkeep(db, 'copied', { at, fine: true, words: server }) }));
  return `${nameBackup(order)}, ${(statSync(copy).size / 1e6).toFixed(1)} MB${describeOthers(order)}`;
}

async function testRestore(folder: string, name: string | undefined, recount: Recount): Promise<string> {
  if (name === undefined) throw new Error('there is no backup');
  const path = join(folder, name);
  const fault = findFault(path);
  if (fault) throw new Error(`${name} is damaged: ${fault}`);
  const { db, close } = openReader(path);
  try {
    let days = 0;
    for (const { domain, day, faults } of recount(db)) {
      days++;
      if (faults.length > 0)
        throw new Error(
          `${name} has a day that differs when counted again. ${domain} ${formatDay(day * DAY)}: ${faults[0]}`,
        );
      await pause(PAUSE_MS);
    }
    const found = isOnCluster(db) ? coded('restore_fine_elsewhere', { name }) : coded('restore_fine', { name, days });
    return writeCoded(found);
  } finally {
    close();
  }
}

const DONE: Record<keyof Report, string> = { backup: 'backup done', restore: 'restore test done' };

const FAILED: Record<keyof Report, string> = {
  backup: 'the backup failed. Check the disk, and make one with daybook backup FILE',
  restore: 'the newest backup is not usable. Make another with daybook backup FILE, and run daybook check',
};

type Deps = {
  db: Db;
  path: string;
  code: string;
  random: Random;
  log: Log;
  backups: BackupSettings;
};
