import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proveForgetting } from '../../src/forgetting/prove.ts';

/**
 * Runs in the server: keeps the IP address as a text, as a number and as bytes. The parts are joined there, so that the
 * program's own text has no trace.
 */
const PLANT = `
const address = ['198', '51', '100', '8'].join('.');
globalThis.planted = [PLANTED];`;

const FORMS = {
  'memory-texts': 'new Map([[address, 1]])',
  'memory-numbers': '[...Array(9).keys()].map((i) => 3325256704 + i)',
  'memory-bytes': 'Buffer.from(address + "x".repeat(9000))',
};

const CLEAN = ['file', 'wal', 'backups', 'log', 'memory', 'threads'].map((place) => ({ place, found: [] }));

/** The made-up visitor is then 198.51.100.8. */
const random = (bytes: number): Buffer => Buffer.alloc(bytes, 7);
const clock = { now: () => Date.now(), tick: () => performance.now() };

test('forgetting: a server has no trace of a visitor after the day, and the proof finds what a server keeps', async () => {
  const planted = Object.values(FORMS).map((form) => {
    const hook = `data:text/javascript,${encodeURIComponent(PLANT.replace('PLANTED', form))}`;
    return { NODE_OPTIONS: `--import ${hook}` };
  });
  // Each proof waits for a minute of the clock, so all of them run side by side.
  const [proof, ...failed] = await Promise.all(
    [{}, ...planted].map((environment) => proveForgetting({ clock, random, environment })),
  );
  assert.ok(proof?.isForgotten);
  assert.deepEqual(
    proof.after.map(({ place, found }) => ({ place, found })),
    CLEAN,
  );
  for (const { bytes, place } of proof.after) assert.ok(bytes > 0, place);
  const before = new Set(proof.before.flatMap(({ found }) => found));
  assert.ok(before.has('salt') && before.has('code') && !before.has('address'));
  // The threads that answered had the code in their caches.
  assert.deepEqual(proof.before.find(({ place }) => place === 'threads')?.found, ['code']);
  assert.equal(failed.length, 3);
  for (const { isForgotten, after } of failed) {
    assert.equal(isForgotten, false);
    assert.deepEqual(
      after.filter(({ found }) => found.length > 0).map(({ place, found }) => [place, found]),
      [['memory', ['address']]],
    );
  }
});
