// A shard has some visitors of an open day with all their hits. Compaction writes the new rows of a large open day into
// the day's shards, one shard after the other. So a query reads at most about 100,000 rows that are in no shard.
// Invariant: a query sees each shard either before its step or after its step. Each shard says which rows of the day it
// has. So no hit counts twice.
//
// Example: a day with 2 shards has 100,000 rows that are in neither shard. The first step replaces shard 1 by a new
// shard, which also has the 50,000 new rows of its visitors. The second step does the same for shard 2. Then the
// 100,000 rows are deleted. A shard that reaches 500,000 hits becomes two shards.
// work/tasks.ts calls this file in threads. work/compact-and-seal.ts calls this file in the process that writes.
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

export type CompactionLimits = {
  /**
   * A shard has some visitors of a day with all their hits. When at least this number of a day's rows are in no shard,
   * compaction writes these rows into shards.
   */
  rows: number;
  /**
   * A shard (some visitors of a day) is split if each new shard gets at least this number of hits. So a shard is split
   * from twice this number on. Compaction packs one shard at a time, so with small shards a few megabytes of memory are
   * enough.
   */
  hits: number;
  /**
   * A large day is sealed, which means packed into columns, in slices of about this many hits. So sealing needs little
   * memory.
   */
  sealedHits: number;
  /**
   * A server that starts learns from the latest rows of the table `hit` which visitors are active. So compaction leaves
   * this number of rows there, although it has packed them elsewhere. The rows of all sites are counted together.
   */
  kept: number;
};

export const LIMITS: CompactionLimits = { rows: 100_000, hits: 250_000, sealedHits: 1_000_000, kept: 100_000 };

/**
 * A compaction packs at most this number times `limits.rows` new rows of a day. Each compaction also writes the day's
 * older rows again, so fewer and larger compactions are faster. For six million rows, the number 2 took 81 s, and 5
 * took 47 s. The number 10 also took 47 s, and 100 MB more memory.
 */
const MOST_TIMES = 5;

/**
 * Reads the rows of a day that are in no shard yet. A shard has some visitors of the day with all their hits. The
 * returned steps put the rows into shards. Returns undefined if there are no such rows. Also returns undefined if an
 * import has replaced, and so hides, the hits of the day.
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

const countMost = ({ rows }: CompactionLimits): number => rows * MOST_TIMES;

export const MOST_COMPACTED_ROWS = countMost(LIMITS);

/**
 * A compaction that has begun to pack new rows of a day. `until` is the id of the last of these rows. `sealed` names
 * the sealed slices of the day at that time. If the slices change, the day was sealed, and the new shards (packed rows)
 * must not be shown. If `isFull` is true, more rows may wait.
 */
export type Compaction = Until & { sealed: string; isFull: boolean };

/**
 * One step of a compaction, which packs new rows of a day. A shard has some visitors of a day with all their hits. The
 * new shards replace the shard with the id `replaced`, if there is one. The new shards have all rows of the same
 * visitors up to the row id `until`.
 */
export type CompactionStep = Until & { replaced: number | undefined; shards: NewShard[] };

export function needsCompaction(db: Db, { siteId, day }: SiteDay, { rows }: CompactionLimits): boolean {
  const [own] = listSources(db, siteId, day);
  // An import may replace, and so hide, the hits of a day. If the import is removed, these hits become visible again.
  // Hidden hits must not be packed together with later ones. So days with hidden hits are not compacted.
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
 * Makes one step for each shard (some visitors of the day) that gets rows. A step also takes the rows that came after
 * the compaction began. Otherwise each query would have to add these rows to the new shard.
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
    // An earlier compaction may have been interrupted after it wrote this shard, some visitors of the day. Then the
    // shard has some of these rows already. `since` leaves these rows out, so that they do not count twice.
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

/**
 * Keeps the columns of one shard (some visitors of a day) in memory until `free` is called. Compaction reads several
 * columns twice, and reading them from the database file again would take longer.
 */
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
 * Writes new shards, packed hits of some visitors of a day. The transactions are short, so other writers wait only
 * briefly. Returns the ids of the shards. Queries do not see the new shards until `showShards` shows them.
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
 * Returns whether the new shards of a compaction, packed hits of an open day, may be shown. The result is false if the
 * day was sealed, or its site was deleted, since the compaction began. A sealed day has the same hits in its slices, so
 * they would count twice. A deleted site must have no hits.
 */
function mayShow(db: Db, { siteId, day }: SiteDay, { sealed }: Compaction): boolean {
  const sources = listSources(db, siteId, day);
  const isOpen = sources[0]?.isReplaced === false && nameSealedSlices(sources) === sealed;
  return isOpen && !isSealed(db, siteId, day) && hasSite(db, siteId);
}

/**
 * Replaces a shard (packed hits of some visitors of a day) by new shards in one transaction. So queries see either the
 * old shard or the new ones. Returns false if the day may not change any more, or if another process has replaced the
 * shard already. Then `sweepShards` deletes the new shards later.
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

/**
 * Must be called after the last step of a compaction. A shard has some visitors of the day. Notes that all shards have
 * the rows up to the id `until`. Shards without new rows were not written again, so they get the note only here.
 * Returns false if the day was sealed meanwhile.
 */
export const endCompaction = (db: Db, siteDay: SiteDay, compaction: Compaction): boolean =>
  db.write(() => {
    if (!mayShow(db, siteDay, compaction)) return false;
    setCompacted(db, siteDay, compaction);
    return true;
  });

const ROWS_PER_TRANSACTION = 1_000;

/**
 * Deletes shards (packed hits of some visitors of a day) that no query sees any more. A shard is stored as many blobs.
 * Each transaction deletes one blob, so that other writers wait only briefly.
 */
export function* sweepShards(db: Db, stagedBefore: number): Steps {
  for (let id = findDeadShard(db, stagedBefore); id !== undefined; id = findDeadShard(db, stagedBefore)) {
    const dead = id;
    db.write(() => removeFromShard(db, dead));
    yield;
  }
}

/**
 * Deletes rows of an open day that compaction has packed into shards. The latest row of the day stays, because
 * `listHitDays` finds open days by their rows. Without this row, the day would never be sealed. The latest `kept` rows
 * of all sites stay too. A server that starts reads active visitors from them.
 */
export function* sweepCompacted(db: Db, siteDay: SiteDay, until: number, { kept }: CompactionLimits): Steps {
  const own = { ...siteDay, importId: null };
  const last = Math.min(until, findNewestId(db) - kept, findLastId(db, own) - 1);
  while (db.write(() => removeHitsUntil(db, own, last, ROWS_PER_TRANSACTION)) === ROWS_PER_TRANSACTION) yield;
}
