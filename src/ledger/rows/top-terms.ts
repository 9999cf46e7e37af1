import { compareCodePoints } from '../../lib/code-points.ts';
import { makeSearch } from '../../lib/search.ts';
import type { Texts } from './terms.ts';

/**
 * Which rows of a ranked list are wanted. The rows have `search` in their text, and those with the largest ranks come
 * first. The first `offset` rows are skipped, and then `limit` rows follow.
 */
type Wanted = { limit: number; offset?: number | undefined; search?: string | undefined };

/**
 * Lists the terms (numbers of texts) with the largest ranks. Terms with the same rank are sorted by text. Reading a
 * text costs a query of the database. So without a search, only the texts of terms with large ranks are read.
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
 * Returns the smallest of the `most` largest ranks. The texts of terms with lower ranks need not be read. The list
 * `largest` never has more than twice `most` ranks, so it is sorted quickly. Sorting the ranks of all pages took a
 * fifth of a query's time.
 */
function findLeast(ranks: ArrayLike<number>, places: Uint32Array, most: number): number {
  let least = Number.NEGATIVE_INFINITY;
  if (places.length <= most) return least;
  const largest = new Float64Array(2 * most);
  let count = 0;
  const cut = (): void => {
    largest.subarray(0, count).sort();
    largest.copyWithin(0, count - most, count);
    count = most;
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
