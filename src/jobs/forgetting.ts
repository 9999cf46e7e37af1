// The job that searches the server's own files for the salts of past days, once a day, in a thread.
//
// Invariant: if a salt is found, this is a fault, and the report names the place. Then `daybook doctor` asks for
// attention, and the server searches again each hour, until it finds nothing.
//
// Example: at 00:00 the salts of five sites are removed. At 00:02, after the backup, the note `forgetting` says that
// 3.1 GB were searched for five salts. No salt was found. jobs.ts calls `run` each minute.

import { closeSync, existsSync, openSync } from 'node:fs';
import type { RemovedSalts } from '../collect/removed-salts.ts';
import { coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { writeCoded } from '../lib/http/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, DAY, HOUR, MINUTE, seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { nameServer, noteUpkeep } from '../store/server/upkeep.ts';
import { askThread, type Started } from '../threads/thread.ts';
import type { SearchedFile, SearchOrder, SearchReport } from './search-salts.ts';

type Deps = {
  db: Db;
  path: string;
  code: string;
  random: Random;
  clock: Clock;
  log: Log;
  backups: { folder: string };
  collector: { removedSalts: RemovedSalts };
};

/**
 * Finds the day of a search. A day begins a minute late here. The day's backup is made a minute after midnight, and
 * must be searched too.
 */
const findSearchDay = (now: number): number => Math.floor((now - MINUTE) / DAY);

export function makeForgettingSearch({ db, path, code, random, clock, log, backups, collector }: Deps) {
  const { removedSalts } = collector;
  const files = keepFilesOpen(path);
  let thread: Started | undefined;
  let isStopped = false;
  let searchedOn: number | undefined;
  /** When the search runs again after a fault. `fault` is the reason if the search itself failed. */
  let again: { at: number; fault?: Error } | undefined;

  const inThread = (search: SearchOrder): Promise<SearchReport> =>
    askThread(code, { path, search }, (started) => {
      thread = started;
    });

  return {
    async run(): Promise<void> {
      const now = seconds(clock);
      const asked = removedSalts.list();
      if (isStopped || !asked) return;
      if (again && now < again.at) {
        if (again.fault) throw again.fault;
        return;
      }
      if (!again && searchedOn === findSearchDay(now)) return;
      const server = nameServer(db, random, now);
      const order = { ...asked, files: files.list(), backups: { folder: backups.folder, server } };
      try {
        const report = await inThread(order);
        if (isStopped) return;
        searchedOn = findSearchDay(now);
        const kept = new Set(report.places.flatMap(({ found }) => found));
        removedSalts.drop(asked.sought.filter((_, index) => !kept.has(index)));
        again = noteReport({ db, log }, { at: now, salts: asked.sought.length }, report)
          ? undefined
          : { at: now + HOUR };
      } catch (error) {
        again = { at: now + HOUR, fault: error as Error };
        throw error;
      }
    },
    async stop(): Promise<void> {
      isStopped = true;
      await thread?.end();
    },
    /** Closes the searched files. Call this function after the database file and the outbox are closed. */
    release: files.close,
  };
}

function keepFilesOpen(path: string) {
  const opened = new Map<string, number>();
  /**
   * Opens a file of SQLite once and keeps it open. If this process closed the file, the system would release SQLite's
   * locks on it. Then a command could delete the write-ahead log that the server uses.
   */
  function open(file: string): number {
    const descriptor = opened.get(file) ?? openSync(file, 'r');
    opened.set(file, descriptor);
    return descriptor;
  }
  return {
    /**
     * Lists the files to search. SQLite has no locks on a write-ahead log, so the thread may open and close a log
     * itself.
     */
    list(): SearchedFile[] {
      const outbox = `${path}.outbox`;
      return [
        { place: 'file', file: open(path) },
        { place: 'wal', file: `${path}-wal` },
        ...(existsSync(outbox) ? [{ place: 'outbox' as const, file: open(outbox) }] : []),
        { place: 'outbox', file: `${outbox}-wal` },
      ];
    },
    close(): void {
      for (const descriptor of opened.values()) closeSync(descriptor);
      opened.clear();
    },
  };
}

type Asked = { at: number; salts: number };

/** Stores the result as a note, and logs a fault. Returns true if no salt was found. */
function noteReport({ db, log }: Pick<Deps, 'db' | 'log'>, { at, salts }: Asked, report: SearchReport): boolean {
  const { places } = report;
  const bytes = places.reduce((sum, one) => sum + one.bytes, 0);
  const faulty = places.filter(({ found }) => found.length > 0);
  const named = (faulty.length > 0 ? faulty : places).map((one) =>
    coded('place_searched', { place: [coded(`place_${one.place}`)], bytes: one.bytes }),
  );
  const found = new Set(faulty.flatMap((one) => one.found)).size;
  const values = { salts, bytes, places: named };
  const result = found > 0 ? coded('not_forgotten', { ...values, found }) : coded('forgotten', values);
  noteUpkeep(db, 'forgetting', { at, fine: found === 0, words: writeCoded(result) });
  if (found > 0) log('salts of past days were found', { words: inEnglish(result) });
  return found === 0;
}
