import { hasSealedDays } from '../catalog/sealed-days.ts';
import { Refusal, UNUSABLE } from '../lib/errors.ts';
import { isOnCluster } from '../store/cluster/cluster-servers.ts';
import type { Db } from '../store/db.ts';
import { countOpenCrawls } from './rows/crawls.ts';
import { findNewestId } from './rows/hits.ts';

/**
 * Refuses a cluster for a database file that has hits of its own. If the file were used for the cluster, no report
 * would show these hits.
 */
export function assertNoOwnHits(db: Db): void {
  if (!isOnCluster(db) && (findNewestId(db) > 0 || hasSealedDays(db)))
    throw new Refusal('this file has its own hits. To move them to the cluster, run daybook move --to URL', UNUSABLE);
}

/** Counts the crawler requests that the file has, apart from those that a night has packed. */
export const countOwnCrawls = (db: Db): number => countOpenCrawls(db);
