/**
 * Combines an id and a day into one number, because a Map finds numbers faster than texts. Days are counted since 1970.
 * Until the year 2328 they stay below 131,072, so different pairs give different numbers.
 */
export const makeDayKey = (id: number, day: number): number => id * 131_072 + day;
export const readKeyId = (key: number): number => Math.floor(key / 131_072);
export const readKeyDay = (key: number): number => key % 131_072;
