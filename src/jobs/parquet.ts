// The job that writes Parquet files of sealed days, in a thread. It runs only with the setting --parquet.
//
// Invariant: if the hits or exclusions of a sealed day change, its file is written again or removed. This begins within
// a minute or two.
//
// Example: somebody excludes a country at 10:00. Each minute, jobs.ts calls `run`. `run` makes one text, the stamp, of
// all sealed days and exclusions. At 10:01, the stamp is different from the minute before. So a thread starts, and
// writes new files for all days that the exclusion covers (parquet-folder.ts).

import { stampDays } from '../catalog/sealed-days.ts';
import { coded } from '../lang/coded.ts';
import { writeCoded } from '../lib/http/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, DAY, seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { findUpkeep, nameServer, noteUpkeep, removeUpkeep } from '../store/server/upkeep.ts';
import { stampExclusions } from '../store/sites/exclusions.ts';
import { listSiteDomains } from '../store/sites/sites.ts';
import { askThread, type Started } from '../threads/thread.ts';
import type { MirrorReport } from './parquet-folder.ts';

/** `engine` is the URL of the cluster, if a cluster stores the hits. */
export type ParquetSettings = { folder: string; engine: string | undefined };

type Deps = {
  db: Db;
  path: string;
  code: string;
  random: Random;
  clock: Clock;
  log: Log;
  parquet?: ParquetSettings | undefined;
};

export function mirrorParquet({ db, path, code, random, clock, log, parquet }: Deps) {
  let thread: Started | undefined;
  let isStopped = false;
  /** The stamp of the latest run without a fault. */
  let doneFor: string | undefined;

  const inThread = (mirror: object): Promise<MirrorReport> =>
    askThread(code, { path, mirror }, (started) => {
      thread = started;
    });

  /** Returns a text that changes whenever files may have to be written or removed, and once a day. */
  const stamp = async (at: number): Promise<string> =>
    JSON.stringify([Math.floor(at / DAY), await stampDays(db), stampExclusions(db), listSiteDomains(db)]);

  return {
    async run(): Promise<void> {
      if (isStopped) return;
      if (!parquet) {
        // The server no longer writes Parquet files. A note of an earlier start with --parquet would never change
        // again, so it is removed.
        if (findUpkeep(db, 'parquet')) removeUpkeep(db, 'parquet');
        return;
      }
      const at = seconds(clock);
      const wanted = await stamp(at);
      if (isStopped || wanted === doneFor) return;
      const { fault, ...done } = await inThread({ ...parquet, server: nameServer(db, random, at) });
      if (isStopped) return;
      const words = fault ?? writeCoded(coded('parquet_fine', { count: done.files }));
      noteUpkeep(db, 'parquet', { at, fine: fault === undefined, words });
      if (fault !== undefined) throw new Error(fault);
      if (done.written + done.removed > 0) log('Parquet files written', done);
      doneFor = wanted;
    },
    async stop(): Promise<void> {
      isStopped = true;
      await thread?.end();
    },
  };
}
