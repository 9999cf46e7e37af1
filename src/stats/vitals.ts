// Web vitals: how fast a page was for a visitor. Values are counted in histograms with narrow buckets.
//
// Invariant: the value of a bucket differs by at most 2 % from each value in the bucket. The bounds of `good` and
// `poor` are edges of buckets, therefore the shares of good and poor values are exact.
//
// Example: an LCP of 2,431 ms belongs to the bucket of 2,352 to 2,447 ms, whose value is 2,399. The vitals of a
// pageview are packed into one number with five fields of 9 bits. The field of a vital has the number of its bucket, or
// 0 if the vital was not measured. Engines store packed numbers with hits, and count how many values each bucket has.
// reports.ts computes percentiles. The API returns the bounds.
import { computeShare } from '../lib/percent.ts';
import type { DimensionName } from './dimensions.ts';

/**
 * The vitals. `lcp`, `inp`, `fcp` and `ttfb` are times in milliseconds. `cls` has no unit. Vitals that may grow while a
 * page is open are first, so they are in the highest bits of a packed number. Therefore, if a pageview has two packed
 * numbers, the larger one is the later one.
 */
export const VITALS = ['cls', 'inp', 'lcp', 'fcp', 'ttfb'] as const;
export type Vital = (typeof VITALS)[number];
export type VitalValues = { [Name in Vital]?: number | undefined };

/**
 * A value up to `good` is good. A value above `poor` is poor. Google publishes these bounds (web.dev/articles/vitals).
 */
export const VITAL_BOUNDS: Record<Vital, { good: number; poor: number }> = {
  cls: { good: 0.1, poor: 0.25 },
  inp: { good: 200, poor: 500 },
  lcp: { good: 2_500, poor: 4_000 },
  fcp: { good: 1_800, poor: 3_000 },
  ttfb: { good: 800, poor: 1_800 },
};

/** The largest error of a percentile, as a share of its value. */
export const VITAL_ERROR = 0.02;

/** What the rows of a report of vitals may be. With `none`, there is one row for all pageviews. */
export const VITALS_BY = ['none', 'pages', 'devices', 'countries', 'browsers'] as const;
export type VitalsBy = (typeof VITALS_BY)[number];

/** The dimension of each kind of rows. The page is the page of the pageview. All others describe its visit. */
export const VITAL_DIMENSIONS = {
  pages: 'page',
  devices: 'device',
  countries: 'country',
  browsers: 'browser',
} as const satisfies Record<Exclude<VitalsBy, 'none'>, DimensionName>;

/** The number of units in a value of 1. A unit is 0.0001 for `cls`, and 1 ms for all other vitals. */
const UNITS: Record<Vital, number> = { cls: 10_000, inp: 1, lcp: 1, fcp: 1, ttfb: 1 };

/**
 * The largest value that is stored, in units (`UNITS`): ten minutes, or a CLS of 60. A larger value is ignored, because
 * it is no measurement of a page.
 */
const MOST = 600_000;

const BITS = 9;
const SIZE = 2 ** BITS;

/**
 * The buckets of a vital, ascending. The bucket with index `i` has the values above `tops[i - 1]`, up to `tops[i]`. All
 * values are in units: a unit is 0.0001 for `cls`, and 1 ms for all other vitals.
 */
type Buckets = { tops: number[]; values: number[] };

function makeBuckets(vital: Vital): Buckets {
  const { good, poor } = VITAL_BOUNDS[vital];
  const edges = [good, poor].map((bound) => Math.round(bound * UNITS[vital]));
  const buckets: Buckets = { tops: [0], values: [0] };
  for (let bottom = 1; bottom <= MOST; ) {
    const value = Math.floor(bottom * (1 + VITAL_ERROR));
    const widest = Math.floor(value / (1 - VITAL_ERROR));
    const edge = edges.find((one) => one >= bottom) ?? MOST;
    const top = Math.min(widest, edge, MOST);
    buckets.tops.push(top);
    buckets.values.push(Math.min(value, top));
    bottom = top + 1;
  }
  return buckets;
}

const BUCKETS = Object.fromEntries(VITALS.map((vital) => [vital, makeBuckets(vital)])) as Record<Vital, Buckets>;

/** Returns the number of a value's bucket, from 1. Returns 0 for a value that is no measurement. */
function findBucket(vital: Vital, value: number | undefined): number {
  if (value === undefined || !(value >= 0)) return 0;
  const units = Math.round(value * UNITS[vital]);
  if (units > MOST) return 0;
  const { tops } = BUCKETS[vital];
  let [low, high] = [0, tops.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tops[middle] as number) < units) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}

export const readVital = (vital: Vital, bucket: number): number =>
  (BUCKETS[vital].values[bucket - 1] ?? 0) / UNITS[vital];

/** Packs the vitals of a pageview into one number of 45 bits. Returns 0 if there is no value. */
export const packVitals = (values: VitalValues): number =>
  VITALS.reduce((packed, vital) => packed * SIZE + findBucket(vital, values[vital]), 0);

/** Returns the number of the bucket of each vital. A vital without a value has 0. */
export function unpackBuckets(packed: number): number[] {
  const buckets: number[] = [];
  for (let rest = packed, i = VITALS.length - 1; i >= 0; i--, rest = Math.floor(rest / SIZE)) buckets[i] = rest % SIZE;
  return buckets;
}

export const packBuckets = (buckets: ArrayLike<number>): number =>
  VITALS.reduce((packed, _, i) => packed * SIZE + (buckets[i] ?? 0), 0);

/** Returns the values of the buckets. Packing these values again gives the same packed number. */
export const unpackVitals = (packed: number): VitalValues =>
  Object.fromEntries(
    unpackBuckets(packed).flatMap((bucket, i) => {
      const vital = VITALS[i] as Vital;
      return bucket === 0 ? [] : [[vital, readVital(vital, bucket)]];
    }),
  );

const VALUE = `(?:${VITALS.join('|')})=\\d{1,6}(?:\\.\\d{1,4})?`;

/** Matches a text that `writeVitals` wrote into a file, such as `lcp=2434 cls=0.05`. */
export const VITALS_TEXT = new RegExp(`^${VALUE}(?: ${VALUE})*$`);

export const writeVitals = (values: VitalValues): string =>
  Object.entries(values)
    .map((entry) => entry.join('='))
    .join(' ');

export const parseVitals = (text: string): VitalValues =>
  Object.fromEntries(
    text.split(' ').map((part) => {
      const [name, value] = part.split('=');
      return [name, Number(value)];
    }),
  );

/** Writes the SQL that reads the bucket of a vital from a packed number. */
export const selectBucket = (vital: Vital, packed: string): string =>
  `bitAnd(bitShiftRight(${packed}, ${BITS * (VITALS.length - 1 - VITALS.indexOf(vital))}), ${SIZE - 1})`;

/**
 * The number of different keys. A key stands for a vital and a bucket (`makeKey`), and values are counted by key. One
 * map may have the counts of several rows of a report. Then the keys of row 1 begin at `KEYS`, and the keys of row 2
 * begin at `2 * KEYS`.
 */
export const KEYS = SIZE * VITALS.length;

export const makeKey = (vital: number, bucket: number): number => vital * SIZE + bucket;

/** The key that counts a row's pageviews with at least one vital. No value has the bucket 0, so this key is free. */
export const ALL = makeKey(0, 0);

/**
 * One row of a report of vitals. `counts` says how many values each bucket of each vital has (`makeKey`), and how many
 * pageviews have at least one vital (`ALL`).
 */
export type VitalRow = { value: string; counts: ReadonlyMap<number, number> };

/**
 * A percentile is null if nothing was measured. `count` is the number of measurements. `good`, `middle` and `poor` are
 * shares in percent.
 */
export type VitalFigures = Record<'p50' | 'p75' | 'p95', number | null> &
  Record<'count' | 'good' | 'middle' | 'poor', number>;

const PERCENTILES = { p50: 50, p75: 75, p95: 95 } as const;

/** Finds the bucket of a percentile. Of 4 values, the 75th percentile is the third one. */
function findPercentile(sorted: readonly (readonly [bucket: number, count: number])[], all: number, percent: number) {
  let rest = Math.ceil((all * percent) / 100);
  for (const [bucket, count] of sorted) {
    rest -= count;
    if (rest <= 0) return bucket;
  }
  return 0;
}

function summarize(vital: Vital, counts: ReadonlyMap<number, number>): VitalFigures {
  const first = makeKey(VITALS.indexOf(vital), 0);
  const sorted = [...counts]
    .filter(([key, count]) => key > first && key < first + SIZE && count > 0)
    .map(([key, count]) => [key - first, count] as const)
    .sort(([one], [other]) => one - other);
  const { good, poor } = VITAL_BOUNDS[vital];
  const countWhere = (test: (value: number) => boolean) =>
    sorted.reduce((sum, [bucket, count]) => sum + (test(readVital(vital, bucket)) ? count : 0), 0);
  const count = countWhere(() => true);
  const [goods, poors] = [countWhere((value) => value <= good), countWhere((value) => value > poor)];
  const percentiles = Object.entries(PERCENTILES).map(([name, percent]) => [
    name,
    count === 0 ? null : readVital(vital, findPercentile(sorted, count, percent)),
  ]);
  return {
    ...(Object.fromEntries(percentiles) as Record<keyof typeof PERCENTILES, number | null>),
    count,
    good: computeShare(goods, count),
    middle: computeShare(count - goods - poors, count),
    poor: computeShare(poors, count),
  };
}

export const summarizeRow = ({ counts }: VitalRow): Record<Vital, VitalFigures> =>
  Object.fromEntries(VITALS.map((vital) => [vital, summarize(vital, counts)])) as Record<Vital, VitalFigures>;
