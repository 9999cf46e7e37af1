// Stores copies of open days in a separate SQLite file, for a cluster, whose hits are on ClickHouse servers. The shards
// and deltas of open/ answer queries of these days as fast as in the ledger.
//
// Invariant: an old file is deleted before a new one is opened, and each file is deleted when it is closed. The file
// therefore never has rows of an earlier run. After a normal stop of the server, no visitor code stays stored. If the
// file is damaged, the next start replaces it.
//
// Example: a cluster has 3,000,000 rows of today. They are copied into `daybook.db.open-days`. After that, an overview
// of today takes 75 ms. On ClickHouse, it takes 600 ms. compose.ts opens the file for cluster/open/followed-days.ts.
// Test: test/cluster/open/followed-days.test.ts.
import { rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { OpenDays } from '../engine/open-days.ts';
import { freeBytes } from '../lib/disk.ts';
import { runPolitely } from '../lib/steps.ts';
import type { Db } from '../store/db.ts';
import { openStore } from '../store/file/open-file.ts';
import { replaceExclusions } from '../store/sites/exclusions.ts';
import { addBareSite, removeSite } from '../store/sites/sites.ts';
import { type LedgerOptions, startReaders, startSealers } from './in-threads.ts';
import { LIMITS } from './open/compaction.ts';
import { buildQueries } from './queries.ts';
import { makeTermIndex } from './rows/capped-terms.ts';
import { addActivities } from './rows/hits.ts';
import { forgetRest, forgetSite } from './upkeep/sweep.ts';
import { makeBackground } from './work/background.ts';

type Options = Omit<LedgerOptions, 'db' | 'path' | 'meters' | 'capacity'> & {
  /** The path of the file. An existing file at this path is deleted. */
  file: string;
};

export function openOpenDays({ file, ...options }: Options): OpenDays {
  removeOpenDays(file);
  const store = openStore(file);
  const { db, path } = store;
  for (const pragma of PRAGMAS) db.run(`PRAGMA ${pragma}`);
  const deps = { ...options, path };
  const readers = startReaders(deps);
  const { limits = LIMITS } = options;
  const background = makeBackground({ ...options, db, readers, sealers: () => startSealers(deps), limits });
  const queries = buildQueries(db, readers, { has: () => false });
  // Each sender limits the number of different texts of a day, and stores `(other)` in place of all others. Several
  // senders together may have more texts than one sender's limit. ClickHouse has the texts of all senders, and the
  // copies in this file must have them all too. So no limit is applied here.
  const terms = makeTermIndex(db, { isLimited: false });
  const opened = identifyFiles(path);
  return {
    isThere: () => identifyFiles(path) === opened,
    largeRows: limits.rows / 2,
    hasRoomFor: (rows) => freeBytes(dirname(path)) > SPARE_BYTES + rows * BYTES_PER_ROW,
    append(activities) {
      try {
        db.write(() => {
          // Compaction treats a site without a row in the table `site` as deleted, and shows no shards of the site. For
          // this reason, each hit's site gets a row in this table.
          for (const id of new Set(activities.map(({ siteId }) => siteId))) addBareSite(db, id);
          addActivities(db, activities, terms);
        });
      } catch (error) {
        terms.forget();
        throw error;
      }
      background.note(activities.length);
    },
    setExclusions: (siteId, exclusions) => db.write(() => replaceExclusions(db, siteId, exclusions)),
    measure: queries.measure,
    compact: () => background.compact(),
    async forget(siteId, { isDeleted }) {
      // If only the days of a site are deleted, and not the site, the texts of the site stay. Threads have cached the
      // terms of these texts, and a deleted term could be given to another text.
      const steps = isDeleted ? forgetSite : forgetRest;
      if (isDeleted) db.write(() => removeSite(db, siteId));
      // The deletion waits for its turn. A compaction at the same time could write shards from rows that are being
      // deleted.
      await background.inTurn(() => runPolitely(steps(db, siteId), options.clock));
      terms.forget();
      await emptyWal(db);
    },
    async close() {
      await Promise.allSettled([background.close(), readers.close()]);
      store.close();
      removeOpenDays(file);
    },
  };
}

/**
 * Settings of the file. SQLite need not wait for the disk, because losing the file does no harm. Foreign keys are off,
 * because a site is stored without its account. `secure_delete` stays on, so that deleted bytes are overwritten.
 */
const PRAGMAS = ['synchronous = OFF', 'foreign_keys = OFF'];

/** The endings of the three files that SQLite keeps while a connection is open. */
const FILES = ['', '-wal', '-shm'];

/** Returns the inode numbers of the files as one text. If a file was deleted or replaced, the text differs. */
const identifyFiles = (path: string): string =>
  FILES.map((end) => statSync(`${path}${end}`, { throwIfNoEntry: false })?.ino).join();

/**
 * Deletes the file. This also happens at each start, because a server that was killed leaves its file, with visitor
 * codes.
 */
export function removeOpenDays(file: string): void {
  for (const end of [...FILES, '-journal']) rmSync(`${file}${end}`, { force: true });
}

/**
 * Disk space that must stay free while a day is copied into this file. The hits that the server receives during the
 * copying need this space in the outbox, the database file and backups.
 */
const SPARE_BYTES = 1024 ** 3;
/**
 * The disk space for a row. In `bench/cluster-open-day.ts`, a row takes 90 bytes. During a compaction, the row is both
 * in its old shard and in its new shard.
 */
const BYTES_PER_ROW = 200;

const TRIES = 600;
const TRY_MS = 100;

/**
 * Empties the WAL, which still has the bytes of deleted rows. The WAL cannot be emptied while a query reads it. Throws
 * if the WAL could not be emptied within a minute. The whole file must then be deleted.
 */
async function emptyWal(db: Pick<Db, 'emptyWal'>): Promise<void> {
  for (let tries = 1; !db.emptyWal(); tries++) {
    if (tries === TRIES) throw new Error('a query reads the file for more than a minute');
    await pause(TRY_MS);
  }
}
