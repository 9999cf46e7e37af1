// Compaction writes what came to a large open day into its shards, one shard after the other. So no query reads more than some 100,000
// rows.
// Invariant: a query sees a shard before its step or after it, with the number of rows that each has taken in. No hit counts twice.
//
// Example: a day with 2 shards has 100,000 rows that are in neither. The first step writes shard 1 again with its 50,000 new rows, and
// shows it in place of the old one. The second step does so for shard 2. Then the rows are deleted. A shard of 500,000 hits becomes two.
// Called in threads by work/tasks.ts, and in the writing process by work/compact-and-seal.ts.
import { isSealed, type SiteDay } from '../../catalog/sealed-days.ts';
import { emptyRows } from '../../engine/import-content.ts';
import type { Steps } from '../../lib/steps.ts';
import type { Db } from '../../store/db.ts';
import { hasSite } from '../../store/sites/sites.ts';
import { addBlob, writeInSteps } from '../column/blobs.ts';
import type { Column, ShardColumn } from '../column/column.ts';
import { free } from '../column/packing.ts';
import { ALL_VISITORS, emptyShard, listVisitorRanges, takeShardRows } from '../day/shard.ts';
import { findLastId, findNewestId, hasMoreHits, listHitDays, removeHitsUntil } from '../rows/hits.ts';
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
  isShownShard,
  listShards,
  markShardGone,
  removeFromShard,
  type ShardRow,
  setCompacted,
  showShard,
  type Until,
} from './shard-table.ts';
import { type NewShard, splitShard } from './split-shard.ts';

/** When an open day is compacted, and how large its shards are. Tests use small numbers. */
export type CompactionLimits = {
  /** A day with so many rows in no shard is compacted. */
  rows: number;
  /** A shard with twice as many hits is split. So a compaction never holds more than a few megabytes. */
  hits: number;
  /** About so many hits are in each slice of a sealed day. */
  sealedHits: number;
  /** So many of the latest rows of all days stay. A starting server learns from them which visitors are active. */
  kept: number;
};

export const LIMITS: CompactionLimits = { rows: 100_000, hits: 250_000, sealedHits: 1_000_000, kept: 100_000 };

/**
 * A compaction takes up to so many times `limits.rows`, because it writes all shards again. Six million rows took 81 s with 2, and 47 s
 * with 5. With 10 they took 47 s too, and 100 MB more.
 */
const MOST_TIMES = 5;

/**
 * Reads the rows that are in no shard yet. The steps then put them into shards. Undefined if there are none, or if an import hides
 * hits.
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
    const open = { rows: emptyRows(256), first: countCompacted(shards), sources: [own] };
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

/** How many rows a compaction takes at most. */
const countMost = ({ rows }: CompactionLimits): number => rows * MOST_TIMES;

export const MOST_COMPACTED_ROWS = countMost(LIMITS);

/**
 * A compaction that has begun: up to which row it goes, and which slices of the day were sealed at its start. If it is full, more rows
 * may wait.
 */
export type Compaction = Until & { sealed: string; isFull: boolean };

/** A step of a compaction: the shard that is replaced, if any, and the new shards with all its rows up to `until`. */
export type CompactionStep = Until & { replaced: number | undefined; shards: NewShard[] };

/** Whether an open day has so many rows in no shard that it should be compacted. */
export function needsCompaction(db: Db, { siteId, day }: SiteDay, { rows }: CompactionLimits): boolean {
  const [own] = listSources(db, siteId, day);
  // Hits that an import hides come back when it is removed. So they must not be mixed with later ones.
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
 * Makes the steps of a compaction. Each step takes the rows that came until then. Otherwise a query would add the rows since the start
 * to each new shard again.
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
    // An earlier compaction, perhaps interrupted, has put some of these rows into the shard already.
    const came = takeShardRows(open.rows, range, { first, since: row?.count ?? first });
    if (came.count === 0) continue;
    const columns = keepColumns();
    const delta = beginDelta(row ? readShard(db, day, row, columns.read) : emptyShard(day));
    addRows(delta, came);
    const step = {
      ...findEnd(open),
      replaced: row?.id,
      shards: [...splitShard(applyDelta(delta, undefined, scratch), range.from, limits.hits)],
    };
    columns.free();
    yield step;
  }
}

/** Keeps the columns of one shard, several of which are needed twice, until they are freed. */
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

/** Writes new shards, not visible to queries yet, in short transactions. Returns their ids. */
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

/** Whether the shards of a day may still change: the day was not sealed meanwhile, and its site was not deleted. */
function mayShow(db: Db, { siteId, day }: SiteDay, { sealed }: Compaction): boolean {
  const sources = listSources(db, siteId, day);
  const isOpen = sources[0]?.isReplaced === false && nameSealedSlices(sources) === sealed;
  return isOpen && !isSealed(db, siteId, day) && hasSite(db, siteId);
}

/**
 * Replaces a shard by new ones in one short transaction. So queries count only this shard again. Returns false, and leaves the new
 * shards to `sweep`, if the day may not change any more or another process was faster.
 */
export const showShards = (
  db: Db,
  siteDay: SiteDay,
  compaction: Compaction,
  { replaced, staged, until, count }: Until & { replaced: number | undefined; staged: readonly number[] },
): boolean =>
  db.write(() => {
    const isThere = replaced === undefined ? listShards(db, siteDay).length === 0 : isShownShard(db, replaced);
    const isFree = isThere && mayShow(db, siteDay, compaction);
    if (isFree && replaced !== undefined) markShardGone(db, replaced);
    for (const id of staged) {
      if (isFree) showShard(db, id, { until, count });
      else markShardGone(db, id);
    }
    return isFree;
  });

/** Must be called after the last step. Notes that all rows of the compaction are in shards now. */
export const endCompaction = (db: Db, siteDay: SiteDay, compaction: Compaction): boolean =>
  db.write(() => {
    if (!mayShow(db, siteDay, compaction)) return false;
    setCompacted(db, siteDay, compaction);
    return true;
  });

const ROWS_PER_TRANSACTION = 1_000;

/** Deletes shards that no query sees any more, blob by blob. */
export function* sweepShards(db: Db, stagedBefore: number): Steps {
  for (let id = findDeadShard(db, stagedBefore); id !== undefined; id = findDeadShard(db, stagedBefore)) {
    const dead = id;
    db.write(() => removeFromShard(db, dead));
    yield;
  }
}

/** Deletes rows that are in shards. The latest row stays, because open days are found by their rows. */
export function* sweepCompacted(db: Db, siteDay: SiteDay, until: number, { kept }: CompactionLimits): Steps {
  const own = { ...siteDay, importId: null };
  const last = Math.min(until, findNewestId(db) - kept, findLastId(db, own) - 1);
  while (db.write(() => removeHitsUntil(db, own, last, ROWS_PER_TRANSACTION)) === ROWS_PER_TRANSACTION) yield;
}
