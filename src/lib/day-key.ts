/** Combines an id and a day into one number, which is faster as a map key. Days stay below 2^17 until the year 2328. */
export const makeDayKey = (id: number, day: number): number => id * 131_072 + day;
export const readKeyId = (key: number): number => Math.floor(key / 131_072);
export const readKeyDay = (key: number): number => key % 131_072;
