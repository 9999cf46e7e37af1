import { emptyRows, type Rows, WORDS } from '../store/hits.ts';
import type { Db } from '../store/statements.ts';

/** Hits and messages under one number: the site's own, or under a negative one those of an import. */
export type Source = { siteId: number; after: number; last: number };

/** The rows of an open day, as far as they have been read. */
export type OpenRows = { rows: Rows; sources: Source[] };

const AT_ONCE = 20_000;
const FIELDS = ['id', 'second', 'visitor', 'coalesce(engaged, -1)', ...WORDS].join(', ');
const NEXT = `SELECT ${FIELDS} FROM hit WHERE site_id = ? AND day = ? AND id > ? ORDER BY id LIMIT ${AT_ONCE}`;

/** Where the rows of a day stand. What an import took the place of is left out: earlier imports, and own hits up to an id. */
function listSources(db: Db, siteId: number, day: number): Source[] {
  const imports = db.all<{ id: number; voidUntil: number | null }>(
    `SELECT id, void_until AS voidUntil FROM import
     WHERE site_id = ? AND open_day = ? AND shown_at IS NOT NULL ORDER BY id`,
    siteId,
    day,
  );
  const latest = imports.findLastIndex(({ voidUntil }) => voidUntil !== null);
  const after = imports[latest]?.voidUntil ?? 0;
  const kept = imports.slice(Math.max(latest, 0)).map(({ id }) => ({ siteId: -id, after: 0, last: 0 }));
  return [{ siteId, after, last: after }, ...kept];
}

/** A copy with room for twice as many. */
function grown(rows: Rows): Rows {
  const larger = emptyRows(rows.second.length * 2);
  larger.count = rows.count;
  larger.second.set(rows.second);
  larger.visitor.set(rows.visitor);
  larger.engaged.set(rows.engaged);
  for (const word of WORDS) larger.words[word].set(rows.words[word]);
  return larger;
}

function put(rows: Rows, at: number, [, second, visitor, engaged, ...words]: readonly number[]): void {
  rows.second[at] = second as number;
  rows.visitor[at] = visitor as number;
  rows.engaged[at] = engaged as number;
  for (const [i, word] of WORDS.entries()) rows.words[word][at] = words[i] as number;
}

/** The rows of a source that came after those that have been read. */
function* next(db: Db, day: number, source: Source): Generator<number[]> {
  for (;;) {
    const lists = db.lists<number[]>(NEXT, source.siteId, day, source.last);
    yield* lists;
    source.last = lists.at(-1)?.[0] ?? source.last;
    if (lists.length < AT_ONCE) return;
  }
}

function append(rows: Rows, lists: Iterable<number[]>): Rows {
  let roomy = rows;
  for (const list of lists) {
    if (roomy.count === roomy.second.length) roomy = grown(roomy);
    put(roomy, roomy.count++, list);
  }
  return roomy;
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
    return { rows: append(rows, next(db, day, source)), sources: [source] };
  }
  // By their ids, in the order of which all of them came in.
  const lists = sources.flatMap((source) => [...next(db, day, source)]).sort(([a = 0], [b = 0]) => a - b);
  return { rows: append(emptyRows(Math.max(lists.length, 1)), lists), sources };
}

/** How far the rows of a day go now; where they have been read as far, nothing came since. */
export const sourcesNow = (db: Db, siteId: number, day: number): Source[] =>
  listSources(db, siteId, day).map((source) => {
    const sql = 'SELECT max(id) AS id FROM hit WHERE site_id = ? AND day = ?';
    return { ...source, last: Math.max(source.last, db.one<{ id: number | null }>(sql, source.siteId, day)?.id ?? 0) };
  });

/**
 * Whose rows there are, of which days; the number of an import is negative. Costs two looks at the index for each: asked at
 * once for what comes after site and day, SQLite would go through all rows of the site.
 */
export function listRowDays(db: Db): SiteDay[] {
  const found: SiteDay[] = [];
  const nextDay = 'SELECT site_id AS siteId, day FROM hit WHERE site_id = ? AND day > ? ORDER BY day LIMIT 1';
  const nextSite = 'SELECT site_id AS siteId, day FROM hit WHERE site_id > ? ORDER BY site_id, day LIMIT 1';
  for (let last = { siteId: Number.MIN_SAFE_INTEGER, day: 0 }; ; ) {
    const row = db.one<SiteDay>(nextDay, last.siteId, last.day) ?? db.one<SiteDay>(nextSite, last.siteId);
    if (!row) return found;
    found.push(row);
    last = row;
  }
}

export const isSealed = (db: Db, siteId: number, day: number): boolean =>
  db.one('SELECT 1 FROM sealed_day WHERE site_id = ? AND day = ? AND shown = 1', siteId, day) !== undefined;

/** The days of a site, from one day to before another, that are known by their rows only. */
export function listOpenDays(db: Db, siteId: number, from: number, to: number): number[] {
  const imports = db.all<{ id: number }>(
    'SELECT id FROM import WHERE site_id = ? AND open_day >= ? AND open_day < ? AND shown_at IS NOT NULL',
    siteId,
    from,
    to,
  );
  const days = new Set<number>();
  for (const id of [siteId, ...imports.map((one) => -one.id)]) {
    const sql = 'SELECT min(day) AS day FROM hit WHERE site_id = ? AND day >= ? AND day < ?';
    for (let day: number | null | undefined = from; ; day++) {
      day = db.one<{ day: number | null }>(sql, id, day, to)?.day;
      if (day === null || day === undefined) break;
      if (!isSealed(db, siteId, day)) days.add(day);
    }
  }
  return [...days].sort((a, b) => a - b);
}

export type SiteDay = { siteId: number; day: number };

/** The days before a day that are to be sealed. */
export function listDue(db: Db, before: number): SiteDay[] {
  const due = new Map<string, SiteDay>();
  for (const { siteId: number, day } of listRowDays(db)) {
    if (day >= before) continue;
    const sql = 'SELECT site_id AS siteId FROM import WHERE id = ? AND shown_at IS NOT NULL';
    const siteId = number > 0 ? number : db.one<{ siteId: number }>(sql, -number)?.siteId;
    if (siteId === undefined || isSealed(db, siteId, day)) continue;
    if (db.one('SELECT 1 FROM site WHERE id = ?', siteId)) due.set(`${siteId} ${day}`, { siteId, day });
  }
  return [...due.values()];
}
