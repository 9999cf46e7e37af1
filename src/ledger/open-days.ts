import { emptyRows, type Rows } from '../engine.ts';
import { siteExists } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { appended, firstHitDay, type HitList, lastHitId, listHitDays, listHits, type Origin } from './hits.ts';
import { findImport, listOpenImports } from './imports.ts';
import { foldedRows, listParts, type OpenPart } from './open-parts.ts';
import { isSealed, type SiteDay } from './sealed-days.ts';

/** The hits of one origin with ids above `after`, of which those up to `last` have been read. */
export type Source = Origin & { after: number; last: number };

/** The rows of an open day that have been read. */
export type OpenRows = { rows: Rows; sources: Source[] };

/**
 * The sources of an open day. A replacing import hides earlier imports, and the collected hits up to its `voidUntil`, which are all
 * hits in parts. Hits in parts are not read again.
 */
export function listSources(db: Db, siteId: number, day: number): Source[] {
  const imports = listOpenImports(db, siteId, day, day + 1);
  const latestReplacing = imports.findLastIndex(({ voidUntil }) => voidUntil !== null);
  const after = imports[latestReplacing]?.voidUntil ?? 0;
  const visible = imports
    .slice(Math.max(latestReplacing, 0))
    .map(({ id }) => ({ siteId, importId: id, after: 0, last: 0 }));
  const last = after > 0 ? after : foldedRows(db, { siteId, day }).until;
  return [{ siteId, importId: null, after, last }, ...visible];
}

/** The parts of an open day that count. */
export const visibleParts = (db: Db, siteDay: SiteDay, [own]: readonly Source[]): OpenPart[] =>
  own && own.after > 0 ? [] : listParts(db, siteDay);

export const hasParts = (db: Db, siteDay: SiteDay): boolean =>
  visibleParts(db, siteDay, listSources(db, siteDay.siteId, siteDay.day)).length > 0;

/** Reads the new rows of a source, and advances its `last`. */
export function* readNew(db: Db, day: number, source: Source): Generator<HitList> {
  for (const list of listHits(db, { ...source, day }, source.last)) {
    source.last = list[0] as number;
    yield list;
  }
}

/** The rows of an open day that are not in parts. With `before`, only the new rows are read, unless the day has imports. */
export function readOpen(db: Db, siteId: number, day: number, before?: OpenRows): OpenRows {
  const sources = listSources(db, siteId, day);
  const [own, ...imports] = sources;
  if (own && imports.length === 0) {
    const known = before?.sources.length === 1 ? before : undefined;
    const {
      rows,
      sources: [source = own],
    } = known?.sources[0]?.after === own.after ? known : { rows: emptyRows(256), sources };
    return { rows: appended(rows, readNew(db, day, source)), sources: [source] };
  }
  // Ids are in the order of arrival.
  const lists = sources.flatMap((source) => [...readNew(db, day, source)]).sort(([a = 0], [b = 0]) => a - b);
  return { rows: appended(emptyRows(Math.max(lists.length, 1)), lists), sources };
}

/** The sources with the ids of their latest hits. Equal to the sources of a read if no hit came since. */
export const sourcesNow = (db: Db, siteId: number, day: number): Source[] =>
  listSources(db, siteId, day).map((source) => ({
    ...source,
    last: Math.max(source.last, lastHitId(db, { ...source, day })),
  }));

/** The open days with rows, from `from` to before `to`. */
export function listOpenDays(db: Db, siteId: number, from: number, to: number): number[] {
  const imports = listOpenImports(db, siteId, from, to);
  const days = new Set<number>();
  for (const importId of [null, ...imports.map(({ id }) => id)]) {
    for (let day: number | undefined = from; ; day++) {
      day = firstHitDay(db, { siteId, importId }, day, to);
      if (day === undefined) break;
      if (!isSealed(db, siteId, day)) days.add(day);
    }
  }
  return [...days].sort((a, b) => a - b);
}

/** The open days before a day, which are due to be sealed. */
export function listDue(db: Db, before: number): SiteDay[] {
  const due = new Map<string, SiteDay>();
  for (const { siteId, importId, day } of listHitDays(db)) {
    if (day >= before || isSealed(db, siteId, day) || !siteExists(db, siteId)) continue;
    const isVisible = importId === null || findImport(db, siteId, importId)?.state === 'shown';
    if (isVisible) due.set(`${siteId} ${day}`, { siteId, day });
  }
  return [...due.values()];
}
