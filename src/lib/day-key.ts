/**
 * Combines an id and a day into one number, because a Map finds numbers faster than texts. Days are counted since 1970,
 * and stay below 131,072 until the year 2328.
 */
export const makeDayKey = (id: number, day: number): number => id * 131_072 + day;
export const readKeyId = (key: number): number => Math.floor(key / 131_072);
export const readKeyDay = (key: number): number => key % 131_072;
