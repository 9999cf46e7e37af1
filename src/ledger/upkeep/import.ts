// Writes an import. Past days are written as sealed days. Rows of the current day are written as hits with the id of
// the import.
//
// Invariant: before `showImport`, queries see no day of an import. After `showImport`, queries see all of its days.
//
// Example: an import has 30,000 rows of June and 200 rows of today. June becomes 30 staged days, and the 200 rows
// become hits. One transaction makes all of them visible. imports.ts calls this file.
import { listStaged } from '../../catalog/day-states.ts';
import { findImport } from '../../catalog/imports.ts';
import { isSealed } from '../../catalog/sealed-days.ts';
import { showImport as show } from '../../catalog/show-import.ts';
import type { ImportContent, ImportedRows } from '../../engine/import-content.ts';
import { cached } from '../../lib/cache.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Steps } from '../../lib/steps.ts';
import { PROPERTIES, TEXT_FIELDS } from '../../stats/dimensions.ts';
import { readProperties } from '../../stats/properties.ts';
import type { Db } from '../../store/db.ts';
import { hasSite } from '../../store/sites/sites.ts';
import { sessionize } from '../day/sessionize.ts';
import { sortByTime } from '../day/sort-rows.ts';
import { listOpenDays } from '../open/row-sources.ts';
import { markShardsGone } from '../open/shard-table.ts';
import { addRows, findNewestId, hasHits } from '../rows/hits.ts';
import { addSet } from '../rows/property-sets.ts';
import { collectSets } from '../rows/read-sets.ts';
import { cacheTexts, findOrAddTerm, readTexts } from '../rows/terms.ts';
import { type PackedDay, packDay } from '../sealed/packed-day.ts';
import { packTotalsOnly } from '../sealed/totals-only.ts';

const ROWS_PER_TRANSACTION = 2_000;
/**
 * How many terms or property sets a transaction adds. Adding a term takes up to 25 µs, and adding a set up to 50 µs.
 * The transaction therefore takes about 25 ms at most.
 */
const LOOKUPS_PER_TRANSACTION = 500;
/** An import caches the terms of texts and the ids of property sets. A cache with this many entries is emptied. */
const MOST_CACHED = 50_000;

/** Lists those of the given days on which the site already has data. An import must not count these days twice. */
export const listTaken = (db: Db, siteId: number, days: readonly number[]): number[] => {
  const open = new Set(listOpen(db, siteId, days));
  return days.filter((day) => open.has(day) || isSealed(db, siteId, day));
};

function listOpen(db: Db, siteId: number, days: readonly number[]): number[] {
  if (days.length === 0) return [];
  const open = new Set(listOpenDays(db, siteId, Math.min(...days), Math.max(...days) + 1));
  return days.filter((day) => open.has(day));
}

function assertSite(db: Db, siteId: number): void {
  if (!hasSite(db, siteId)) throw new Refusal('the site was deleted during the import. Nothing was imported');
}

export function* termsFor(db: Db, siteId: number, texts: readonly string[]): Steps<Int32Array> {
  const terms = new Int32Array(texts.length);
  for (let from = 1; from < texts.length; from += ROWS_PER_TRANSACTION) {
    db.write(() => {
      assertSite(db, siteId);
      for (let i = from; i < Math.min(from + ROWS_PER_TRANSACTION, texts.length); i++) {
        terms[i] = findOrAddTerm(db, siteId, texts[i] as string);
      }
    });
    yield;
  }
  return terms;
}

/**
 * Adds the terms of all properties before a day is written. A day may have 200,000 new values. A single transaction for
 * all of them would hold the write lock for seconds, and arriving hits would wait.
 */
export function* addPropertyTerms(db: Db, siteId: number, { properties = [] }: ImportContent): Steps {
  let lookups = 0;
  const findTerm = cached(
    (text: string) => {
      lookups++;
      return findOrAddTerm(db, siteId, text);
    },
    { size: MOST_CACHED },
  );
  function addSome(from: number): number {
    const end = Math.min(from + ROWS_PER_TRANSACTION, properties.length);
    assertSite(db, siteId);
    lookups = 0;
    let at = from;
    for (; at < end && lookups < LOOKUPS_PER_TRANSACTION; at++)
      for (const text of readProperties(properties[at] ?? '').flat()) findTerm(text);
    return at;
  }
  for (let from = 0; from < properties.length; yield) from = db.write(() => addSome(from));
}

export function* sealedDays(
  db: Db,
  siteId: number,
  { days, texts, properties = [], today, readRows: rowsOf, readSums: sumsOf }: ImportContent,
  terms: Int32Array,
): Generator<PackedDay> {
  const indexes = sumsOf ? new Map(texts.map((text, index) => [text, index])) : new Map<string, number>();
  const readText = cacheTexts(db, siteId);
  const { findTerm: findKnown } = readTexts(db, siteId);
  const findTerm = cached((text: string) => findKnown(text) ?? db.write(() => findOrAddTerm(db, siteId, text)), {
    size: MOST_CACHED,
  });
  for (const day of days.filter((past) => past < today)) {
    if (rowsOf) {
      const rows = toTerms(rowsOf(day), terms);
      const sets = collectSets(findTerm);
      rows.terms.properties = rows.terms.properties.map((index) => sets.add(properties[index] ?? ''));
      yield packDay(sessionize(day, rows, 'time'), 0, { findTerm, readText, readSets: () => sets });
    }
    if (sumsOf) yield packTotalsOnly(sumsOf(day), { findTerm: (text) => terms[indexes.get(text) ?? 0] });
  }
}

export const openRows = (
  { days, today, properties = [], readRows: rowsOf }: ImportContent,
  terms: Int32Array,
): (ImportedRows & Pick<ImportContent, 'properties'>) | undefined =>
  rowsOf && days.includes(today) ? { ...toTerms(rowsOf(today), terms), properties } : undefined;

/** Writes the imported rows of the current day. Queries do not see these rows before `showImport`. */
export function* stageOpen(
  db: Db,
  key: ImportKey,
  day: number,
  rows: ImportedRows & Pick<ImportContent, 'properties'>,
): Steps {
  const { properties = [] } = rows;
  const findTerm = cached((text: string) => findOrAddTerm(db, key.siteId, text), { size: MOST_CACHED });
  let lookups = 0;
  // Many hits have equal properties, so property sets are cached. Without the cache, a transaction whose hits have 20
  // properties each would make arriving hits wait 0.2 s.
  const findSet = cached(
    (index: number): number => {
      lookups++;
      const members = readProperties(properties[index] ?? '').map(([name, value]) => {
        findTerm(name);
        return [name, findTerm(value)] as const;
      });
      return addSet(db, { siteId: key.siteId, day }, members);
    },
    { size: MOST_CACHED },
  );
  const sets = rows.terms.properties;
  function addSome(from: number): number {
    const end = Math.min(from + ROWS_PER_TRANSACTION, rows.count);
    lookups = 0;
    let to = from;
    for (; to < end && lookups < LOOKUPS_PER_TRANSACTION; to++) sets[to] = findSet(sets[to] as number);
    addRows(db, { ...key, day }, rows, from, to);
    return to;
  }
  for (let from = 0; from < rows.count; yield) from = db.write(() => addSome(from));
}

/** Makes all days of an import visible in one transaction, so that no query counts only some of them. */
export const showImport = (
  db: Db,
  { sealed, now, ...key }: ImportKey & { sealed: number; now: number },
  replace: boolean,
): void =>
  db.write(() => {
    const { siteId, importId } = key;
    const openDay = hasHits(db, key) ? (findImport(db, siteId, importId)?.openDay ?? null) : null;
    // A replaced past day may still be open, with shards. These shards are marked as gone. Otherwise, a late hit could
    // reopen the day, and queries would then count the shards and the imported hits.
    for (const day of replace ? listStaged(db, siteId, importId) : []) markShardsGone(db, { siteId, day });
    show(
      db,
      { ...key, staged: sealed, openDay, now },
      {
        replace,
        listTaken: (days) => listTaken(db, siteId, days),
        listOpen: (days) => listOpen(db, siteId, days),
        findNewestRow: () => findNewestId(db),
      },
    );
  });

function gather<List extends Uint8Array | Int32Array | Float64Array>(list: List, order: Uint32Array): List {
  const result = list.slice(0, order.length) as List;
  for (let i = 0; i < order.length; i++) result[i] = list[order[i] as number] as number;
  return result;
}

/**
 * Sorts rows by time, because an imported file may have them in any order. Also replaces each text by its term. Test:
 * test/cli/import-counts.long.test.ts.
 */
function toTerms(rows: ImportedRows, terms: Int32Array): ImportedRows {
  const order = sortByTime(
    new Uint32Array(rows.count).map((_, i) => i),
    rows.second,
  );
  for (const name of ['second', 'engaged'] as const) rows[name] = gather(rows[name], order);
  rows.scroll = gather(rows.scroll, order);
  rows.vitals = gather(rows.vitals, order);
  rows.visitor = gather(rows.visitor, order);
  for (const name of TEXT_FIELDS) {
    const own = gather(rows.terms[name], order);
    // Property sets are made later, because each day has sets of its own. Until then, each row has the index of its
    // properties in the import.
    rows.terms[name] = name === PROPERTIES ? own : own.map((index) => terms[index] as number);
  }
  return rows;
}

type ImportKey = { siteId: number; importId: number };
