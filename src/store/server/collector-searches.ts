// Writes a sentence about each collector's last search for removed salts. Once a day, a collector searches its own
// files for the salts that it removed. The collector reports the result to the primary.
//
// Invariant: each collector has a sentence. A found salt is always a fault, even if the collector is silent. If no salt
// was found, a search more than two days old is a fault, and so is a silent collector. If the collector has never
// searched, this becomes a fault two days after the collector was added. The sentence names the collector by its
// number, because everybody may read the page /privacy.
//
// Example: collector 2 was off for three days. The sentence is "Collector 2 has not searched since …", and `fine` is
// false. forms/privacy-page.ts and doctor/examine.ts call `listCollectorSearches`.
import { type Coded, coded } from '../../lang/coded.ts';
import { DAY, iso, MINUTE } from '../../lib/time.ts';
import { type Collector, listCollectors } from '../cluster/collectors.ts';
import type { OwnSearch } from '../cluster/sender-status.ts';
import type { Db } from '../db.ts';
import { findUpkeep, noteUpkeep } from './upkeep.ts';

/** A collector searches once a day. A search may be some hours late, for example after a restart of the collector. */
const OLDEST = 2 * DAY;
/** After this time without a report, a collector counts as silent. */
const SILENT = 5 * MINUTE;

export type CollectorSearch = { number: number; at: number; fine: boolean; words: Coded };

export const listCollectorSearches = (db: Db, now: number): CollectorSearch[] =>
  listCollectors(db).map((one) => describe(one, now));

function describe({ number, status, createdAt, seenAt }: Collector, now: number): CollectorSearch {
  const search = status?.search;
  if (!search) {
    const words = coded('collector_unsearched', { number });
    return { number, at: 0, fine: createdAt >= now - OLDEST, words };
  }
  const { at, found } = search;
  if (found === 0 && (at < now - OLDEST || seenAt < now - SILENT)) {
    const words = coded('collector_not_searched', { number, time: iso(at) });
    return { number, at, fine: false, words };
  }
  const result = [describeSearch(search)];
  return { number, at, fine: found === 0, words: coded('collector_searched', { number, result }) };
}

/**
 * Stores the result of the last search in the collector's database file. Therefore the collector can report the result
 * after a restart too.
 */
export const noteOwnSearch = (db: Db, search: OwnSearch): void =>
  noteUpkeep(db, 'forgetting', { at: search.at, fine: search.found === 0, words: JSON.stringify(search) });

export function findOwnSearch(db: Db): OwnSearch | undefined {
  const note = findUpkeep(db, 'forgetting');
  return note && JSON.parse(note.words);
}

/** Says what was searched. If salts were found, says where. */
export function describeSearch({ salts, found, places }: Omit<OwnSearch, 'at'>): Coded {
  const bytes = places.reduce((sum, one) => sum + one.bytes, 0);
  const faulty = places.filter(({ isFound }) => isFound);
  const named = (found > 0 ? faulty : places).map(({ place, bytes }) =>
    coded('place_searched', { place: [coded(`place_${place}`)], bytes }),
  );
  const values = { salts, bytes, places: named };
  return found > 0 ? coded('not_forgotten', { ...values, found }) : coded('forgotten', values);
}
