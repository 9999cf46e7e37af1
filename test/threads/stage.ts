import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Problem } from '../../src/lib/errors.ts';
import { makePool } from '../../src/threads/pool.ts';
import type { LinePlace } from '../../src/threads/waiting.ts';
import { until } from '../support/program.ts';

/** A thread that does as it is told, and knows how many jobs it has had. */
const CODE = `
const { parentPort, workerData: { stop } } = require('node:worker_threads');
let count = 0;
const jobs = {
  echo: (input) => parentPort.postMessage({ output: input }),
  count: () => parentPort.postMessage({ output: count }),
  fail: (input) => parentPort.postMessage({ error: input }),
  exit: () => process.exit(1),
  fall: () => setImmediate(() => { throw new Error('it fell'); }),
  hang: () => { for (;;); },
  sleep: () => {},
  hold: (_, number) => {
    for (let seen = 0; seen !== number; seen = Atomics.load(stop, 0)) Atomics.wait(stop, 0, seen, 1);
    parentPort.postMessage({ stopped: 'it took too long' });
  },
  exitLater: () => { setImmediate(() => process.exit(0)); parentPort.postMessage({ output: 'bye' }); },
};
parentPort.on('message', (message) => {
  if (message === 'end') process.exit();
  const { number, name, input } = message;
  count++;
  jobs[name](input, number);
});
parentPort.postMessage('loaded');
`;

/** A thread that takes a task and is in the middle of it until the test lets it finish. */
export const busy = (place: string): string => `const { existsSync, writeFileSync } = require('node:fs');
  const { parentPort } = require('node:worker_threads');
  const at = (name) => ${JSON.stringify(join(place, '/'))} + name;
  parentPort.postMessage('loaded');
  parentPort.on('message', (message) => {
    if (message === 'end') process.exit();
    writeFileSync(at('begun'), '');
    while (!existsSync(at('go on')));
    writeFileSync(at('finished'), '');
  });`;

type Run = (name: string, input?: unknown, key?: number, place?: Partial<LinePlace>) => Promise<unknown>;
type Options = { size?: number; patience?: number; code?: string; path?: string };

/** A busy machine never takes as long as `patience`, unless a test sets it. */
export function threads(t: TestContext, { size = 1, patience = 600_000, ...more }: Options = {}) {
  const lines: string[] = [];
  const log = (event: string) => lines.push(event);
  const made = makePool<Record<string, (input: unknown) => unknown>>({
    ...{ code: CODE, path: '', size, patience, priority: 0, log },
    ...more,
  });
  t.after(() => made.close());
  const run: Run = (name, input = null, key = 0, place = {}) => made.run({ key, ...place }, name, input);
  return { run, lines, close: made.close };
}

export const unavailable = (error: unknown): boolean => {
  assert.ok(error instanceof Problem);
  assert.deepEqual([error.code, error.status, error.headers['Retry-After']], ['unavailable', 503, '1']);
  return true;
};

/** Lets seconds pass until a job is refused; its time begins when a thread has it. */
export async function refusedInTime(t: TestContext, job: Promise<unknown>): Promise<void> {
  let isOver = false;
  const refused = assert.rejects(job, unavailable).finally(() => {
    isOver = true;
  });
  await until('its patience is over', () => {
    if (!isOver) t.mock.timers.tick(1_000);
    return isOver;
  });
  await refused;
}
