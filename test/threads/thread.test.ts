import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { startThread } from '../../src/threads/thread.ts';
import { folder } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { busy } from './stage.ts';

/** A thread that loads for as long as the test likes, and then says a word. Files are how it and the test hear of each other. */
function slow(t: TestContext): { code: string; has(event: string): boolean; goOn(): void } {
  const place = folder(t);
  const at = (name: string): string => join(place, name);
  const code = `const { existsSync, writeFileSync } = require('node:fs');
    const { parentPort, workerData } = require('node:worker_threads');
    const at = (name) => ${JSON.stringify(join(place, '/'))} + name;
    writeFileSync(at('begun'), '');
    while (!existsSync(at('go on')));
    writeFileSync(at('loaded'), '');
    parentPort.postMessage('loaded');
    parentPort.postMessage(workerData.word);
    parentPort.on('message', () => process.exit());`;
  return {
    code,
    has: (event) => existsSync(at(event)),
    goOn: () => writeFileSync(at('go on'), ''),
  };
}

test('a thread that is loading its libraries is ended only when it has them', async (t) => {
  const { code, has, goOn } = slow(t);
  const { end } = startThread(code, {}, () => {});
  await until('it is loading', () => has('begun'));
  const ended = end();
  goOn();
  await ended;
  assert.ok(has('loaded'));
});

test('that a thread has loaded is told to nobody, and what it says then to who started it', async (t) => {
  const { code, goOn } = slow(t);
  const heard: unknown[] = [];
  goOn();
  const { end } = startThread(code, { word: 'hello' }, (message) => heard.push(message));
  await until('it said something', () => heard.length > 0);
  await end();
  assert.deepEqual(heard, ['hello']);
});

// Node aborts the process if a thread is ended between two steps of the same call to compress.
test('a thread in the middle of a task finishes it before it ends', async (t) => {
  const place = folder(t);
  const has = (name: string) => existsSync(join(place, name));
  const { worker, end } = startThread(busy(place), {}, () => {});
  worker.postMessage('task');
  await until('it is in the middle', () => has('begun'));
  const ended = end();
  writeFileSync(join(place, 'go on'), '');
  await ended;
  assert.ok(has('finished'));
});

test('a thread that fails while it is loading can be ended too', async () => {
  const { worker, end } = startThread("throw new Error('no such library')", {}, () => {});
  const errors: string[] = [];
  worker.on('error', ({ message }) => errors.push(message));
  await end();
  assert.deepEqual(errors, ['no such library']);
});

/** Keeps objects for longer than one collection of young ones, and then says how large their generation has become. */
const YOUNG = `const { parentPort } = require('node:worker_threads');
  const { getHeapSpaceStatistics } = require('node:v8');
  parentPort.postMessage('loaded');
  parentPort.on('message', () => process.exit());
  let kept = [];
  for (let n = 0; n < 1_000_000; n++) {
    if (kept.length === 50_000) kept = [];
    kept.push([n]);
  }
  parentPort.postMessage(getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size);`;

test('a thread keeps to its own limit where the program was started with one for its first thread', async () => {
  setFlagsFromString('--max-semi-space-size=16');
  const sizes: unknown[] = [];
  const { end } = startThread(YOUNG, {}, (message) => sizes.push(message));
  await until('it said how large', () => sizes.length > 0);
  await end();
  assert.ok(Number(sizes[0]) <= 6 * 1024 * 1024, `${sizes[0]} bytes`);
});
