import { listReopened, type ReopenedDay } from '../../catalog/day-states.ts';
import { findImport, listOpenImports } from '../../catalog/imports.ts';
import { isSealed, type SiteDay } from '../../catalog/sealed-days.ts';
import { emptyRows, type Rows } from '../../engine/import-content.ts';
import type { Db } from '../../store/db.ts';
import { daysOfSites } from '../../store/sites/zones.ts';
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
 * The hits of one origin with ids above `after`, of which those up to `last` have been read. Beside them stands what the day had
 * when it was sealed, if it was opened again. `isReplaced` if an import replaces all of that, and all parts.
 */
export type Source = Origin & { isReplaced: boolean; reopened: ReopenedDay[]; after: number; last: number };

/** The rows of an open day that have been read and are not in all of its parts. Before them, `first` rows of the day are. */
export type OpenRows = { rows: Rows; first: number; sources: Source[] };

/**
 * The sources of an open day. A replacing import hides earlier imports, the collected hits up to its `voidUntil`, which are all
 * hits in parts, and what the day had if it was opened again. Hits in parts are not read again.
 */
export function listSources(db: Db, siteId: number, day: number): Source[] {
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

/** The parts of an open day that count. */
export const listVisibleShards = (db: Db, siteDay: SiteDay, [own]: readonly Source[]): ShardRow[] =>
  own?.isReplaced ? [] : listShards(db, siteDay);

/** How many rows of a day are in all of its parts; a round puts the others into one part after the other. */
export const countCompacted = (parts: readonly ShardRow[]): number =>
  parts.reduce((least, { count }) => Math.min(least, count), parts[0]?.count ?? 0);

export const hasShards = (db: Db, siteDay: SiteDay): boolean =>
  listVisibleShards(db, siteDay, listSources(db, siteDay.siteId, siteDay.day)).length > 0;

/** What an open day had when it was sealed. Its visitors are others than those of the hits, so that both add up. */
export const reopenedIn = ([own]: readonly Source[]): ReopenedDay[] => own?.reopened ?? [];

/** Names what was sealed of an open day. Rows that were read while it was another may have been sealed since, and not be there twice. */
export const sealedIn = (sources: readonly Source[]): string =>
  [sources[0]?.after, ...reopenedIn(sources).map(({ id }) => id)].join();

/** The number of the first part that an open day gets when it is sealed; those that it has had keep theirs. */
export const nextPart = (sources: readonly Source[]): number =>
  1 + Math.max(-1, ...reopenedIn(sources).map(({ part }) => part));

/** Reads the new rows of a source, and advances its `last`. */
function readNew(db: Db, day: number, source: Source): HitList[] {
  const lists = [...listHits(db, { ...source, day }, source.last)].flat();
  source.last = lists.at(-1)?.[0] ?? source.last;
  return lists;
}

/**
 * What was read before of an open day, without what is in parts now; nothing, if that cannot be continued. A day with imports is
 * always read anew.
 */
function continued(sources: Source[], first: number, before: OpenRows | undefined): OpenRows | undefined {
  if (!before || before.sources.length > 1 || sources.length > 1) return undefined;
  const isSame = sealedIn(before.sources) === sealedIn(sources) && before.first <= first;
  const inParts = first - before.first;
  if (!isSame || before.rows.count < inParts) return undefined;
  return inParts === 0 ? before : { ...before, first, rows: dropFirst(before.rows, inParts) };
}

/** Begins to read the rows of an open day that are not in its parts. */
export function beginOpen(db: Db, { siteId, day }: SiteDay, before?: OpenRows) {
  const sources = listSources(db, siteId, day);
  const parts = listVisibleShards(db, { siteId, day }, sources);
  const first = countCompacted(parts);
  const known = continued(sources, first, before);
  return { parts, isKnown: known !== undefined, open: known ?? { rows: emptyRows(256), first, sources } };
}

/** True if so many rows of an open day, or more, are in no part but will be: those of imports, and beside them, may not. */
export function isFoldingBehind(db: Db, day: number, { rows, sources }: OpenRows, most: number): boolean {
  const [own, ...imports] = sources;
  if (!own || imports.length > 0 || most === Number.POSITIVE_INFINITY) return false;
  return hasMoreHits(db, { ...own, day }, own.last, Math.max(1, most - rows.count));
}

/**
 * Reads new rows of an open day, up to `most` of one without imports. `checkpoint`, after each portion, may throw: the next call then goes
 * on from there.
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
  // Ids are in the order of arrival.
  const lists = open.sources.flatMap((source) => readNew(db, day, source)).sort(([a = 0], [b = 0]) => a - b);
  open.rows = appendLists(open.rows, lists);
}

/** The sources with the ids of their latest hits. Equal to the sources of a read if no hit came since. */
export const sourcesNow = (db: Db, siteId: number, day: number): Source[] =>
  listSources(db, siteId, day).map((source) => ({
    ...source,
    last: Math.max(source.last, findLastId(db, { ...source, day })),
  }));

/** The open days with rows, from `from` to before `to`. */
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

/** The open days that are over at an instant, and due to be sealed. */
export function listDue(db: Db, now: number): SiteDay[] {
  const due = new Map<string, SiteDay>();
  const todayOf = daysOfSites(db, now);
  for (const { siteId, importId, day } of listHitDays(db)) {
    const today = todayOf(siteId);
    if (today === undefined || day >= today || isSealed(db, siteId, day)) continue;
    const isVisible = importId === null || findImport(db, siteId, importId)?.state === 'shown';
    if (isVisible) due.set(`${siteId} ${day}`, { siteId, day });
  }
  return [...due.values()];
}
