// Sealing turns an open day, which takes hits, into a sealed day, which is packed for good. A thread reads and packs
// the day, slice by slice. The process that writes stores the slices and shows them.
// Invariant: a sealed day is shown only if no hit has come since the open day was read. Otherwise the day stays open.
//
// Example: a day of 2.5 million hits is stored in ten shards (parts by visitor code). A slice should have at most about
// 1,000,000 hits, so the day becomes three slices of about 833,000 hits. A day without shards becomes one slice.
// Called by work/compact-and-seal.ts; imports.ts calls only `stage`.
import { isDeepStrictEqual } from 'node:util';
import { addStaged, markDayGone, showDay } from '../../catalog/day-states.ts';
import { isSealed, type SiteDay } from '../../catalog/sealed-days.ts';
import type { Steps } from '../../lib/steps.ts';
import type { Db } from '../../store/db.ts';
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
  type OpenRows,
  type RowSource,
  readOn,
} from '../open/row-sources.ts';
import { listShards, markShardsGone, type ShardRow } from '../open/shard-table.ts';
import { removeHits } from '../rows/hits.ts';
import { type PackedDay, packDay } from '../sealed/packed-day.ts';
import { orderVisitors } from './seal-order.ts';

/**
 * Reads an open day, which will be sealed in slices of about `hitsPerSlice` hits. Visitor codes, which are made from IP
 * addresses, are not stored. Visitors are stored in the order of their first hits. An order by code could reveal
 * something about the codes.
 */
export const beginSeal = (db: Db, siteDay: SiteDay, hitsPerSlice: number): BegunSeal =>
  db.read(() => {
    const { shards, open } = beginOpen(db, siteDay);
    readOn(db, siteDay.day, open);
    const ids = shards.map(({ id }) => id).join();
    const { slices, takeVisits } =
      shards.length > 0 ? splitSlices(db, siteDay, shards, open, hitsPerSlice) : takeWhole(siteDay, open);
    const first = findNextSlice(open.sources);
    return {
      sealing: { ids, sources: open.sources, slices },
      next: (slice) => packDay(takeVisits(slice), first + slice),
    };
  });

/**
 * Writes packed days in short transactions, so that hits can be written in between. Queries do not see these days yet.
 * Returns the ids of the days.
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
 * Shows the slices (parts) of a sealed day in one short transaction. If a hit came after the day was read, or if
 * another process changed the day, returns false. Then `sweep` deletes the slices later, and the day is sealed the next
 * night. A day without visits has only heartbeats (a page is still visible), which are deleted.
 */
export function showSealed(
  db: Db,
  { siteId, day }: SiteDay,
  { ids, sources }: Sealing,
  staged: readonly number[],
): boolean {
  return db.write(() => {
    const shards = listShards(db, { siteId, day }).map(({ id }) => id);
    const isUnchanged = shards.join() === ids && isDeepStrictEqual(listSourcesNow(db, siteId, day), sources);
    const maySeal = isUnchanged && !isSealed(db, siteId, day) && hasSite(db, siteId);
    const shown = [...listReopenedSlices(sources).map(({ id }) => id), ...staged];
    for (const id of maySeal ? shown : []) showDay(db, id);
    for (const id of maySeal ? [] : staged) markDayGone(db, id);
    if (maySeal) markShardsGone(db, { siteId, day });
    if (maySeal && shown.length === 0) removeHits(db, { siteId, importId: null, day }, Number.MAX_SAFE_INTEGER);
    return maySeal && shown.length > 0;
  });
}

/**
 * What was read to seal a day: the ids of its shards (stored parts), and the sources of its other rows. Before the
 * sealed day is shown, both are compared, so that a hit that came meanwhile is noticed. `slices` is the number of parts
 * of the sealed day.
 */
export type Sealing = { ids: string; sources: RowSource[]; slices: number };

/** A day that is being sealed. `next` packs the slice (part of the day) with the given number, starting at 0. */
type BegunSeal = { sealing: Sealing; next: (slice: number) => PackedDay };

type Slices = { slices: number; takeVisits(slice: number): Day };

/**
 * Seals a small day, whose rows are all in memory, as one slice. Visits are formed in the order of time. Forming them
 * by visitor code and sorting them afterwards would take twice as long.
 */
function takeWhole({ day }: SiteDay, { rows }: OpenRows): Slices {
  const visits = sessionize(day, rows, 'time');
  return { slices: visits.totals.visits === 0 ? 0 : 1, takeVisits: () => visits };
}

/**
 * Seals a large day, which is stored in shards (parts by visitor code), as several slices of about equal size. Packing
 * slice by slice limits the memory.
 */
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
