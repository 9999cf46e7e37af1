import { compareCodePoints } from '../../lib/code-points.ts';
import { makeSearch } from '../../lib/search.ts';
import type { Texts } from './terms.ts';

/**
 * Only rows with `search` in their text are wanted. The rows are sorted by rank. The first `offset` rows are skipped,
 * and then `limit` rows follow.
 */
type Wanted = { limit: number; offset?: number | undefined; search?: string | undefined };

/**
 * Lists the terms with the largest ranks. Terms with equal ranks are sorted by text. Reading a text takes a query of
 * the database. So without a search, only the texts of large ranks are read.
 */
export function listTopRows(
  terms: ArrayLike<number>,
  ranks: ArrayLike<number>,
  { limit, offset = 0, search = '' }: Wanted,
  readText: Texts['readText'],
): { place: number; value: string }[] {
  const isFound = makeSearch(search);
  const all = new Uint32Array(terms.length).map((_, place) => place);
  const found = search === '' ? all : all.filter((place) => isFound(readText(terms[place] as number)));
  const readRank = (place: number) => ranks[place] as number;
  const least = findLeast(ranks, found, offset + limit);
  return Array.from(found.filter((place) => readRank(place) >= least))
    .map((place) => ({ place, value: readText(terms[place] as number) }))
    .sort((one, other) => readRank(other.place) - readRank(one.place) || compareCodePoints(one.value, other.value))
    .slice(offset, offset + limit);
}

/**
 * Returns the lowest rank among the first `limit` rows of an answer. Texts with lower ranks need not be read. Only
 * 2 × `limit` ranks are sorted at a time. Sorting the ranks of all pages took a fifth of a query's time.
 */
function findLeast(ranks: ArrayLike<number>, places: Uint32Array, limit: number): number {
  let least = Number.NEGATIVE_INFINITY;
  if (places.length <= limit) return least;
  const largest = new Float64Array(2 * limit);
  let count = 0;
  const cut = (): void => {
    largest.subarray(0, count).sort();
    largest.copyWithin(0, count - limit, count);
    count = limit;
    least = largest[0] as number;
  };
  for (let i = 0; i < places.length; i++) {
    const rank = ranks[places[i] as number] as number;
    if (rank <= least) continue;
    largest[count++] = rank;
    if (count === largest.length) cut();
  }
  cut();
  return least;
}
