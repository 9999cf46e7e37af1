import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchRefusals } from '../../src/collect/refusals.ts';
import { Problem } from '../../src/lib/errors.ts';
import { listOutages } from '../../src/store/server/outages.ts';
import { NOON, startApp } from '../support/helpers.ts';

const NOW = NOON / 1000;

test('an outage begins with the first hit that is refused and ends with the next that is taken', async (t) => {
  const { db, clock } = await startApp(t);
  const { watched, running } = watchRefusals(db, clock);
  let isFull = false;
  const append = watched(async () => {
    if (isFull) throw new Problem('unavailable');
  });
  const all = () => listOutages(db, 0, Number.MAX_SAFE_INTEGER);

  await append({});
  isFull = true;
  await assert.rejects(append({}));
  clock.pass(30);
  isFull = false;
  await append({});
  assert.deepEqual(all(), []);

  clock.pass(100);
  isFull = true;
  await assert.rejects(append({}));
  clock.pass(200);
  await assert.rejects(append({}));
  assert.deepEqual(running(), { from: NOW + 130, to: NOW + 330, reason: 'refused' });
  clock.pass(100);
  isFull = false;
  await append({});
  await append({});
  assert.deepEqual(all(), [{ from: NOW + 130, to: NOW + 430, reason: 'refused' }]);
  assert.equal(running(), undefined);
});
