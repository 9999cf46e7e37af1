// Finds and reads the rows of an open day that are not in a shard. A day has one source for live hits, and one source
// for each import.
//
// Invariant: each visible hit is in exactly one place: a shard, a sealed slice, or these rows.
//
// Example: the shards of a day have the first 100,000 rows. A query reads the rows 100,001 to 100,350 from the table
// `hit`, and they are kept in memory. So the next query reads only from row 100,351 on. When compaction has written the
// 350 rows into shards, the next query removes them from memory. Queries, compaction and sealing call this file.
import { listReopened, type ReopenedDay } from '../../catalog/day-states.ts';
import { findImport, listOpenImports } from '../../catalog/imports.ts';
import { isSealed, type SiteDay } from '../../catalog/sealed-days.ts';
import { emptyRows, type ImportedRows } from '../../engine/import-content.ts';
import type { Db } from '../../store/db.ts';
import { makeDayFinder } from '../../store/sites/zones.ts';
import { appendLists, dropFirst, type HitList } from '../rows/hit-lists.ts';
import { findFirstHitDay, findLastId, hasHit, hasMoreHits, listHitDays, listHits, type Origin } from '../rows/hits.ts';
import { findCompacted, listShards, type ShardRow } from './shard-table.ts';

/**
 * The live hits of a day, or the hits of one import. The source has the rows with ids above `after`. Rows up to the id
 * `last` are in shards, or were already read. `reopened` has slices that were sealed before the day was reopened.
 * `isReplaced` is true for live hits if an import replaces the earlier data of the day. Queries then see neither the
 * slices and shards of the day, nor hits with ids up to `after`.
 */
export type RowSource = Origin & { isReplaced: boolean; reopened: ReopenedDay[]; after: number; last: number };

/**
 * Rows that were read from the table `hit`. The earlier rows of the day are left out, because they are in shards.
 * `first` is the number of these earlier rows.
 */
export type OpenRows = { rows: ImportedRows; first: number; sources: RowSource[] };

/**
 * Lists the sources of an open day. An import that replaces data hides earlier imports, shards and sealed slices. The
 * import also replaces the live hits with ids up to its `voidUntil`, so these hits are hidden too.
 */
export function listSources(db: Db, siteId: number, day: number): RowSource[] {
  const imports = listOpenImports(db, siteId, day, day + 1);
  const latestReplacing = imports.findLastIndex(({ voidUntil }) => voidUntil !== null);
  const { voidUntil } = imports[latestReplacing] ?? {};
  const isReplaced = voidUntil !== undefined;
  const reopened = isReplaced ? [] : listReopened(db, siteId, day);
  const after = voidUntil ?? Math.max(0, ...reopened.map((row) => row.after));
  const visible = imports
    .slice(Math.max(latestReplacing, 0))
    .map(({ id }) => ({ siteId, importId: id, isReplaced: false, reopened: [], after: 0, last: 0 }));
  const last = isReplaced ? after : Math.max(after, findCompacted(db, { siteId, day }).until);
  return [{ siteId, importId: null, isReplaced, reopened, after, last }, ...visible];
}

/** Lists the shards that queries count. The list is empty if an import replaces the data of the day. */
export const listVisibleShards = (db: Db, siteDay: SiteDay, [own]: readonly RowSource[]): ShardRow[] =>
  own?.isReplaced ? [] : listShards(db, siteDay);

/**
 * Returns how many rows of the day are in shards. During a compaction, some shards are ahead of others. For example,
 * one shard has its visitors' rows among the first 150,000 rows of the day. Another shard has its visitors' rows only
 * among the first 100,000. The result is then 100,000.
 */
export const countCompacted = (shards: readonly ShardRow[]): number =>
  shards.reduce((least, { count }) => Math.min(least, count), shards[0]?.count ?? 0);

export const hasShards = (db: Db, siteDay: SiteDay): boolean =>
  listVisibleShards(db, siteDay, listSources(db, siteDay.siteId, siteDay.day)).length > 0;

/**
 * Returns the sealed slices of a reopened day. Slices have no visitor codes, so a new hit always counts as another
 * visitor. For this reason, the counts of slices and new hits can be added up.
 */
export const listReopenedSlices = ([own]: readonly RowSource[]): ReopenedDay[] => own?.reopened ?? [];

/**
 * Returns a text that identifies the sealed slices of an open day. If the text has changed since rows were read into
 * memory, a slice may now have some of these rows. They would count twice, so the day must be read again.
 */
export const nameSealedSlices = (sources: readonly RowSource[]): string =>
  [sources[0]?.after, ...listReopenedSlices(sources).map(({ id }) => id)].join();

/**
 * Returns the number of the next slice. For example, a reopened day that was sealed as the slices 0 and 1 gets slice 2.
 */
export const findNextSlice = (sources: readonly RowSource[]): number =>
  1 + Math.max(-1, ...listReopenedSlices(sources).map(({ slice }) => slice));

function readNew(db: Db, day: number, source: RowSource): HitList[] {
  const lists = [...listHits(db, { ...source, day }, source.last)].flat();
  source.last = lists.at(-1)?.[0] ?? source.last;
  return lists;
}

/**
 * Returns the rows of an earlier query, without the rows that are in shards by now. Returns undefined if the day must
 * be read again from its first row. A day with imports is always read again.
 */
function continueRead(db: Db, sources: RowSource[], first: number, before: OpenRows | undefined): OpenRows | undefined {
  if (!before || before.sources.length > 1 || sources.length > 1) return undefined;
  const isSame = nameSealedSlices(before.sources) === nameSealedSlices(sources) && before.first <= first;
  const inShards = first - before.first;
  if (!isSame || before.rows.count < inShards) return undefined;
  // The rows in memory may have been deleted from the file. This happens if the day was sealed, then an import replaced
  // it, and then the import was removed. The rows in memory then no longer count, so the day must be read again.
  const last = before.rows.count > inShards ? before.sources[0]?.last : undefined;
  if (last !== undefined && !hasHit(db, last)) return undefined;
  return inShards === 0 ? before : { ...before, first, rows: dropFirst(before.rows, inShards) };
}

/**
 * Begins to read an open day. `before` has the rows that an earlier query read. In the result, `isKnown` is true if
 * these rows are used again. The caller then reads only new rows.
 */
export function beginOpen(db: Db, { siteId, day }: SiteDay, before?: OpenRows) {
  const sources = listSources(db, siteId, day);
  const shards = listVisibleShards(db, { siteId, day }, sources);
  const first = countCompacted(shards);
  const known = continueRead(db, sources, first, before);
  return { shards, isKnown: known !== undefined, open: known ?? { rows: emptyRows(256), first, sources } };
}

/**
 * True if at least `most` rows wait for compaction. A query of the day is then refused, because the rows would take too
 * much memory. Returns false for a day with imports, because imported rows are not compacted.
 */
export function isCompactionBehind(db: Db, day: number, { rows, sources }: OpenRows, most: number): boolean {
  const [own, ...imports] = sources;
  if (!own || imports.length > 0 || most === Number.POSITIVE_INFINITY) return false;
  return hasMoreHits(db, { ...own, day }, own.last, Math.max(1, most - rows.count));
}

/**
 * Reads new rows into `open.rows`, until this list has `most` rows. A day with imports is read as a whole. Its imported
 * rows come after all live rows, so later live rows could not be added at the end. `checkpoint` may throw to stop the
 * query, and the next call continues.
 */
export function readOn(
  db: Db,
  day: number,
  open: OpenRows,
  { checkpoint = () => {}, most = Number.POSITIVE_INFINITY } = {},
): void {
  const [own, ...imports] = open.sources;
  if (own && imports.length === 0) {
    const portions = open.rows.count < most ? listHits(db, { ...own, day }, own.last) : [];
    for (const lists of portions) {
      const some = lists.slice(0, most - open.rows.count);
      open.rows = appendLists(open.rows, some);
      own.last = some.at(-1)?.[0] ?? own.last;
      if (open.rows.count === most) return;
      checkpoint();
    }
    return;
  }
  // Live rows must come before imported rows. Only live rows are in shards, and the `count` of a shard refers to the
  // first rows of the day.
  for (const source of open.sources) open.rows = appendLists(open.rows, readNew(db, day, source));
}

/**
 * Lists the row sources of a day (live hits and each import), each with the id of its latest row. If two results are
 * equal, no row arrived between the two calls.
 */
export const listSourcesNow = (db: Db, siteId: number, day: number): RowSource[] =>
  listSources(db, siteId, day).map((source) => ({
    ...source,
    last: Math.max(source.last, findLastId(db, { ...source, day })),
  }));

/** Lists the open days with rows, from day `from` on, and before day `to`. */
export function listOpenDays(db: Db, siteId: number, from: number, to: number): number[] {
  const imports = listOpenImports(db, siteId, from, to);
  const days = new Set<number>();
  for (const importId of [null, ...imports.map(({ id }) => id)]) {
    for (let day: number | undefined = from; ; day++) {
      day = findFirstHitDay(db, { siteId, importId }, day, to);
      if (day === undefined) break;
      if (!isSealed(db, siteId, day)) days.add(day);
    }
  }
  return [...days].sort((a, b) => a - b);
}

export function listDue(db: Db, now: number): SiteDay[] {
  const due = new Map<string, SiteDay>();
  const findToday = makeDayFinder(db, now);
  for (const { siteId, importId, day } of listHitDays(db)) {
    const today = findToday(siteId);
    if (today === undefined || day >= today || isSealed(db, siteId, day)) continue;
    const isVisible = importId === null || findImport(db, siteId, importId)?.state === 'shown';
    if (isVisible) due.set(`${siteId} ${day}`, { siteId, day });
  }
  return [...due.values()];
}
