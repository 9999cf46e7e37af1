import { emptyRows, type Rows } from '../engine.ts';
import { siteExists } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { appended, firstHitDay, type HitList, lastHitId, listHitDays, listHits, type Origin } from './hits.ts';
import { findImport, listOpenImports } from './imports.ts';
import { isSealed, type SiteDay } from './sealed-days.ts';

/** The hits of a day by one origin: those with ids beyond `after`, read up to `last`. */
export type Source = Origin & { after: number; last: number };

/** The rows of an open day, as far as they have been read. */
export type OpenRows = { rows: Rows; sources: Source[] };

/** Where the rows of a day stand. What an import took the place of is left out: earlier imports, and own hits up to an id. */
function listSources(db: Db, siteId: number, day: number): Source[] {
  const imports = listOpenImports(db, siteId, day, day + 1);
  const latest = imports.findLastIndex(({ voidUntil }) => voidUntil !== null);
  const after = imports[latest]?.voidUntil ?? 0;
  const kept = imports.slice(Math.max(latest, 0)).map(({ id }) => ({ siteId, importId: id, after: 0, last: 0 }));
  return [{ siteId, importId: null, after, last: after }, ...kept];
}

/** The rows of a source that came after those that have been read. */
function* next(db: Db, day: number, source: Source): Generator<HitList> {
  for (const list of listHits(db, { ...source, day }, source.last)) {
    source.last = list[0] as number;
    yield list;
  }
}

/** The rows of a day, of which those that have been read before are not read again. */
export function readOpen(db: Db, siteId: number, day: number, before?: OpenRows): OpenRows {
  const sources = listSources(db, siteId, day);
  const [own, ...imports] = sources;
  if (own && imports.length === 0) {
    const known = before?.sources.length === 1 ? before : undefined;
    const {
      rows,
      sources: [source = own],
    } = known?.sources[0]?.after === own.after ? known : { rows: emptyRows(256), sources };
    return { rows: appended(rows, next(db, day, source)), sources: [source] };
  }
  // By their ids, in the order of which all of them came in.
  const lists = sources.flatMap((source) => [...next(db, day, source)]).sort(([a = 0], [b = 0]) => a - b);
  return { rows: appended(emptyRows(Math.max(lists.length, 1)), lists), sources };
}

/** How far the rows of a day go now; where they have been read as far, nothing came since. */
export const sourcesNow = (db: Db, siteId: number, day: number): Source[] =>
  listSources(db, siteId, day).map((source) => ({
    ...source,
    last: Math.max(source.last, lastHitId(db, { ...source, day })),
  }));

/** The days of a site, from one day to before another, that are known by their rows only. */
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

/** The days before a day that are to be sealed. */
export function listDue(db: Db, before: number): SiteDay[] {
  const due = new Map<string, SiteDay>();
  for (const { siteId, importId, day } of listHitDays(db)) {
    if (day >= before || isSealed(db, siteId, day) || !siteExists(db, siteId)) continue;
    const counts = importId === null || findImport(db, siteId, importId)?.state === 'shown';
    if (counts) due.set(`${siteId} ${day}`, { siteId, day });
  }
  return [...due.values()];
}
