// Writes what came to a large open day into its shards, one after the other, so that no query reads more than some 100,000 rows.
// Invariant: a query sees a shard before its step or after it, with the number of rows that each knows; no hit counts twice.
//
// Example: a day with 2 shards has 100,000 rows that are in neither. The first step writes shard 1 with its 50,000 again, and shows it
// in the place of the old one. The second does so for shard 2. Then the rows are deleted. A shard of 500,000 hits becomes two.
// Called in threads by work/tasks.ts, and in the writing process by work/compact-and-seal.ts.
import { isSealed, type SiteDay } from '../../catalog/sealed-days.ts';
import { emptyRows } from '../../engine/import-content.ts';
import type { Steps } from '../../lib/steps.ts';
import type { Db } from '../../store/db.ts';
import { siteExists } from '../../store/sites/sites.ts';
import { addBlob, writeInSteps } from '../column/blobs.ts';
import type { Column, ShardColumn } from '../column/column.ts';
import { free } from '../column/packing.ts';
import { ALL_VISITORS, emptyShard, listVisitorRanges, takeShardRows } from '../day/shard.ts';
import { findLastId, findNewestId, hasMoreHits, listHitDays, removeHitsUntil } from '../rows/hits.ts';
import { addRows, applyDelta, beginDelta } from './delta.ts';
import { scratchOf } from './merge-columns.ts';
import { countCompacted, listSources, listVisibleShards, type OpenRows, readOn, sealedIn } from './row-sources.ts';
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
import { type NewShard, written } from './split-shard.ts';

/** When rows of an open day become parts, and how large these are. Tests use small ones. */
export type Limits = {
  /** With so many rows that are in no part the day gets a round. */
  rows: number;
  /** A part with twice as many hits is split, so that a round never holds more than a few megabytes. */
  hits: number;
  /** About so many hits are in each part of a sealed day. */
  sealedHits: number;
  /** So many of the latest rows of all days stay, from which a starting server knows who is active. */
  kept: number;
};

export const LIMITS: Limits = { rows: 100_000, hits: 250_000, sealedHits: 1_000_000, kept: 100_000 };

/**
 * A round takes up to so many times the rows with which it is due, because it writes all parts again: six million rows took 81 s with
 * 2, 47 s with 5, and with 10 as long and 100 MB more.
 */
const ROUND = 5;

/** So many rows a round takes at most. */
const mostOf = ({ rows }: Limits): number => rows * ROUND;

export const ROWS_OF_ROUND = mostOf(LIMITS);

/**
 * Up to where a round puts rows into parts, and what was sealed of the day, which must be the same until its end. If it is full, more
 * rows may wait.
 */
export type Compaction = Until & { sealed: string; isFull: boolean };

/** Shard of a round: one part, which may be new, and what takes its place with the rows that came to it until then. */
export type CompactionStep = Until & { replaced: number | undefined; parts: NewShard[] };

/** True if so many hits came to an open day that they should be put into parts. */
export function needsCompaction(db: Db, { siteId, day }: SiteDay, { rows }: Limits): boolean {
  const [own] = listSources(db, siteId, day);
  // Hits that an import hides come back when it is removed, so that they must not be mixed with later ones.
  return own !== undefined && !own.isReplaced && hasMoreHits(db, { ...own, day }, own.last, rows);
}

export const listCompactable = (db: Db, limits: Limits): SiteDay[] =>
  listHitDays(db).filter(
    ({ siteId, importId, day }) =>
      importId === null && !isSealed(db, siteId, day) && needsCompaction(db, { siteId, day }, limits),
  );

const lastOf = ({ rows, first, sources }: OpenRows): Until => ({
  until: sources[0]?.last ?? 0,
  count: first + rows.count,
});

/** Each step takes what came until then. Otherwise a question would fold for each new part again what came since the round began. */
function* stepsOf(
  db: Db,
  day: number,
  parts: readonly ShardRow[],
  open: OpenRows,
  limits: Limits,
): Generator<CompactionStep> {
  const scratch = scratchOf();
  const ranges = parts.length > 0 ? listVisitorRanges(parts.map(({ from }) => from)) : [ALL_VISITORS];
  for (const [i, range] of ranges.entries()) {
    const row = parts[i];
    const { first } = open;
    readOn(db, day, open, { most: mostOf(limits) });
    // A round before, or one that was interrupted, has put some of them into this part.
    const came = takeShardRows(open.rows, range, { first, since: row?.count ?? first });
    if (came.count === 0) continue;
    const columns = columnsOnce();
    const delta = beginDelta(row ? readShard(db, day, row, columns.read) : emptyShard(day));
    addRows(delta, came);
    const step = {
      ...lastOf(open),
      replaced: row?.id,
      parts: [...written(applyDelta(delta, undefined, scratch), range.from, limits.hits)],
    };
    columns.free();
    yield step;
  }
}

/** Keeps the columns of one part, several of which are needed twice, until they are freed. */
function columnsOnce() {
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

/** Reads what has come to an open day; the steps then put it into parts. Undefined if nothing came, or if an import hides hits. */
export function beginCompaction(
  db: Db,
  siteDay: SiteDay,
  limits: Limits,
): { round: Compaction; steps: Generator<CompactionStep> } | undefined {
  return db.read(() => {
    const sources = listSources(db, siteDay.siteId, siteDay.day);
    const [own] = sources;
    if (!own || own.isReplaced) return undefined;
    const parts = listVisibleShards(db, siteDay, sources);
    const open = { rows: emptyRows(256), first: countCompacted(parts), sources: [own] };
    readOn(db, siteDay.day, open, { most: mostOf(limits) });
    if (open.rows.count === 0) return undefined;
    const round = { ...lastOf(open), sealed: sealedIn(sources), isFull: open.rows.count === mostOf(limits) };
    return { round, steps: stepsOf(db, siteDay.day, parts, open, limits) };
  });
}

/** Writes new parts that are not visible to queries yet, in short transactions. Returns their ids. */
export function* stageShards(db: Db, siteDay: SiteDay, parts: readonly NewShard[], now: number): Steps<number[]> {
  const ids: number[] = [];
  function* writes() {
    for (const { from, totals, blobs } of parts) {
      let id = 0;
      const begin = (): void => {
        id = addShard(db, { ...siteDay, from, totals, now });
        ids.push(id);
      };
      yield { bytes: 0, write: begin };
      for (const blob of blobs) {
        yield { bytes: blob.data.byteLength, write: () => addBlob(db, 'open_piece', id, blob) };
      }
    }
  }
  yield* writeInSteps(db, writes());
  return ids;
}

/** Whether rows of the day may still go into parts: it was not sealed meanwhile, nor its site deleted. */
function mayShow(db: Db, { siteId, day }: SiteDay, { sealed }: Compaction): boolean {
  const sources = listSources(db, siteId, day);
  const isOpen = sources[0]?.isReplaced === false && sealedIn(sources) === sealed;
  return isOpen && !isSealed(db, siteId, day) && siteExists(db, siteId);
}

/**
 * Makes new parts visible in the place of one, in one short transaction, so that only what was counted of this one is counted again.
 * Returns false, and leaves the new parts to `sweep`, if the day may not be changed any more or another process was faster.
 */
export const showShards = (
  db: Db,
  siteDay: SiteDay,
  round: Compaction,
  { replaced, staged, until, count }: Until & { replaced: number | undefined; staged: readonly number[] },
): boolean =>
  db.write(() => {
    const isThere = replaced === undefined ? listShards(db, siteDay).length === 0 : isShownShard(db, replaced);
    const isFree = isThere && mayShow(db, siteDay, round);
    if (isFree && replaced !== undefined) markShardGone(db, replaced);
    for (const id of staged) {
      if (isFree) showShard(db, id, { until, count });
      else markShardGone(db, id);
    }
    return isFree;
  });

/** Call it after the last step: all rows of the round are in parts now. */
export const endCompaction = (db: Db, siteDay: SiteDay, round: Compaction): boolean =>
  db.write(() => {
    if (!mayShow(db, siteDay, round)) return false;
    setCompacted(db, siteDay, round);
    return true;
  });

const ROWS_PER_TRANSACTION = 1_000;

/** Deletes parts that are gone, blob by blob. */
export function* sweepShards(db: Db, stagedBefore: number): Steps {
  for (let id = findDeadShard(db, stagedBefore); id !== undefined; id = findDeadShard(db, stagedBefore)) {
    const dead = id;
    db.write(() => removeFromShard(db, dead));
    yield;
  }
}

/** Deletes rows that are in parts. The latest row of the day stays, by which the day is found. */
export function* sweepCompacted(db: Db, siteDay: SiteDay, until: number, { kept }: Limits): Steps {
  const own = { ...siteDay, importId: null };
  const last = Math.min(until, findNewestId(db) - kept, findLastId(db, own) - 1);
  while (db.write(() => removeHitsUntil(db, own, last, ROWS_PER_TRANSACTION)) === ROWS_PER_TRANSACTION) yield;
}
