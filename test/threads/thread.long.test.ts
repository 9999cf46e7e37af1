import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startThread } from '../../src/threads/thread.ts';
import { folder } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { busy } from './stage.ts';

test('a thread that never comes to the end of its task is ended all the same', async (t) => {
  const place = folder(t);
  const { worker, end } = startThread(busy(place), {}, () => {});
  worker.postMessage('task');
  await until('it is in the middle', () => existsSync(join(place, 'begun')));
  await end();
  assert.ok(!existsSync(join(place, 'finished')));
});
