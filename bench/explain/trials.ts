// Plants a change on a made-up site, and searches for it.
import { type Dice, dice } from '../../src/demo/dice.ts';
import {
  type Cells,
  explain,
  type Found,
  listSingly,
  type Property,
  type TriedValues,
} from '../../src/stats/explain.ts';
import { EXPLAIN_DIMENSION_NAMES, type ExplainKey, findKind } from '../../src/stats/explain-dimensions.ts';
import { type CountedPair, measureNoise } from '../../src/stats/explain-noise.ts';
import { chooseValues, type DimensionCounts } from '../../src/stats/explain-values.ts';
import { isHitKey } from '../../src/stats/table-keys.ts';
import type { Kind } from './kinds.ts';
import { listValues, makeSite, PROPERTY_KEYS, type Profile, type Site } from './site.ts';

/** `size` is the change of all visitors of the site, as a share of them. */
export type Trial = { planted: Property[]; found: Found[]; isFound: boolean; isFirst: boolean; ms: number };

const WEEK = [1.1, 1.15, 1.15, 1.1, 1, 0.7, 0.8];
/** From so many days on, weeks are compared in place of days. */
const MOST_DAYS = 62;

/**
 * Makes a trial. With size 0, nothing changes except by chance. With `views` above 1, the pageviews of visitors are
 * explained: each visitor has so many on average.
 */
export async function runTrial(kind: Kind, size: number, seed: number, views = 1): Promise<Trial> {
  const thrown = dice(seed);
  const site = makeSite(thrown, kind);
  const isKnown = (key: ExplainKey): boolean => views === 1 || !isHitKey(key);
  const planted = size === 0 ? undefined : plant(thrown, site, size, PLANTED.filter(isKnown));
  const isPlanted = site.profiles.map((profile) => planted !== undefined && hasAll(profile, planted));
  const share = sumWeights(site, isPlanted);
  const times = planted ? 1 + size / share : 1;
  const count = (change: (i: number) => number): Days =>
    countDays(thrown, kind, site, change).map((day) => day.map((visitors) => addViews(thrown, visitors, views)));
  const before = count(() => 1);
  const after = count((i) => (kind.grown ?? 1) * (isPlanted[i] ? times : 1));
  const begin = performance.now();
  const found = await search(site, kind, { before, after }, { isKnown, unit: 2 * views - 1 });
  const ms = performance.now() - begin;
  const certain = found.filter(({ isCertain }) => isCertain);
  const isRight = ({ properties }: Found): boolean => compareGroups(site, properties, isPlanted) >= ALIKE;
  const [first] = certain;
  return {
    ...{ planted: planted ?? [], found: certain, ms },
    ...{ isFound: certain.some(isRight), isFirst: first !== undefined && isRight(first) },
  };
}

/** A combination is right if it is the planted one, or has nearly the same visitors: nine tenths in common. */
const ALIKE = 0.9;

/** A planted combination has at least this share of the visitors, and at most that one. */
const SHARE = { least: 0.02, most: 0.5 };

const PLANTED: readonly ExplainKey[] = [
  ...(['channel', 'source', 'utm_campaign', 'country', 'language', 'region'] as const),
  ...(['device', 'os', 'browser', 'entry', 'hostname', 'property:plan', 'property:topic', 'property:item'] as const),
];

/** Chooses one to three properties of a visitor, of dimensions that do not depend on each other. */
function plant(thrown: Dice, site: Site, size: number, keys: readonly ExplainKey[]): Property[] {
  for (;;) {
    const profile = thrown.pick(site.profiles.map((one, i) => [one, site.weights[i] as number] as const));
    const count = thrown.between(1, 3);
    const names = keys
      .map((name) => [name, thrown.roll()] as const)
      .sort(([, one], [, other]) => one - other)
      .map(([name]) => name)
      .filter((name) => (listValues(profile, name)[0] ?? '') !== '');
    const own = names.filter((name, i) => names.findIndex((other) => findKind(other) === findKind(name)) === i);
    const properties = own
      .slice(0, count)
      .map((dimension) => ({ dimension, value: listValues(profile, dimension)[0] as string }));
    const share = sumWeights(
      site,
      site.profiles.map((one) => hasAll(one, properties)),
    );
    if (share >= Math.max(SHARE.least, -size) && share <= SHARE.most) return properties;
  }
}

const hasAll = (profile: Profile, properties: readonly Property[]): boolean =>
  properties.every(({ dimension, value }) => listValues(profile, dimension).includes(value));

const sumWeights = ({ weights }: Site, isIn: readonly boolean[]): number =>
  weights.reduce((sum, weight, i) => sum + (isIn[i] ? weight : 0), 0);

/** The share of visitors that two groups have in common, of those in any of them. */
function compareGroups(site: Site, properties: readonly Property[], isPlanted: readonly boolean[]): number {
  const isIn = site.profiles.map((profile) => hasAll(profile, properties));
  const both = sumWeights(
    site,
    isIn.map((one, i) => one && isPlanted[i] === true),
  );
  return (
    both /
    sumWeights(
      site,
      isIn.map((one, i) => one || isPlanted[i] === true),
    )
  );
}

/** The visitors of each profile, day by day. */
type Days = Uint32Array[];

function countDays(
  thrown: Dice,
  { visitors, days, uneven = 0, bursts = 0 }: Kind,
  site: Site,
  change: (i: number) => number,
): Days {
  return Array.from({ length: days }, (_, day) => {
    const mean = visitors * (WEEK[day % WEEK.length] as number) * vary(thrown, uneven);
    const ofChannels = new Map<string, number>();
    return Uint32Array.from(site.weights, (weight, i) => {
      const [channel = ''] = listValues(site.profiles[i] as Profile, 'channel');
      const burst = ofChannels.get(channel) ?? vary(thrown, bursts);
      ofChannels.set(channel, burst);
      return poisson(thrown, mean * weight * change(i) * burst);
    });
  });
}

/** Counts the pageviews of some visitors. Each visitor leaves after each page with equal chance. */
function addViews(thrown: Dice, visitors: number, views: number): number {
  if (views === 1) return visitors;
  if (visitors > 50) return Math.round(visitors * views + Math.sqrt(visitors * views * (views - 1)) * normal(thrown));
  let sum = 0;
  for (let i = 0; i < visitors; i++) {
    sum++;
    while (thrown.roll() > 1 / views) sum++;
  }
  return sum;
}

/** A factor with the mean 1. */
const vary = (thrown: Dice, spread: number): number =>
  spread === 0 ? 1 : Math.exp(spread * normal(thrown) - spread ** 2 / 2);

const normal = ({ roll }: Dice): number => Math.sqrt(-2 * Math.log(1 - roll())) * Math.cos(2 * Math.PI * roll());

function poisson(thrown: Dice, mean: number): number {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(thrown)));
  let count = 0;
  for (let left = Math.exp(-mean), product = thrown.roll(); product > left; product *= thrown.roll()) count++;
  return count;
}

type Both = { before: Days; after: Days };

/** Searches as stats/difference.ts does. Counts are divided by `unit`. */
async function search(
  site: Site,
  { days }: Kind,
  both: Both,
  { isKnown, unit }: { isKnown(key: ExplainKey): boolean; unit: number },
): Promise<Found[]> {
  const read = (days: Days): Float64Array => addDays(days).map((count) => count / unit);
  const sums = { before: read(both.before), after: read(both.after) };
  const all = { before: sumAll(sums.before), after: sumAll(sums.after) };
  const counts = [...EXPLAIN_DIMENSION_NAMES, ...PROPERTY_KEYS]
    .filter(isKnown)
    .map((dimension) => countValues(site, dimension, sums));
  const noise = measureNoises(site, counts, both, { step: days > MOST_DAYS ? 7 : 1, unit });
  const tried = chooseValues({ counts, all });
  return explain(makeCells(site, tried, sums), (dimension) => noise.get(findKind(dimension)) ?? 1);
}

const sumAll = (list: ArrayLike<number>): number => Array.from(list).reduce((sum, count) => sum + count, 0);

function addDays(days: Days): Float64Array {
  const sums = new Float64Array(days[0]?.length ?? 0);
  for (const day of days) for (const [i, count] of day.entries()) sums[i] = (sums[i] as number) + count;
  return sums;
}

type Sums = Record<'before' | 'after', Float64Array>;

function countValues({ profiles }: Site, dimension: ExplainKey, { before, after }: Sums): DimensionCounts {
  const counts = new Map<string, { value: string; before: number; after: number }>();
  for (const [i, profile] of profiles.entries()) {
    for (const value of listValues(profile, dimension)) {
      const own = counts.get(value) ?? { value, before: 0, after: 0 };
      own.before += before[i] as number;
      own.after += after[i] as number;
      counts.set(value, own);
    }
  }
  const isListed = ({ value }: { value: string }): boolean => value !== '' || !dimension.startsWith('utm');
  return { dimension, values: [...counts.values()].filter(isListed) };
}

function measureNoises(
  site: Site,
  counts: readonly DimensionCounts[],
  both: Both,
  { step, unit }: { step: number; unit: number },
) {
  const pair = (isIn: (profile: number) => boolean): CountedPair[] =>
    pairDays(both, step, isIn).map(({ before, after }) => ({ before: before / unit, after: after / unit }));
  const kinds = new Set(counts.map((one) => findKind(one.dimension)));
  return new Map<ExplainKey, number>(
    [...kinds].map((dimension) => {
      const values = counts.find((one) => one.dimension === dimension)?.values ?? [];
      const largest = values.toSorted((one, other) => other.before + other.after - one.before - one.after).slice(0, 6);
      const pairs = largest.map(({ value }) =>
        pair((i) => listValues(site.profiles[i] as Profile, dimension).includes(value)),
      );
      return [
        dimension,
        measureNoise(
          pairs,
          pair(() => true),
        ),
      ];
    }),
  );
}

function pairDays({ before, after }: Both, step: number, isIn: (profile: number) => boolean): CountedPair[] {
  const pairs: CountedPair[] = [];
  const add = (day: number, name: keyof CountedPair, counts: Uint32Array): void => {
    const place = Math.floor(day / step);
    const pair = pairs[place] ?? { before: 0, after: 0 };
    for (const [i, count] of counts.entries()) if (isIn(i)) pair[name] += count;
    pairs[place] = pair;
  };
  for (const [day, counts] of before.entries()) add(day, 'before', counts);
  for (const [day, counts] of after.entries()) add(day, 'after', counts);
  return pairs;
}

/** Puts profiles with equal tried values into one cell. */
function makeCells({ profiles }: Site, chosen: readonly TriedValues[], { before, after }: Sums): Cells {
  const tried = listSingly(chosen);
  const cells = new Map<string, { codes: number[]; before: number; after: number }>();
  for (const [i, profile] of profiles.entries()) {
    const codes = tried.map(({ dimension, values }) => {
      const own = listValues(profile, dimension);
      return values.findIndex((value) => own.includes(value)) + 1;
    });
    const cell = cells.get(codes.join()) ?? { codes, before: 0, after: 0 };
    cell.before += before[i] as number;
    cell.after += after[i] as number;
    cells.set(codes.join(), cell);
  }
  const all = [...cells.values()];
  return {
    tried,
    codes: tried.map((_, place) => Uint8Array.from(all, ({ codes }) => codes[place] as number)),
    before: Float64Array.from(all, (one) => one.before),
    after: Float64Array.from(all, (one) => one.after),
  };
}
