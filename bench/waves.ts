// Measures how well daybook finds waves of bots: `npm run bench:waves`. Waves of ten kinds (bench/waves/kinds.ts) are
// simulated on simulated sites. `-- --seeds 20` makes more waves. `-- --say` prints the suggestions for a wave that was
// missed, and for suggestions with real visits in them.
import { parseArgs } from 'node:util';
import { KINDS } from './waves/kinds.ts';
import { type Trial, trialsOn } from './waves/trials.ts';

const SITES = [200, 1_000, 5_000, 20_000];
/** The sizes of waves, as shares of the visits of a usual day. */
const SIZES = [0.05, 0.2, 0.5, 1, 2, 5];
/**
 * The limits apply to waves above this size. They say how many waves must be found, and how many real visits a
 * suggestion may exclude.
 */
const BOUND = 0.5;
const LEAST_FOUND = 0.9;
const MOST_INSIDE = 0.02;

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '5' }, say: { type: 'boolean' } } });
const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => i + 1);

const isLarge = ({ size }: Trial): boolean => size > BOUND;

function told(one: Trial, seed: number): Trial {
  if (values.say && isLarge(one) && (!one.isFound || one.inside > MOST_INSIDE)) {
    console.log(`${one.kind}, ${one.size} of ${one.usual}, seed ${seed}: ${one.inside.toFixed(3)} inside`, one.drafts);
  }
  return one;
}

const all = SITES.flatMap((usual) =>
  seeds.flatMap((seed) => [...trialsOn(usual, [0, ...SIZES], seed)].map((one) => told(one, seed))),
);

const mean = (some: readonly Trial[], of: (one: Trial) => number): number =>
  some.reduce((sum, one) => sum + of(one), 0) / some.length;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const foundOf = (some: readonly Trial[]): number => mean(some, ({ isFound }) => Number(isFound));
const insideOf = (some: readonly Trial[]): number => mean(some, ({ inside }) => inside);

function print(name: string, some: readonly Trial[]): void {
  const cells = SIZES.map((size) => {
    const own = some.filter((one) => one.size === size);
    return `${percent(foundOf(own))}, ${percent(insideOf(own))}`;
  });
  console.log(name.padEnd(46) + cells.map((cell) => cell.padStart(16)).join(''));
}

console.log(`seeds ${seeds.join(', ')}; how many waves are found, and how much of the real visits is inside\n`);
console.log(' '.repeat(46) + SIZES.map((size) => `${size * 100} % of a day`.padStart(16)).join(''));
for (const kind of Object.keys(KINDS))
  print(
    kind,
    all.filter((one) => one.kind === kind),
  );
for (const usual of SITES)
  print(
    `${usual} visits a day`,
    all.filter((one) => one.usual === usual),
  );

const large = all.filter(isLarge);
const still = all.filter(({ size }) => size === 0);
const [found, inside] = [foundOf(large), insideOf(large)];
console.log(
  `\nabove ${percent(BOUND)}: ${percent(found)} found (at least ${percent(LEAST_FOUND)}), ${percent(inside)} inside (below ${percent(MOST_INSIDE)})`,
);
console.log(
  `days without a wave for which something is suggested: ${percent(mean(still, ({ drafts }) => Math.min(drafts.length, 1)))}`,
);
console.log(`the slowest search took ${Math.max(...all.map(({ ms }) => ms)).toFixed(0)} ms`);
process.exitCode = found >= LEAST_FOUND && inside < MOST_INSIDE ? 0 : 1;
