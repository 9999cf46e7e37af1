// Finds and reads the rows of an open day that are in no shard. A shard has some visitors of the day with all their
// hits. A day has one source for the hits that were collected, and one source for each import of that day.
// Invariant: each visible hit is in one place only: in a shard, in these rows, or in a slice, a part of the day that
// was sealed earlier.
//
// Example: the shards of a day have the first 100,000 rows. A query reads rows 100,001 to 100,350 from the table `hit`.
// The next query begins at row 100,351. When compaction has written the 350 rows into shards, the rows are dropped from
// memory.
// open-day-cache.ts, compaction.ts, upkeep/seal.ts and work/tasks.ts call this file.
import { listReopened, type ReopenedDay } from '../../catalog/day-states.ts';
import { findImport, listOpenImports } from '../../catalog/imports.ts';
import { isSealed, type SiteDay } from '../../catalog/sealed-days.ts';
import { emptyRows, type ImportedRows } from '../../engine/import-content.ts';
import type { Db } from '../../store/db.ts';
import { makeDayFinder } from '../../store/sites/zones.ts';
import {
  appendLists,
  dropFirst,
  findFirstHitDay,
  findLastId,
  type HitList,
  hasMoreHits,
  listHitDays,
  listHits,
  type Origin,
} from '../rows/hits.ts';
import { findCompacted, listShards, type ShardRow } from './shard-table.ts';

/**
 * A source of rows: the collected hits of a day, or the hits of one import. The source has the rows with ids above
 * `after`. Rows up to the id `last` were read. `reopened` has the slices of the day that were sealed earlier. If
 * `isReplaced` is true, an import hides these slices, compacted rows, and hits with ids up to `after`.
 */
export type RowSource = Origin & { isReplaced: boolean; reopened: ReopenedDay[]; after: number; last: number };

/**
 * The rows of an open day that were read from the table `hit`. The day's first `first` rows are left out. All shards
 * (each has some visitors of the day) have those rows already.
 */
export type OpenRows = { rows: ImportedRows; first: number; sources: RowSource[] };

/**
 * Lists the sources of an open day's rows: collected hits and imports. An import that replaces data hides earlier
 * imports and everything packed before. Collected hits with ids up to the import's `voidUntil` are hidden too. Rows
 * that compaction has packed are not read again.
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

/**
 * Lists the shards that queries count. A shard has some visitors of a day with all their hits. The list is empty if an
 * import replaces the data of the day, because then no older hit counts.
 */
export const listVisibleShards = (db: Db, siteDay: SiteDay, [own]: readonly RowSource[]): ShardRow[] =>
  own?.isReplaced ? [] : listShards(db, siteDay);

/**
 * The rows of a day are numbered as they arrive. A shard (some visitors of the day) has taken in the rows up to a number,
 * its `count`. While shards are being written again, some have come further than others. So the smallest number is
 * returned, and reading goes on from that row.
 */
export const countCompacted = (shards: readonly ShardRow[]): number =>
  shards.reduce((least, { count }) => Math.min(least, count), shards[0]?.count ?? 0);

export const hasShards = (db: Db, siteDay: SiteDay): boolean =>
  listVisibleShards(db, siteDay, listSources(db, siteDay.siteId, siteDay.day)).length > 0;

/**
 * Returns the slices (packed hits) of a day that was sealed and then opened again. Slices have no visitor codes any
 * more, so a new hit always counts as another visitor. So the counts of slices and of new hits can be added.
 */
export const listReopenedSlices = ([own]: readonly RowSource[]): ReopenedDay[] => own?.reopened ?? [];

/**
 * Returns a text that identifies the slices, the packed hits, of a day that was sealed and opened again. If the text
 * changes, rows in memory may be in a slice now. Then the day must be read again. Otherwise these rows would count
 * twice.
 */
export const nameSealedSlices = (sources: readonly RowSource[]): string =>
  [sources[0]?.after, ...listReopenedSlices(sources).map(({ id }) => id)].join();

/**
 * Sealing packs the hits of a day into slices. Returns the first free slice number, for the next sealing. A day that
 * was sealed as slices 0 and 1 and opened again gets slice 2.
 */
export const findNextSlice = (sources: readonly RowSource[]): number =>
  1 + Math.max(-1, ...listReopenedSlices(sources).map(({ slice }) => slice));

function readNew(db: Db, day: number, source: RowSource): HitList[] {
  const lists = [...listHits(db, { ...source, day }, source.last)].flat();
  source.last = lists.at(-1)?.[0] ?? source.last;
  return lists;
}

/**
 * Returns the rows of an earlier read, without rows that compaction has packed since. Returns undefined if the day must
 * be read again from its first row, for example because it was sealed meanwhile. A day with imports is always read
 * again.
 */
function continueRead(sources: RowSource[], first: number, before: OpenRows | undefined): OpenRows | undefined {
  if (!before || before.sources.length > 1 || sources.length > 1) return undefined;
  const isSame = nameSealedSlices(before.sources) === nameSealedSlices(sources) && before.first <= first;
  const inShards = first - before.first;
  if (!isSame || before.rows.count < inShards) return undefined;
  return inShards === 0 ? before : { ...before, first, rows: dropFirst(before.rows, inShards) };
}

/**
 * Begins to read an open day. `before` is an earlier read of the day. If its rows can be used again, `isKnown` in the
 * result is true. Then only new rows must be read.
 */
export function beginOpen(db: Db, { siteId, day }: SiteDay, before?: OpenRows) {
  const sources = listSources(db, siteId, day);
  const shards = listVisibleShards(db, { siteId, day }, sources);
  const first = countCompacted(shards);
  const known = continueRead(sources, first, before);
  return { shards, isKnown: known !== undefined, open: known ?? { rows: emptyRows(256), first, sources } };
}

/**
 * Returns whether at least `most` rows of a day are not packed by compaction yet. Then a query of the day is refused
 * until compaction catches up. Otherwise a reading thread could hold any number of rows in memory. For a day with
 * imports this is false, because imported rows are not compacted.
 */
export function isCompactionBehind(db: Db, day: number, { rows, sources }: OpenRows, most: number): boolean {
  const [own, ...imports] = sources;
  if (!own || imports.length > 0 || most === Number.POSITIVE_INFINITY) return false;
  return hasMoreHits(db, { ...own, day }, own.last, Math.max(1, most - rows.count));
}

/**
 * Reads new rows of an open day into `open.rows`, until this list has `most` rows. A day with imports is read whole,
 * because rows of several sources must be sorted together. `checkpoint` is called after each portion, and throws to
 * stop the query. The next call then continues with the next portion.
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
  // The first number of each list is the row's id. Ids ascend in the order of arrival, so this sorts the rows of all
  // sources by arrival.
  const lists = open.sources.flatMap((source) => readNew(db, day, source)).sort(([a = 0], [b = 0]) => a - b);
  open.rows = appendLists(open.rows, lists);
}

/**
 * Lists the sources of a day's rows, each with the id of its latest row. If the result equals that of an earlier call,
 * no row came meanwhile.
 */
export const listSourcesNow = (db: Db, siteId: number, day: number): RowSource[] =>
  listSources(db, siteId, day).map((source) => ({
    ...source,
    last: Math.max(source.last, findLastId(db, { ...source, day })),
  }));

/** Lists the open days with rows, from day `from` up to, but not including, day `to`. */
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
