import { DAY } from '../../lib/time.ts';
import { joinPlanes, splitPlanes } from './bits.ts';
import { type Numbers, narrow } from './packing.ts';

const NONE = new Uint8Array(0);

/**
 * `takeDifferences` stores differences between times modulo one day, so that no difference is negative. If a day has
 * hits outside of the UTC day, the modulus is four days. In every time zone, the hits of a day lie between 24 hours
 * before and 72 hours after 00:00 UTC. No two times in these four days are equal modulo four days.
 */
const WIDE = 4 * DAY;

/**
 * Replaces the time of each hit by the difference from an earlier time. The earlier time is the time of the previous
 * hit, or a base time. Of these two differences, the smaller one is stored, because small numbers compress well. If a
 * hit uses the base time, the hit's own time becomes the next base time. The base time is therefore usually the first
 * hit of the previous visitor. Visitors are sorted by their first hits, so differences from the base time are small.
 * Each stored number is twice the difference, plus 1 if the difference is from the base time. Differences are modulo
 * one day, so no difference is negative. If any hit is outside the UTC day, all differences are modulo four days.
 *
 * For example, the times 10, 70 and 20 become 20, 120 and 41. Here, 41 means 20 s after the base time, which is 0 at
 * first. The first returned list has one number: one day or four days, in seconds. The other lists are the planes of
 * the stored numbers (bits.ts).
 */
export function takeDifferences(seconds: Numbers): Numbers[] {
  const modulus = seconds.every((second) => second >= 0 && second < DAY) ? DAY : WIDE;
  let [last, first] = [0, 0];
  const deltas = Uint32Array.from(seconds, (second) => {
    const sinceLast = (second - last + modulus) % modulus;
    const sinceFirst = (second - first + modulus) % modulus;
    last = second;
    if (sinceLast <= sinceFirst) return 2 * sinceLast;
    first = second;
    return 2 * sinceFirst + 1;
  });
  return [narrow([modulus]), ...splitPlanes(deltas)];
}

export function addDifferences([told = NONE, ...planes]: Numbers[]): Numbers {
  const [modulus = DAY] = told;
  const deltas = joinPlanes(planes);
  const seconds = new Int32Array(deltas.length);
  let [last, first] = [0, 0];
  for (let i = 0; i < deltas.length; i++) {
    const delta = deltas[i] as number;
    const isFirst = delta & 1;
    // The earlier time (`first` or `last`) and the difference are each below the modulus. So one subtraction brings
    // their sum below the modulus. A division would take five times as long.
    const beyond = (isFirst ? first : last) + (delta >>> 1) - modulus;
    last = beyond + (modulus & (beyond >> 31));
    if (isFirst) first = last;
    seconds[i] = last;
  }
  if (modulus === DAY) return new Uint32Array(seconds.buffer);
  return seconds.map((second) => (second < WIDE - DAY ? second : second - WIDE));
}
