// Reads the properties of the hits of a day as columns, with one column for each property name. A column has the value
// of each hit, or the empty text.
//
// Invariant: open and sealed days give equal columns for equal hits (test/stats/answers.long.test.ts).
//
// In an open day, each hit has the number of its set of properties. The number 0 is the empty set.
//
// Example: three hits have the sets 81, 0 and 81, and set 81 has plan = pro. The column of `plan` then has the values
// pro, nothing and pro. A sealed day stores this column, and no sets.
import type { SealedDay } from '../../catalog/sealed-days.ts';
import type { Db } from '../../store/db.ts';
import { findBlob, listBlobNamesFrom, type StoredBlob } from './blobs.ts';
import { makeDictionaryColumn, packDictionary, unpackDictionary } from './dictionary.ts';
import type { Column } from './packing.ts';

/**
 * The properties of the hits of a day. `column` returns the value of each hit. If no hit of the
 * day has the property, the column is empty.
 */
export type DayProperties = { names(): string[]; column(name: string): Column };

/**
 * The property sets of an open day. `read` lists the sets that have the property `name`. `ids` has the numbers of these
 * sets, ascending. `terms` has the property's value in each of these sets, and `count` is the number of these sets.
 */
export type PropertySets = { names(): string[]; read(name: string): SetValues };
export type SetValues = { ids: ArrayLike<number>; terms: ArrayLike<number>; count: number };

/** Reads the property sets of an open day. If this function is missing, no hit of the open day has properties. */
export type SetTexts = { readSets?(day: number): PropertySets };

/** A sealed day has `properties`. An open day has a column with the property set of each hit. */
type Day = { day: number; properties?: DayProperties; column(name: 'properties'): Column };

/** Finds the properties of a day. For an open day, the columns are made from its property sets. */
export const findProperties = (day: Day, texts: SetTexts): DayProperties => day.properties ?? readOpen(day, texts);

/**
 * Returns a function that reads a day's column of a property. A query reads the column of a day several times. So for
 * an open day, the function keeps the column until the next day is read.
 */
export function readProperty(name: string, texts: SetTexts): (day: Day) => Column {
  let latest: { source: unknown; column: Column } | undefined;
  return (day) => {
    if (day.properties) return day.properties.column(name);
    const source = day.column('properties');
    if (latest?.source !== source) latest = { source, column: findProperties(day, texts).column(name) };
    return latest.column;
  };
}

/**
 * The empty column of a property that no hit of the day has. No hit of the day can meet a condition on this property.
 */
const NO_VALUES: Column = { terms: Uint8Array.of(0), codes: new Uint8Array(0) };

function readOpen(day: Day, { readSets }: SetTexts): DayProperties {
  const sets = readSets?.(day.day);
  return {
    names: () => sets?.names() ?? [],
    column: (name) => (sets ? replaceSets(day.column('properties'), sets.read(name)) : NO_VALUES),
  };
}

/**
 * Replaces each hit's property set by the value that the set has for one property. The sets of the column and of `ids`
 * are ascending, so one loop goes through the two lists together.
 */
function replaceSets({ terms: sets, codes }: Column, { ids, terms, count }: SetValues): Column {
  const values = new Uint32Array(sets.length);
  let isFound = false;
  for (let code = 0, i = 0; code < values.length && i < count; code++) {
    const set = sets[code] as number;
    while (i < count && (ids[i] as number) < set) i++;
    if (i === count || ids[i] !== set) continue;
    values[code] = terms[i] as number;
    isFound = true;
  }
  if (!isFound) return NO_VALUES;
  const column = makeDictionaryColumn(values);
  return { terms: column.terms, codes: mapCodes(codes, column.codes) };
}

function mapCodes(codes: Column['codes'], map: Column['codes']): Column['codes'] {
  const mapped = new (map.constructor as new (length: number) => Column['codes'])(codes.length);
  for (let hit = 0; hit < codes.length; hit++) mapped[hit] = map[codes[hit] as number] as number;
  return mapped;
}

/**
 * The names of blobs with property columns begin with this text. These blobs are therefore neighbours in the table of
 * blobs, and one SQL statement lists them.
 */
const PREFIX = 'property ';
const nameBlob = (name: string): string => `${PREFIX}${name}`;

/** Packs a column for each property that at least one hit of the day has. */
export function packProperties({ names, column }: DayProperties): StoredBlob[] {
  return names().flatMap((name): StoredBlob[] => {
    const values = column(name);
    return values.terms.length > 1 || values.terms[0] !== 0
      ? [{ name: nameBlob(name), data: packDictionary(values) }]
      : [];
  });
}

/** Reads the property columns of a sealed day. A column is read only when `column` is called for it. */
export function readSealedProperties(
  db: Db,
  { id }: Pick<SealedDay, 'id'>,
  cached: (key: string, read: () => Column) => Column = (_, read) => read(),
): DayProperties {
  const read = (name: string) => unpackBlob(findBlob(db, 'sealed_blob', id, nameBlob(name)));
  return {
    names: () => cutPrefix(listBlobNamesFrom(db, 'sealed_blob', id, PREFIX)),
    column: (name) => cached(`${id} ${name}`, () => read(name)),
  };
}

/** Reads property columns from blobs that are already in memory. */
export const readPropertyBlobs = (blobs: ReadonlyMap<string, Buffer>): DayProperties => ({
  names: () => cutPrefix([...blobs.keys()].filter((blob) => blob.startsWith(PREFIX))),
  column: (name) => unpackBlob(blobs.get(nameBlob(name))),
});

const cutPrefix = (blobs: readonly string[]): string[] => blobs.map((blob) => blob.slice(PREFIX.length));
const unpackBlob = (bytes: Buffer | undefined): Column => (bytes ? unpackDictionary(bytes) : NO_VALUES);
