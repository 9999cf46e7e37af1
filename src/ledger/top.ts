import { byCodePoint } from '../lib/code-points.ts';
import { containing } from '../lib/search.ts';
import type { Texts } from './terms.ts';

/** Which rows are wanted: those that contain a text, in the order of their ranks, from one on. */
type Wanted = { limit: number; offset?: number | undefined; search?: string | undefined };

/**
 * The places of the terms with the largest ranks, then by the code points of their texts. Texts are looked up only where the rank is
 * large enough, because each lookup is a query.
 */
export function topRows(
  terms: ArrayLike<number>,
  ranks: ArrayLike<number>,
  { limit, offset = 0, search = '' }: Wanted,
  textOf: Texts['textOf'],
): { place: number; value: string }[] {
  const isFound = containing(search);
  const all = Array.from(terms, (_, place) => place);
  const found = search === '' ? all : all.filter((place) => isFound(textOf(terms[place] as number)));
  const rankOf = (place: number) => ranks[place] as number;
  const threshold =
    Float64Array.from(found, rankOf)
      .sort()
      .at(-(offset + limit)) ?? Number.NEGATIVE_INFINITY;
  return found
    .filter((place) => rankOf(place) >= threshold)
    .map((place) => ({ place, value: textOf(terms[place] as number) }))
    .sort((one, other) => rankOf(other.place) - rankOf(one.place) || byCodePoint(one.value, other.value))
    .slice(offset, offset + limit);
}
