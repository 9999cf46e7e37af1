// Compaction writes the new rows of a large open day into its shards, one shard after the other. Compaction begins when
// 100,000 rows of the day are not in a shard. A query therefore usually reads at most about 100,000 rows outside of
// shards.
//
// Invariant: a query sees each shard either before or after the step that replaces it. Each shard knows which rows it
// contains, so no hit counts twice.
//
// Example: a day with 2 shards has 100,000 new rows. The first step replaces shard 1 by a shard that also has the
// 50,000 new rows of its visitors. The second step does the same for shard 2. At the end, rows that are in shards are
// deleted from the table `hit`. The latest 100,000 rows of this table stay (`kept`). In worker threads, work/tasks.ts
// calls this file. In the main thread, work/compact-and-seal.ts calls it.
import { isSealed, type SiteDay } from '../../catalog/sealed-days.ts';
import { emptyRows, type ImportedRows } from '../../engine/import-content.ts';
import type { Steps } from '../../lib/steps.ts';
import type { Db } from '../../store/db.ts';
import { hasSite } from '../../store/sites/sites.ts';
import { addBlob, writeInSteps } from '../column/blobs.ts';
import type { ShardColumn } from '../column/column.ts';
import { type Column, free } from '../column/packing.ts';
import { ALL_VISITORS, emptyShard, listVisitorRanges, takeShardRows } from '../day/shard.ts';
import { findLastId, findNewestId, hasHit, hasMoreHits, listHitDays, removeHitsUntil } from '../rows/hits.ts';
import { addRows, applyDelta, beginDelta } from './delta.ts';
import { makeScratch } from './merge-columns.ts';
import {
  countCompacted,
  listSources,
  listVisibleShards,
  nameSealedSlices,
  type OpenRows,
  readOn,
} from './row-sources.ts';
import { type ReadColumn, readShard } from './shard-format.ts';
import {
  addShard,
  findDeadShard,
  hasShardState,
  listShards,
  markShardGone,
  removeFromShard,
  type ShardRow,
  setCompacted,
  showShard,
  type Until,
} from './shard-table.ts';
import { type NewShard, splitShard } from './split-shard.ts';

export type CompactionLimits = {
  /** Compaction begins when at least this many rows of a day are not in a shard. */
  rows: number;
  /**
   * A shard is split if each new shard gets at least this many hits. Compaction packs one shard at a time, so smaller
   * shards need less memory.
   */
  hits: number;
  /** A large day is sealed in slices of about this many hits, so that sealing needs little memory. */
  sealedHits: number;
  /**
   * Compaction deletes rows that are in shards, except this many of the latest rows of all sites together. After a
   * restart, the server reads active visitors from these rows.
   */
  kept: number;
};

export const LIMITS: CompactionLimits = { rows: 100_000, hits: 250_000, sealedHits: 1_000_000, kept: 100_000 };

/**
 * A compaction writes at most `MOST_TIMES * limits.rows` new rows. Each compaction also writes older rows again, so a
 * few large compactions are faster than many small ones. For six million rows, compaction took 81 s with the factor 2,
 * and 47 s with the factor 5. With the factor 10, compaction needed 100 MB more memory.
 */
const MOST_TIMES = 5;

/**
 * Reads the rows of a day that are not in a shard. The returned steps write these rows into shards. Returns undefined
 * if there are no such rows, or if an import hides the hits of the day.
 */
export function beginCompaction(
  db: Db,
  siteDay: SiteDay,
  limits: CompactionLimits,
): { compaction: Compaction; steps: Generator<CompactionStep> } | undefined {
  return db.read(() => {
    const sources = listSources(db, siteDay.siteId, siteDay.day);
    const [own] = sources;
    if (!own || own.isReplaced) return undefined;
    const shards = listVisibleShards(db, siteDay, sources);
    // The lists get their full length at once, because growing would copy them, and old copies are freed late. The
    // operating system gives memory only to the part of a list that has rows.
    const open = { rows: emptyRows(countMost(limits)), first: countCompacted(shards), sources: [own] };
    readOn(db, siteDay.day, open, { most: countMost(limits) });
    if (open.rows.count === 0) return undefined;
    const compaction = {
      ...findEnd(open),
      sealed: nameSealedSlices(sources),
      isFull: open.rows.count === countMost(limits),
    };
    return { compaction, steps: makeSteps(db, siteDay.day, shards, open, limits) };
  });
}

const countMost = ({ rows }: CompactionLimits): number => rows * MOST_TIMES;

export const MOST_COMPACTED_ROWS = countMost(LIMITS);

/**
 * What a compaction has read. `until` is the id of its last row. `isFull` is true if the compaction has read as many
 * rows as it may, so further rows may be waiting. `sealed` names the sealed slices that the day had at the beginning.
 * Only a reopened day has such slices. If the slices have changed at the end, the new shards are not shown. The hits of
 * these shards may also be in a new slice, and would count twice.
 */
export type Compaction = Until & { sealed: string; isFull: boolean };

/**
 * One step of a compaction. The new shards replace the shard with the id `replaced`, if there is one. The new shards
 * have all rows of the old shard's visitors, up to the row id `until`.
 */
export type CompactionStep = Until & { replaced: number | undefined; shards: NewShard[] };

export function needsCompaction(db: Db, { siteId, day }: SiteDay, { rows }: CompactionLimits): boolean {
  const [own] = listSources(db, siteId, day);
  // An import may hide the earlier hits of a day, until the import is removed. A shard with both hidden and visible
  // hits could be neither hidden nor shown. For this reason, such a day is not compacted.
  return own !== undefined && !own.isReplaced && hasMoreHits(db, { ...own, day }, own.last, rows);
}

export const listCompactable = (db: Db, limits: CompactionLimits): SiteDay[] =>
  listHitDays(db).filter(
    ({ siteId, importId, day }) =>
      importId === null && !isSealed(db, siteId, day) && needsCompaction(db, { siteId, day }, limits),
  );

const findEnd = ({ rows, first, sources }: OpenRows): Until => ({
  until: sources[0]?.last ?? 0,
  count: first + rows.count,
});

/**
 * Makes one step for each shard that gets rows. A step also writes rows that arrived after the compaction began. If
 * these rows were left out, each query would have to add them to the new shard.
 */
function* makeSteps(
  db: Db,
  day: number,
  shards: readonly ShardRow[],
  open: OpenRows,
  limits: CompactionLimits,
): Generator<CompactionStep> {
  const scratch = makeScratch();
  const ranges = shards.length > 0 ? listVisitorRanges(shards.map(({ from }) => from)) : [ALL_VISITORS];
  for (const [i, range] of ranges.entries()) {
    const row = shards[i];
    const { first } = open;
    readOn(db, day, open, { most: countMost(limits) });
    // An interrupted compaction may have written this shard already. With `since`, rows that are already in the shard
    // are left out, so no row counts twice.
    const came = takeShardRows(open.rows, range, { first, since: row?.count ?? first });
    if (came.count === 0) continue;
    const columns = keepColumns();
    const delta = beginDelta(row ? readShard(db, day, row, columns.read) : emptyShard(day));
    addRows(delta, came);
    freeRows(came);
    const step = {
      ...findEnd(open),
      replaced: row?.id,
      shards: [...splitShard(applyDelta(delta, undefined, scratch), range.from, limits.hits)],
    };
    columns.free();
    yield step;
  }
  freeRows(open.rows);
}

/**
 * Frees the memory of rows that are not used any more. The garbage collector would free this memory only much later.
 */
function freeRows(rows: ImportedRows): void {
  const { count: _, terms, ...lists } = rows;
  for (const list of [...Object.values(lists), ...Object.values(terms)]) free(list);
}

/** Keeps the columns of one shard in memory until `free` is called, because compaction reads several of them twice. */
function keepColumns() {
  const columns = new Map<ShardColumn, Column>();
  const read: ReadColumn = (_, name, first) => {
    const column = columns.get(name) ?? first();
    columns.set(name, column);
    return column;
  };
  return {
    read,
    free(): void {
      for (const { codes } of columns.values()) if (codes.byteLength > 0) free(new Uint8Array(codes.buffer));
    },
  };
}

/**
 * Writes new shards in short transactions, so that hits can be stored in between. Queries see the new shards only after
 * `showShards`.
 */
export function* stageShards(db: Db, siteDay: SiteDay, shards: readonly NewShard[], now: number): Steps<number[]> {
  const ids: number[] = [];
  function* writes() {
    for (const { from, totals, blobs } of shards) {
      let id = 0;
      const begin = (): void => {
        id = addShard(db, { ...siteDay, from, totals, now });
        ids.push(id);
      };
      yield { bytes: 0, write: begin };
      for (const blob of blobs) {
        yield { bytes: blob.data.byteLength, write: () => addBlob(db, 'open_blob', id, blob) };
      }
    }
  }
  yield* writeInSteps(db, writes());
  return ids;
}

/**
 * Returns whether new shards may be shown. Returns false in four cases. First, the day was sealed since the compaction
 * began. The sealed slices already have the hits of the new shards, so these hits would count twice. Second, the site
 * was deleted. Third, an import replaces the hits of the day. Fourth, the row `until` was deleted, because an import
 * had replaced it. Even if this import has since been removed, the replaced hits must not count again.
 */
function mayShow(db: Db, { siteId, day }: SiteDay, { sealed, until }: Compaction): boolean {
  const sources = listSources(db, siteId, day);
  const isOpen = sources[0]?.isReplaced === false && nameSealedSlices(sources) === sealed;
  return isOpen && !isSealed(db, siteId, day) && hasSite(db, siteId) && hasHit(db, until);
}

/**
 * Replaces a shard by new shards in one transaction, so queries see either the old shard or the new ones. Returns false
 * in three cases, and the new shards are then deleted later (`sweepShards`). First, the new shards must not be shown
 * (`mayShow`). Second, another compaction has already replaced the old shard, or has made the first shards of the day.
 * Third, the nightly sweep has already begun to delete the new shards. The sweep deletes shards that were staged over a
 * day ago and never shown, for example because the machine slept.
 */
export const showShards = (
  db: Db,
  siteDay: SiteDay,
  compaction: Compaction,
  { replaced, staged, until, count }: Until & { replaced: number | undefined; staged: readonly number[] },
): boolean =>
  db.write(() => {
    const isThere =
      replaced === undefined ? listShards(db, siteDay).length === 0 : hasShardState(db, replaced, 'shown');
    const isWhole = staged.every((id) => hasShardState(db, id, 'staged'));
    const isFree = isThere && isWhole && mayShow(db, siteDay, compaction);
    if (isFree && replaced !== undefined) markShardGone(db, replaced);
    for (const id of staged) {
      if (isFree) showShard(db, id, { until, count });
      else markShardGone(db, id);
    }
    return isFree;
  });

/**
 * Must be called after the last step of a compaction. All shards now have the rows up to `until`. Shards without new
 * rows were not written again, so their `until` is set here. Returns false if the new shards may no longer be shown
 * (`mayShow`), for example because the day was sealed.
 */
export const endCompaction = (db: Db, siteDay: SiteDay, compaction: Compaction): boolean =>
  db.write(() => {
    if (!mayShow(db, siteDay, compaction)) return false;
    setCompacted(db, siteDay, compaction);
    return true;
  });

const ROWS_PER_TRANSACTION = 1_000;

/**
 * Deletes shards in the state `gone`, and shards that were staged before `stagedBefore` and never shown. Each
 * transaction deletes one blob, so that hits wait only briefly.
 */
export function* sweepShards(db: Db, stagedBefore: number): Steps {
  for (let id = findDeadShard(db, stagedBefore); id !== undefined; id = findDeadShard(db, stagedBefore)) {
    const dead = id;
    db.write(() => removeFromShard(db, dead));
    yield;
  }
}

/**
 * Deletes the rows of a day up to the id `until`, because these rows are in shards. The latest row of the day stays,
 * because `listHitDays` finds open days by their rows. The latest `kept` rows of the table `hit`, from all sites
 * together, stay too.
 */
export function* sweepCompacted(db: Db, siteDay: SiteDay, until: number, { kept }: CompactionLimits): Steps {
  const own = { ...siteDay, importId: null };
  const last = Math.min(until, findNewestId(db) - kept, findLastId(db, own) - 1);
  while (db.write(() => removeHitsUntil(db, own, last, ROWS_PER_TRANSACTION)) === ROWS_PER_TRANSACTION) yield;
}
