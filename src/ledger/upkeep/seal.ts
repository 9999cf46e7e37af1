// Seals an open day. A thread reads and packs the day, slice by slice. The main thread stores the slices, and then
// makes them visible to queries.
//
// Invariant: a sealed day is shown only if no hit has arrived since the open day was read. If a hit has arrived, the
// day stays open.
//
// Example: a day of 2.5 million hits is stored in ten shards. A slice should have at most about 1,000,000 hits, so the
// day becomes three slices of about 833,000 hits. work/tasks.ts calls `beginSeal` in a thread. work/compact-and-seal.ts
// calls `stage` and `showSealed`, and imports.ts calls only `stage`.
import { isDeepStrictEqual } from 'node:util';
import { addStaged, isStaged, markDayGone, markReopenedGone, showDay } from '../../catalog/day-states.ts';
import { listOpenImports } from '../../catalog/imports.ts';
import { isSealed, type SiteDay } from '../../catalog/sealed-days.ts';
import type { Steps } from '../../lib/steps.ts';
import type { Db } from '../../store/db.ts';
import { findFirstHits } from '../../store/sites/changes.ts';
import { hasSite } from '../../store/sites/sites.ts';
import { addBlob, writeInSteps } from '../column/blobs.ts';
import { withTotals } from '../count/totals.ts';
import type { Day } from '../day/day.ts';
import { sessionize } from '../day/sessionize.ts';
import { gatherVisits } from '../day/take-visits.ts';
import { beginOpenDay, readShards, takeRows } from '../open/open-day.ts';
import {
  beginOpen,
  findNextSlice,
  listReopenedSlices,
  listSourcesNow,
  listVisibleShards,
  type OpenRows,
  type RowSource,
  readOn,
} from '../open/row-sources.ts';
import { markShardsGone, type ShardRow } from '../open/shard-table.ts';
import { removeHits } from '../rows/hits.ts';
import { readTexts } from '../rows/terms.ts';
import { type PackedDay, packDay } from '../sealed/packed-day.ts';
import { orderVisitors } from './seal-order.ts';

/**
 * Reads an open day, to seal it in slices of about `hitsPerSlice` hits. Visitor codes are not stored. Visitors are
 * sorted by their first hits. If they were sorted by code, their order would roughly reveal the codes.
 */
export const beginSeal = (db: Db, siteDay: SiteDay, hitsPerSlice: number): BegunSeal =>
  db.read(() => {
    const { shards, open } = beginOpen(db, siteDay);
    readOn(db, siteDay.day, open);
    const ids = shards.map(({ id }) => id).join();
    const { slices, takeVisits } =
      shards.length > 0 ? splitSlices(db, siteDay, shards, open, hitsPerSlice) : takeWhole(siteDay, open);
    const first = findNextSlice(open.sources);
    const texts = readTexts(db, siteDay.siteId);
    return {
      sealing: { ids, sources: open.sources, slices },
      next: (slice) => packDay(takeVisits(slice), first + slice, texts),
    };
  });

/**
 * Writes packed days in short transactions, so that hits can be stored in between. Queries do not see these days until
 * the caller shows them.
 */
export function* stage(
  db: Db,
  siteId: number,
  days: Iterable<PackedDay>,
  { importId = null, now }: { importId?: number | null; now: number },
): Steps<number[]> {
  const ids: number[] = [];
  function* writes() {
    for (const { day, slice, totals, unknown, blobs, rollups } of days) {
      let id = 0;
      const begin = (): void => {
        id = addStaged(db, { siteId, day, slice, importId, hasHits: blobs.length > 0, totals, unknown, now });
        ids.push(id);
      };
      yield { bytes: 0, write: begin };
      for (const [table, all] of [
        ['sealed_blob', blobs],
        ['rollup', rollups],
      ] as const) {
        for (const blob of all) {
          yield { bytes: blob.data.byteLength, write: () => addBlob(db, table, id, blob) };
        }
      }
    }
  }
  yield* writeInSteps(db, writes());
  return ids;
}

/**
 * Shows the slices of a sealed day in one transaction. Returns false if they may not be shown, for example because a
 * hit arrived after the day was read. The sweep then deletes the slices, and the day is sealed the next night. Also
 * returns false for a day with only heartbeats. The rows of such a day are deleted here.
 */
export function showSealed(
  db: Db,
  { siteId, day }: SiteDay,
  { ids, sources }: Sealing,
  staged: readonly number[],
): boolean {
  return db.write(() => {
    const now = listSourcesNow(db, siteId, day);
    const shards = listVisibleShards(db, { siteId, day }, now).map(({ id }) => id);
    const isUnchanged = shards.join() === ids && isDeepStrictEqual(now, sources);
    // Some staged slices may already be deleted, because a sweep deletes slices that stay staged for a day. This
    // happens if the machine slept meanwhile.
    const isWhole = staged.every((id) => isStaged(db, id));
    const maySeal = isUnchanged && isWhole && !isSealed(db, siteId, day) && hasSite(db, siteId);
    const reopened = listReopenedSlices(sources);
    const shown = [...reopened.map(({ id }) => id), ...staged];
    const since =
      reopened.length > 0 ? Math.max(...reopened.map(({ reopenedBy }) => reopenedBy)) : findFirstHits(db, siteId, day);
    for (const id of maySeal ? shown : []) showDay(db, id, since);
    // Slices that are still in the state `reopened` were replaced by an import. These slices are marked as gone here.
    // Otherwise, a late hit could make these slices count again.
    if (maySeal) markReopenedGone(db, siteId, day);
    for (const id of maySeal ? [] : staged) markDayGone(db, id);
    if (maySeal) markShardsGone(db, { siteId, day });
    if (maySeal && shown.length === 0) removeAll(db, { siteId, day });
    return maySeal && shown.length > 0;
  });
}

/**
 * Deletes all rows of a day that has no visits, for example because it has only heartbeats. Such a day cannot become a
 * sealed day. If its rows stayed, the day would stay open forever.
 */
function removeAll(db: Db, { siteId, day }: SiteDay): void {
  const imports = listOpenImports(db, siteId, day, day + 1);
  for (const importId of [null, ...imports.map(({ id }) => id)]) {
    removeHits(db, { siteId, importId, day }, Number.MAX_SAFE_INTEGER);
  }
}

/**
 * What was read to seal a day. `ids` has the ids of its shards. `sources` has the sources of all other rows: the live
 * hits, and each import. Each source has the id of the last row that was read. If this id differs later, a hit has
 * arrived meanwhile. `slices` is the number of slices to write.
 */
export type Sealing = { ids: string; sources: RowSource[]; slices: number };

/** A day that is being sealed. `next` packs the slice with the given number, beginning with 0. */
type BegunSeal = { sealing: Sealing; next: (slice: number) => PackedDay };

type Slices = { slices: number; takeVisits(slice: number): Day };

/**
 * Seals a small day as one slice. `sessionize` sorts the visitors by the time of their first hits. This is twice as
 * fast as sorting the visits afterwards.
 */
function takeWhole({ day }: SiteDay, { rows }: OpenRows): Slices {
  const visits = sessionize(day, rows, 'time');
  return { slices: visits.totals.visits === 0 ? 0 : 1, takeVisits: () => visits };
}

/** Seals a large day as several slices of about equal size, to limit the memory. */
function splitSlices(
  db: Db,
  { day }: SiteDay,
  shards: readonly ShardRow[],
  open: OpenRows,
  hitsPerSlice: number,
): Slices {
  const openDay = beginOpenDay(db, day, shards);
  takeRows(openDay, open);
  const views = readShards(openDay);
  const visitors = orderVisitors(views);
  const hits = views.reduce((sum, { totals: { pageviews, events } }) => sum + pageviews + events, 0);
  const slices = Math.ceil(hits / hitsPerSlice);
  const at = (slice: number): number => Math.floor((visitors.count * slice) / slices);
  return {
    slices,
    takeVisits: (slice) => withTotals(gatherVisits(day, views, visitors.takeVisits(at(slice), at(slice + 1)))),
  };
}
