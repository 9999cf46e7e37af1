// Keeps copies of open days in a file of their own, for an engine that stores hits elsewhere. Queries of these days are
// as fast as those of the ledger, because the shards and deltas of open/ answer them.
//
// Invariant: the file is deleted when it is opened and when it is closed. So it never has rows of an earlier run, and
// no visitor code stays in it while the server is stopped. A damaged file never matters for long.
//
// Example: a cluster has 3,000,000 rows of today. They are copied into `daybook.db.open-days`. After that, an overview
// of today takes 75 ms. On ClickHouse it takes 600 ms.
//
// compose.ts opens the file for cluster/open/followed-days.ts. Test: test/cluster/open/followed-days.test.ts.
import { rmSync } from 'node:fs';
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
  /** The path of the file. Whatever is there is deleted. */
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
  // Every process that stores hits has limited their texts already. Several processes together may exceed the limit.
  const terms = makeTermIndex(db, { isLimited: false });
  return {
    largeRows: limits.rows / 2,
    hasRoomFor: (rows) => freeBytes(dirname(path)) > SPARE_BYTES + rows * BYTES_PER_ROW,
    append(activities) {
      try {
        db.write(() => {
          // Hits of unknown sites are never compacted, because a site may be deleted during a compaction.
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
      // Threads have texts in their caches. So the texts of a site stay, and no other text gets their numbers.
      const steps = isDeleted ? forgetSite : forgetRest;
      if (isDeleted) db.write(() => removeSite(db, siteId));
      // A compaction that runs meanwhile could write shards of rows that are deleted.
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
 * Losing the file does no harm, so SQLite need not wait for the disk. A site is stored without its account, so foreign keys are
 * off. `secure_delete` stays on: deleted bytes are overwritten.
 */
const PRAGMAS = ['synchronous = OFF', 'foreign_keys = OFF'];

/** A server that was killed leaves its file, with visitor codes. So the file is also removed at each start. */
export function removeOpenDays(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true });
}

/** The hits that the server takes meanwhile need this space: outbox, database file and backups. */
const SPARE_BYTES = 1024 ** 3;
/** In `bench/cluster-open-day.ts`, a row takes 90 bytes. During a compaction, its old shard and its new one are there. */
const BYTES_PER_ROW = 200;

const TRIES = 600;
const TRY_MS = 100;

/**
 * The WAL still has the bytes of deleted rows. While a query reads the WAL, it cannot be emptied. Throws if it could not
 * be emptied within a minute. Then the whole file must be deleted.
 */
async function emptyWal(db: Pick<Db, 'emptyWal'>): Promise<void> {
  for (let tries = 1; !db.emptyWal(); tries++) {
    if (tries === TRIES) throw new Error('a query reads the file for more than a minute');
    await pause(TRY_MS);
  }
}
