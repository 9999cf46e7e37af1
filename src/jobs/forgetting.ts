// The job that searches the server's own files for the salts of past days, once a day, in a thread.
//
// Invariant: if a salt is found, this is a fault, and the report names the place. Then `daybook doctor` asks for
// attention, and the server searches again each hour, until it finds nothing.
//
// Example: at 00:00 the salts of five sites are removed. The search runs at 00:01, after the backup. `daybook doctor`
// then says: 3.1 GB were searched for five salts, and none was found. jobs.ts calls `run` each minute, and `run`
// returns at once if no search is due. A collector searches its outbox in the same way, and reports the result to the
// primary (compose-collector.ts).

import { closeSync, existsSync, openSync } from 'node:fs';
import type { RemovedSalts } from '../collect/removed-salts.ts';
import { inEnglish } from '../lang/sentences.ts';
import { writeCoded } from '../lib/http/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, DAY, HOUR, MINUTE, seconds } from '../lib/time.ts';
import type { OwnSearch } from '../store/cluster/sender-status.ts';
import type { Db } from '../store/db.ts';
import { describeSearch } from '../store/server/collector-searches.ts';
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
  /** Missing on a collector, which has no backups. Its file at `path` is an outbox. */
  backups?: { folder: string } | undefined;
  collector: { removedSalts: RemovedSalts };
  /** Stores the result of a search. */
  note: (search: OwnSearch) => void;
};

/**
 * Finds the day of a search. A day begins a minute late here. The day's backup is made a minute after midnight, and
 * must be searched too.
 */
const findSearchDay = (now: number): number => Math.floor((now - MINUTE) / DAY);

export function makeForgettingSearch({ db, path, code, random, clock, log, backups, collector, note }: Deps) {
  const { removedSalts } = collector;
  const files = keepFilesOpen(path, backups ? 'file' : 'outbox');
  let thread: Started | undefined;
  let isStopped = false;
  let searchedOn: number | undefined;
  /** When the search runs again, after it found a salt or failed. `fault` is the error of a failed search. */
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
      const named = backups && { folder: backups.folder, server: nameServer(db, random, now) };
      const order = { ...asked, files: files.list(), backups: named };
      try {
        const report = await inThread(order);
        if (isStopped) return;
        searchedOn = findSearchDay(now);
        const kept = new Set(report.places.flatMap(({ found }) => found));
        removedSalts.drop(asked.sought.filter((_, index) => !kept.has(index)));
        const search = summarize(report, { at: now, salts: asked.sought.length });
        note(search);
        if (search.found > 0) log('salts of past days were found', { words: inEnglish(describeSearch(search)) });
        again = search.found > 0 ? { at: now + HOUR } : undefined;
      } catch (error) {
        again = { at: now + HOUR, fault: error as Error };
        throw error;
      }
    },
    async stop(): Promise<void> {
      isStopped = true;
      await thread?.end();
    },
    /** Closes the searched files, which releases SQLite's locks. The database and the outbox must be closed before. */
    release: files.close,
  };
}

function keepFilesOpen(path: string, own: 'file' | 'outbox') {
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
     * Lists the files to search. `open` keeps the database files open, because closing them would release SQLite's
     * locks. SQLite locks no write-ahead log. So the thread of the search opens and closes the logs by itself.
     */
    list(): SearchedFile[] {
      const outbox = `${path}.outbox`;
      if (own === 'outbox')
        return ['', '-wal'].map((end) => ({ place: own, file: end === '' ? open(path) : `${path}${end}` }));
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

function summarize({ places }: SearchReport, asked: Pick<OwnSearch, 'at' | 'salts'>): OwnSearch {
  const found = new Set(places.flatMap((one) => one.found)).size;
  return {
    ...{ ...asked, found },
    places: places.map((one) => ({ place: one.place, bytes: one.bytes, isFound: one.found.length > 0 })),
  };
}

/** Stores the result of the server's own search. `daybook doctor` and the page /privacy show it. */
export const noteSearch = (db: Db, search: OwnSearch): void =>
  noteUpkeep(db, 'forgetting', {
    ...{ at: search.at, fine: search.found === 0 },
    words: writeCoded(describeSearch(search)),
  });
