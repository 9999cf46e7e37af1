// Checks the bounds that `notes/{note}/effect` gives: `npm run bench:effects`. On made-up sites the true change is
// known. In 95 of 100 runs it must be between the bounds. `-- 500` makes fewer runs. The exit code is 1 if less than 93
// or more than 97 of 100 runs are right.
import { seeded } from '../src/lib/seeded.ts';
import { type CountPair, measureEffect } from '../src/stats/effects.ts';
import { show } from './stats/table.ts';

const [RUNS = 2_000, SEED = 20_260_310] = process.argv
  .slice(2)
  .filter((one) => one !== '--markdown')
  .map(Number);
const BOUNDS = { low: 93, high: 97 };
const PAIRS = [7, 10, 14];
const WEEK = [1.1, 1.15, 1.15, 1.1, 1, 0.7, 0.8];
/** The true changes, as the number after divided by the number before. Each is tried in equally many runs. */
const TRUTHS = [0.7, 1, 1.1, 1.5];

/**
 * A kind of site. `mean` is the mean count of a day. `shape` says how much days vary beyond chance: it is the shape of
 * a gamma distribution, so counts are negative binomial. Infinity means Poisson. `carried` is how much of this
 * variation a day passes on to the next day.
 */
type Kind = { name: string; mean: number; shape: number; carried?: number };

const KINDS: Kind[] = [
  { name: '1 conversion a day', mean: 1, shape: Number.POSITIVE_INFINITY },
  { name: '2 conversions a day', mean: 2, shape: Number.POSITIVE_INFINITY },
  { name: '5 a day, ±45 %', mean: 5, shape: 5 },
  { name: '20 a day', mean: 20, shape: Number.POSITIVE_INFINITY },
  { name: '20 a day, ±58 %', mean: 20, shape: 3 },
  { name: '200 a day, ±22 %', mean: 200, shape: 20 },
  { name: '2,000 a day, ±22 %', mean: 2_000, shape: 20 },
  { name: '20,000 a day', mean: 20_000, shape: Number.POSITIVE_INFINITY },
  { name: '20,000 a day, ±10 %', mean: 20_000, shape: 100 },
  { name: '20,000 a day, ±58 %', mean: 20_000, shape: 3 },
];

/**
 * The method does not know that days may be similar to the day before. These sites show what that does to the result.
 */
const BEYOND: Kind[] = [{ name: '2,000 a day, ±22 %, half of it carried on', mean: 2_000, shape: 20, carried: 0.5 }];

const random = seeded(SEED);

const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Draws from a gamma distribution with a shape of at least 1, by the method of Marsaglia and Tsang. */
function gamma(shape: number): number {
  const [d, c] = [shape - 1 / 3, 1 / Math.sqrt(9 * shape - 3)];
  for (;;) {
    const x = normal();
    const cube = (1 + c * x) ** 3;
    if (cube > 0 && Math.log(1 - random()) < (x * x) / 2 + d - d * cube + d * Math.log(cube)) return d * cube;
  }
}

/**
 * Draws from a Poisson distribution, by counting exponential waits. For a large mean, a normal distribution is
 * practically the same.
 */
function poisson(mean: number): number {
  if (mean > 500) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
  const wait = () => -Math.log(1 - random());
  let count = 0;
  for (let waited = wait(); waited < mean; waited += wait()) count++;
  return count;
}

/** Makes a factor for each of several days in a row: the day's mean, as a part of the usual mean. */
function unevenness({ shape, carried = 0 }: Kind, days: number): number[] {
  if (shape === Number.POSITIVE_INFINITY) return new Array<number>(days).fill(1);
  const own = () => gamma(shape) / shape;
  let last = own();
  return Array.from({ length: days }, () => {
    last = 1 + carried * (last - 1) + Math.sqrt(1 - carried ** 2) * (own() - 1);
    return Math.max(0, last);
  });
}

function pairsOf(kind: Kind, count: number, truth: number): CountPair[] {
  const uneven = unevenness(kind, 2 * count);
  const counted = (pair: number, day: number, change: number) =>
    poisson(kind.mean * (WEEK[pair % WEEK.length] ?? 1) * change * (uneven[day] ?? 1));
  return Array.from({ length: count }, (_, pair) => ({
    before: counted(pair, pair, 1),
    after: counted(pair, count + pair, truth),
  }));
}

/** Counts in how many of 100 runs the true change was between the bounds. Runs without bounds are not counted. */
function coverageOf(kind: Kind, count: number): { held: number; without: number } {
  let [held, without] = [0, 0];
  for (let run = 0; run < RUNS; run++) {
    const truth = TRUTHS[run % TRUTHS.length] ?? 1;
    const { interval } = measureEffect(pairsOf(kind, count, truth));
    const change = (truth - 1) * 100;
    if (interval === null) without++;
    else if (interval[0] <= change && change <= interval[1]) held++;
  }
  return { held: (held * 100) / Math.max(1, RUNS - without), without };
}

const rowOf = (kind: Kind) => ({ kind, found: PAIRS.map((count) => coverageOf(kind, count)) });
const isWrong = ({ held }: { held: number }): boolean => held < BOUNDS.low || held > BOUNDS.high;

console.log(`${RUNS} runs each, seed ${SEED}: how many of 100 intervals hold the truth`);
const bound = KINDS.map(rowOf);
const rows = [...bound, ...BEYOND.map(rowOf)].map(({ kind, found }) => [
  kind.name,
  ...found.map(({ held, without }) => `${held.toFixed(1)}${without > 0 ? ` (${without} without)` : ''}`),
]);
show(['kind of site', ...PAIRS.map((count) => `${count} pairs`)], rows, process.argv.includes('--markdown'));
if (bound.some(({ found }) => found.some(isWrong))) {
  console.log(`some are not within ${BOUNDS.low} and ${BOUNDS.high}`);
  process.exitCode = 1;
}
