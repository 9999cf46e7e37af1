import { emptyRows } from '../engine.ts';
import type { Db } from '../store/statements.ts';
import type { Day } from './day.ts';
import { appended, type HitList } from './hits.ts';
import { listSources, readNew, type Source, visibleParts } from './open-days.ts';
import type { OpenPart } from './open-parts.ts';
import { firstVisitOf, type Part, type PartRows } from './part.ts';
import { type ReadColumn, readPart } from './part-pieces.ts';
import { addedBy, addRows, type Patch, patched, patchOf } from './patch.ts';
import { type Recent, readRecent } from './recent.ts';
import type { SiteDay } from './sealed-days.ts';
import { scratchOf } from './splice.ts';

type Known = { id: number; patch: Patch; added: Part | undefined; view: Part | undefined; recent: Recent | undefined };

/** What is kept of an open day with parts: each part with the rows that came since, and both together until more come. */
export type LargeDay = {
  ids: string;
  froms: Float64Array;
  patches: Known[];
  sources: Source[];
  /** How many rows of the day have been read, in parts or as rows. */
  count: number;
};

/** Rows in the order of arrival; the first of them is row number `first` of its day. */
export function rowsOf(lists: Iterable<HitList>, first: number): PartRows {
  const rows = appended(emptyRows(256), lists);
  const capacity = rows.second.length;
  return { ...rows, seen: new Int32Array(capacity), arrival: new Uint32Array(capacity).map((_, i) => first + i) };
}

/** The indexes of the rows of each part, whose ranges begin at `froms`. */
export function byPart(rows: PartRows, froms: Float64Array): number[][] {
  const indexes: number[][] = Array.from(froms, () => []);
  for (let i = 0; i < rows.count; i++) {
    const visitor = rows.visitor[i] as number;
    const at = firstVisitOf(froms, visitor);
    const part = froms[at] === visitor ? at : Math.max(at - 1, 0);
    indexes[part]?.push(i);
  }
  return indexes;
}

const begin = (db: Db, day: number, parts: readonly OpenPart[], sources: Source[], cached?: ReadColumn): LargeDay => ({
  ids: parts.map(({ id }) => id).join(),
  froms: Float64Array.from(parts, ({ from }) => from),
  patches: parts.map((row) => {
    const part = readPart(db, day, row, cached);
    return { id: row.id, patch: patchOf(part), added: undefined, view: part, recent: undefined };
  }),
  sources,
  count: parts[0]?.count ?? 0,
});

/** The new rows of all sources in the order of their ids, which is that of their arrival. */
function newLists(db: Db, day: number, sources: readonly Source[]): Iterable<HitList> {
  const [own, ...imports] = sources;
  if (own && imports.length === 0) return readNew(db, day, own);
  return sources.flatMap((source) => [...readNew(db, day, source)]).sort(([a = 0], [b = 0]) => a - b);
}

/**
 * Reads an open day that has parts; undefined for one that has none. With what was read before, only new rows are read, and only
 * visits to which they came are folded again, unless the day has imports.
 */
export function readLarge(
  db: Db,
  { siteId, day }: SiteDay,
  before?: LargeDay,
  cached?: ReadColumn,
): LargeDay | undefined {
  const sources = listSources(db, siteId, day);
  const parts = visibleParts(db, { siteId, day }, sources);
  if (parts.length === 0) return undefined;
  const isTopUp = before?.sources.length === 1 && sources.length === 1;
  const known = isTopUp && before.ids === parts.map(({ id }) => id).join() ? before : undefined;
  const large = known ?? begin(db, day, parts, sources, cached);
  const rows = rowsOf(newLists(db, day, large.sources), large.count);
  large.count += rows.count;
  for (const [i, indexes] of byPart(rows, large.froms).entries()) {
    const own = large.patches[i];
    if (!own || indexes.length === 0) continue;
    addRows(own.patch, rows, indexes);
    own.added = undefined;
    own.view = undefined;
  }
  return large;
}

const scratch = scratchOf();

function addedTo(own: Known): Part {
  own.added ??= addedBy(own.patch);
  return own.added;
}

/** The parts of a large day, each with all its rows. Columns of one are valid until those of another are read. */
export function viewsOf({ patches }: LargeDay): Part[] {
  return patches.map((own) => {
    own.view ??= patched(own.patch, addedTo(own), scratch);
    return own.view;
  });
}

/** Visits of a day, of which some do not count. */
export type LiveDay = { day: Day; counts(visit: number): boolean };

/**
 * The visits of a large day that were active since a second of it, and others. None of their visitors is in two of the days: what
 * came to a visit, and what is less than `VISIT_GAP` from it, is with what was added.
 */
export function liveDaysOf(db: Db, { patches }: LargeDay, since: number): LiveDay[] {
  return patches.flatMap((own) => {
    const { base, touched } = own.patch;
    own.recent ??= readRecent(db, base, own.id);
    const { recent } = own;
    const added: LiveDay = { day: addedTo(own), counts: () => true };
    if (since < recent.since) return [added, { day: base, counts: (visit) => touched[visit] === 0 }];
    return [added, { day: recent.day, counts: (visit) => touched[recent.visits[visit] as number] === 0 }];
  });
}
