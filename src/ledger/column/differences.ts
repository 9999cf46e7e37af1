import { DAY } from '../../lib/time.ts';
import { joinPlanes, splitPlanes } from './bits.ts';
import { type Numbers, narrow } from './packing.ts';

const NONE = new Uint8Array(0);

/**
 * The times of hits are stored as differences modulo one day (`takeDifferences`). This larger modulus is for days with
 * hits outside of the UTC day. In every time zone, the hits of a day lie within four days around 00:00 UTC. Two
 * different times of a day therefore also differ modulo four days.
 */
const WIDE = 4 * DAY;

/**
 * Replaces the time of each hit by a difference. There are two kinds of differences. The first kind is from the
 * previous hit. The second kind is from the latest hit that has this kind. This is usually the first hit of the
 * previous visitor. The smaller of the two is stored. Visitors are sorted by their first hits, so differences of the
 * second kind are small and compress well. Each stored number is twice the difference, plus 1 for the second kind.
 * Differences are modulo one day, or modulo four days if a hit is outside the UTC day. The first returned list has only
 * this modulus.
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
    // The previous time and the difference are below the modulus, so one subtraction is enough. A division would take
    // five times as long.
    const beyond = (isFirst ? first : last) + (delta >>> 1) - modulus;
    last = beyond + (modulus & (beyond >> 31));
    if (isFirst) first = last;
    seconds[i] = last;
  }
  if (modulus === DAY) return new Uint32Array(seconds.buffer);
  return seconds.map((second) => (second < WIDE - DAY ? second : second - WIDE));
}
