// Tries hard to make the built program lose, leak or stall: `npm run torture [-- --short] [-- --only D1]`. Each trial is a test
// named by its letter and number and what it promises; it says its seed and figures, and is bounded in time.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';

const MINUTES = { short: 3, full: 20 };

const { values } = parseArgs({ options: { short: { type: 'boolean' }, only: { type: 'string' } } });
const form = values.short ? 'short' : 'full';
const files = globSync(join(import.meta.dirname, '*.test.ts')).sort();
const trials = run({
  files,
  // One after the other: together they would measure each other.
  concurrency: 1,
  timeout: MINUTES[form] * 60_000,
  env: { ...process.env, TORTURE: form },
  ...(values.only === undefined ? {} : { testNamePatterns: [new RegExp(`^${values.only} `)] }),
});
trials.on('test:fail', () => {
  process.exitCode = 1;
});
trials.compose(spec()).pipe(process.stdout);
