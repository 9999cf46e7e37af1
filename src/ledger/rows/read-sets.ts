// Reads the property sets of open days. Also collects the property sets of a past day while the day is packed.
//
// Invariant: a set never changes, so a set that a thread has cached stays right.
//
// Example: a day has 3,000 sets, and 1,200 of them have the property plan. The first query by plan reads all 3,000
// sets. The cache then has 1,200 pairs of a set and a value of plan. The next query reads only sets that were added
// since then. rows/terms.ts passes the sets to queries. Imports and transfers collect sets.
import { readProperties } from '../../stats/properties.ts';
import type { Db } from '../../store/db.ts';
import type { PropertySets, SetValues } from '../column/properties.ts';

type Values = { ids: Uint32Array; terms: Uint32Array; count: number };
/** The sets of a day that were read: the values of each property name, and the id of the last set. */
type Cached = { names: Map<string, Values>; last: number };

/**
 * The largest number of pairs (a set and a value) that a thread keeps in memory, for all days together. These pairs
 * take 16 MB. Beyond this number, the sets of the days that were queried longest ago leave the cache.
 */
const MOST_CACHED = 2_000_000;

/**
 * Reads the sets of open days into a cache. A later query of the same day reads only sets that were added meanwhile.
 */
export function cacheSets(db: Db): (siteId: number, day: number) => PropertySets {
  const kept = new Map<string, Cached>();

  function forgetOld(key: string): void {
    let size = 0;
    for (const [other, { names }] of [...kept].reverse()) {
      for (const { ids } of names.values()) size += ids.length;
      if (size > MOST_CACHED && other !== key) kept.delete(other);
    }
  }

  /**
   * Reads each set once, for all names together. If each name read all sets, a day with many sets and names would take
   * seconds (test/ledger/rows/read-sets.test.ts).
   */
  function readDay(siteId: number, day: number): Cached {
    const key = `${siteId} ${day}`;
    const own = kept.get(key) ?? { names: new Map(), last: 0 };
    for (let isMore = true; isMore; ) {
      const sets = db.lists<[number, string]>(NEW_SETS, siteId, day, own.last);
      for (const [id, members] of sets) addMembers(own, id, JSON.parse(members));
      isMore = sets.length === SETS_AT_ONCE;
    }
    kept.delete(key);
    kept.set(key, own);
    forgetOld(key);
    return own;
  }

  return (siteId, day) => {
    const { names } = readDay(siteId, day);
    // Some names may occur only in an import that is not shown. Queries read no hits of this import, so the columns of
    // these names are empty.
    return { names: () => [...names.keys()].sort(), read: (name) => names.get(name) ?? makeValues() };
  };
}

const SETS_AT_ONCE = 10_000;
const NEW_SETS = `SELECT id, members FROM property_set
  WHERE site_id = ? AND day = ? AND id > ? ORDER BY id LIMIT ${SETS_AT_ONCE}`;

const makeValues = (): Values => ({ ids: new Uint32Array(0), terms: new Uint32Array(0), count: 0 });

function addMembers(own: Cached, id: number, members: Record<string, number>): void {
  own.last = id;
  for (const [name, term] of Object.entries(members)) {
    const values = own.names.get(name) ?? makeValues();
    own.names.set(name, values);
    if (values.count === values.ids.length) growLists(values);
    values.ids[values.count] = id;
    values.terms[values.count++] = term;
  }
}

function growLists(own: Values): void {
  const size = Math.max(64, own.ids.length * 2);
  for (const name of ['ids', 'terms'] as const) {
    const larger = new Uint32Array(size);
    larger.set(own[name]);
    own[name] = larger;
  }
}

/**
 * Collects the property sets of a past day while its rows are made. The sets stay in memory until the day is packed.
 * `findTerm` must return a term for every name and value, and add the terms that are missing.
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
