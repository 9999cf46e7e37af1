// Reads the sets of properties of open days, and collects those of past days that are packed at once.
// Invariant: a set never changes, so what a thread has read of a set stays right.
// Example: a day has 3,000 sets, and 1,200 of them have the property plan. A query by plan reads the 3,000 sets once
// and keeps 1,200 pairs of a set and a value. The next query reads only sets that were added since. rows/terms.ts gives
// the sets to queries. Imports and transfers collect sets.
import { readProperties } from '../../stats/properties.ts';
import type { Db } from '../../store/db.ts';
import type { PropertySets, SetValues } from '../column/properties.ts';

type Cached = { ids: Uint32Array; terms: Uint32Array; count: number; last: number };

/** A thread keeps at most this number of sets in memory, for all days and names together. They take 16 MB. */
const MOST_CACHED = 2_000_000;

/** Reads the sets of open days. The next query reads only sets that were added since. */
export function cacheSets(db: Db): (siteId: number, day: number) => PropertySets {
  const kept = new Map<string, Cached>();

  function forgetOld(key: string): void {
    let size = 0;
    for (const [other, { ids }] of [...kept].reverse()) {
      size += ids.length;
      if (size > MOST_CACHED && other !== key) kept.delete(other);
    }
  }

  function read(siteId: number, day: number, name: string): Cached {
    const key = `${siteId} ${day} ${name}`;
    const own = kept.get(key) ?? { ids: new Uint32Array(0), terms: new Uint32Array(0), count: 0, last: 0 };
    for (const [id, term] of db.lists<[number, number]>(NEW_SETS, `$."${name}"`, siteId, day, own.last)) {
      own.last = id;
      if (term === 0) continue;
      if (own.count === own.ids.length) growLists(own);
      own.ids[own.count] = id;
      own.terms[own.count++] = term;
    }
    kept.delete(key);
    kept.set(key, own);
    forgetOld(key);
    return own;
  }

  return (siteId, day) => ({
    names: () => listNames(db, siteId, day),
    read: (name) => read(siteId, day, name),
  });
}

const NEW_SETS = `SELECT id, coalesce(members ->> ?, 0) FROM property_set
  WHERE site_id = ? AND day = ? AND id > ? ORDER BY id`;

/** Lists the names of the properties of an open day. Names of an import that is not shown may be among them. */
function listNames(db: Db, siteId: number, day: number): string[] {
  const names = db.all<{ name: string }>(
    `SELECT DISTINCT key AS name FROM property_set, json_each(members) WHERE site_id = ? AND day = ?`,
    siteId,
    day,
  );
  return names.map(({ name }) => name).sort();
}

function growLists(own: Cached): void {
  const size = Math.max(64, own.ids.length * 2);
  for (const name of ['ids', 'terms'] as const) {
    const larger = new Uint32Array(size);
    larger.set(own[name]);
    own[name] = larger;
  }
}

/**
 * Collects the sets of a past day while its rows are made. They stay in memory until the day is packed. `findTerm` adds
 * the terms of names and values.
 */
export function collectSets(findTerm: (text: string) => number) {
  const ids = new Map<string, number>();
  const byName = new Map<string, { ids: number[]; terms: number[] }>();
  return {
    /** Finds or adds the set with these properties. */
    add(text: string): number {
      if (text === '') return 0;
      const known = ids.get(text);
      if (known !== undefined) return known;
      const id = ids.size + 1;
      ids.set(text, id);
      for (const [name, value] of readProperties(text)) {
        findTerm(name);
        const own = byName.get(name) ?? { ids: [], terms: [] };
        byName.set(name, own);
        own.ids.push(id);
        own.terms.push(findTerm(value));
      }
      return id;
    },
    names: () => [...byName.keys()].sort(),
    read(name: string): SetValues {
      const { ids: own, terms } = byName.get(name) ?? { ids: [], terms: [] };
      return { ids: own, terms, count: own.length };
    },
  };
}
