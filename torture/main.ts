// Tries hard to make the built program lose, leak or stall: `npm run torture [-- --short] [-- --only D1]`; with `--cluster` that over a
// cluster, of which `--trouble NAME,NAME` lets only these things happen. With PART=0/2 only every second file of trials runs. Each
// trial is a test named by its letter and number and what it promises; it says its seed and figures, and is bounded in time.
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { takePart } from '../test/support/part.ts';

const MINUTES = { short: 10, full: 20 };
const CLUSTER_MINUTES = { short: 10, full: 90 };

/** Trials that bound how long something takes, so that nothing may run beside them. */
const ALONE = ['bodies', 'flood', 'load', 'night', 'properties', 'sockets', 'words'];
/** The others wait for disks, kills and timers for most of the time. */
const TOGETHER = 3;

const { values } = parseArgs({
  options: {
    short: { type: 'boolean' },
    cluster: { type: 'boolean' },
    only: { type: 'string' },
    trouble: { type: 'string' },
  },
});
const form = values.short ? 'short' : 'full';

/** Runs the trials of some files. */
async function tried(files: readonly string[], concurrency: number, minutes = MINUTES): Promise<void> {
  const trials = run({
    files,
    concurrency,
    timeout: minutes[form] * 60_000,
    env: { ...process.env, TORTURE: form, ...(values.trouble === undefined ? {} : { TROUBLE: values.trouble }) },
    ...(values.only === undefined ? {} : { testNamePatterns: [new RegExp(`^${values.only} `)] }),
  });
  trials.on('test:fail', () => {
    process.exitCode = 1;
  });
  for await (const line of trials.compose(spec())) process.stdout.write(line);
}

if (values.cluster) {
  await tried(takePart(globSync(join(import.meta.dirname, 'cluster/*.test.ts')).sort()), 1, CLUSTER_MINUTES);
} else {
  const files = takePart(globSync(join(import.meta.dirname, '*.test.ts')).sort());
  const [alone = [], together = []] = [true, false].map((isAlone) =>
    files.filter((file) => ALONE.includes(basename(file, '.test.ts')) === isAlone),
  );
  await tried(together, TOGETHER);
  await tried(alone, 1);
}
