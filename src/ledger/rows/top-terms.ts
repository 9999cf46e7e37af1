// Chooses the rows of a breakdown for an answer: the rows with the largest ranks. Rows with equal ranks are sorted by
// text.
//
// Invariant: the result is the same as if all rows were sorted. But fewer texts are read, and only a few rows are in
// memory at a time.
//
// Example: 240,000 pages have one visitor each, and ten pages are wanted. All texts are read, because all ranks are
// equal. At most 20 rows are in memory. Reports call `listTopRows` at their end, when texts replace terms.
import { compareCodePoints } from '../../lib/code-points.ts';
import { makeSearch } from '../../lib/search.ts';
import type { Texts } from './terms.ts';

/**
 * Which rows are wanted: only rows with `search` in their text, sorted by rank. The first `offset` rows are skipped,
 * and the next `limit` rows are returned.
 */
type Wanted = { limit: number; offset?: number | undefined; search?: string | undefined };

type Row = { place: number; value: string };

/**
 * Lists the terms with the largest ranks. Terms with equal ranks are sorted by text. Reading a text takes a query of
 * the database. So only the texts of large ranks are read, unless the report searches for a text.
 */
export function listTopRows(
  terms: ArrayLike<number>,
  ranks: ArrayLike<number>,
  { limit, offset = 0, search = '' }: Wanted,
  readText: Texts['readText'],
): Row[] {
  const isFound = makeSearch(search);
  const all = new Uint32Array(terms.length).map((_, place) => place);
  const found = search === '' ? all : all.filter((place) => isFound(readText(terms[place] as number)));
  const readRank = (place: number) => ranks[place] as number;
  const wanted = offset + limit;
  const least = findLeast(ranks, found, wanted);
  const first = (rows: Row[]): Row[] =>
    rows
      .sort((one, other) => readRank(other.place) - readRank(one.place) || compareCodePoints(one.value, other.value))
      .slice(0, wanted);
  let rows: Row[] = [];
  for (const place of found) {
    if (readRank(place) < least) continue;
    rows.push({ place, value: readText(terms[place] as number) });
    // A million pages may have equal ranks. To use little memory, at most 2 × `wanted` rows are kept.
    if (rows.length === 2 * wanted) rows = first(rows);
  }
  return first(rows).slice(offset);
}

/**
 * Returns the lowest rank among the first `limit` rows of an answer. Texts with lower ranks need not be read. Only 2 ×
 * `limit` ranks are sorted at a time. Sorting the ranks of all pages would take a fifth of a query's time.
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
