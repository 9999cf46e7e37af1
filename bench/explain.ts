// Checks what `stats/explain` finds: `npm run bench:explain`. On 21 kinds of made-up sites (bench/explain/kinds.ts),
// the visitors change by 10 to 200 %, and one combination of one to three properties makes all of that change. On still
// sites, nothing changes but by chance. `-- --runs 20` makes fewer runs, `-- --say` prints what was wrong. With `--
// --views 3`, each visitor has three pageviews on average, and these are explained. With `-- --folder F`, only the time on a file of `npm run bench -- --folder F` is measured. The exit code is 1 if fewer than
// 90 % are found, if the first answer is right in fewer than 80 %, or if more than 2 % of the still sites have an
// answer.
import { parseArgs } from 'node:util';
import { isHitKey } from '../src/stats/table-keys.ts';
import { KINDS, type Kind } from './explain/kinds.ts';
import { measureLarge } from './explain/large.ts';
import { runTrial, type Trial } from './explain/trials.ts';
import { show } from './stats/table.ts';

/** The planted changes, as shares of the visitors of the site. */
const SIZES = [0.1, 0.2, 0.5, 1, 2, -0.1, -0.2, -0.3];
const LEAST_FOUND = 0.9;
const LEAST_FIRST = 0.8;
const MOST_FALSE = 0.02;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '48' },
    seed: { type: 'string', default: '1' },
    say: { type: 'boolean' },
    folder: { type: 'string' },
    views: { type: 'string', default: '1' },
    markdown: { type: 'boolean', default: false },
  },
});
const [runs, seed, views] = [Number(values.runs), Number(values.seed), Number(values.views)];

const say = (kind: Kind, size: number, { planted, found }: Trial): void => {
  const write = (properties: Trial['planted']) => properties.map((one) => `${one.dimension}=${one.value}`).join(' & ');
  const all = found.map((one) => `${write(one.properties)} (${one.before} → ${one.after})`);
  console.log(`${kind.name}, ${size}: planted ${write(planted) || 'nothing'}, found ${all.join(' | ') || 'nothing'}`);
};

async function runKind(kind: Kind, i: number) {
  const changed: (Trial & { size: number })[] = [];
  const still: Trial[] = [];
  for (let run = 0; run < runs; run++) {
    const size = SIZES[run % SIZES.length] as number;
    const one = { ...(await runTrial(kind, size, seed * 1_000_000 + i * 10_000 + run, views)), size };
    if (values.say && !one.isFirst) say(kind, size, one);
    changed.push(one);
    const other = await runTrial(kind, 0, seed * 1_000_000 + i * 10_000 + 5_000 + run, views);
    if (values.say && other.found.length > 0) say(kind, 0, other);
    still.push(other);
  }
  return { kind, changed, still };
}

const countShare = <One>(list: readonly One[], test: (one: One) => boolean): number =>
  list.length === 0 ? 0 : list.filter(test).length / list.length;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

async function plantAll(): Promise<void> {
  const all: Awaited<ReturnType<typeof runKind>>[] = [];
  for (const [i, kind] of KINDS.entries()) all.push(await runKind(kind, i));

  const describe = (name: string, changed: readonly Trial[], still: readonly Trial[]) => [
    name,
    percent(countShare(changed, ({ isFound }) => isFound)),
    percent(countShare(changed, ({ isFirst }) => isFirst)),
    still.length === 0 ? '' : percent(countShare(still, ({ found }) => found.length > 0)),
  ];
  const changed = all.flatMap((one) => one.changed);
  const still = all.flatMap((one) => one.still);
  console.log(`${runs} runs of each kind, with and without a change, seed ${seed}`);
  show(
    ['kind of site', 'found', 'first', 'false'],
    [
      ...all.map(({ kind, ...own }) => describe(kind.name, own.changed, own.still)),
      ...SIZES.map((size) =>
        describe(
          `a change of ${100 * size} %`,
          changed.filter((one) => one.size === size),
          [],
        ),
      ),
      describe(
        'a host name or a property in it',
        changed.filter(({ planted }) => planted.some(({ dimension }) => isHitKey(dimension))),
        [],
      ),
      describe('all', changed, still),
    ],
    values.markdown,
  );
  const times = [...changed, ...still].map(({ ms }) => ms).sort((one, other) => one - other);
  console.log(`a search takes ${times[times.length >> 1]?.toFixed(0)} ms, at most ${times.at(-1)?.toFixed(0)} ms`);

  const isGood =
    countShare(changed, ({ isFound }) => isFound) >= LEAST_FOUND &&
    countShare(changed, ({ isFirst }) => isFirst) >= LEAST_FIRST &&
    countShare(still, ({ found }) => found.length > 0) <= MOST_FALSE;
  if (!isGood) {
    console.log(`not all of: found in ${LEAST_FOUND}, first in ${LEAST_FIRST}, false in at most ${MOST_FALSE}`);
    process.exitCode = 1;
  }
}

await (values.folder === undefined ? plantAll() : measureLarge(values.folder));
