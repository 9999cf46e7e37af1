import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Place } from '../../src/forgetting/places.ts';
import { type Proof, proveForgetting } from '../../src/forgetting/prove.ts';
import { ADDRESS_CODE, hook, IN_PROCESS, INTO_WAL, random } from './planting.ts';

/** Adds a row to the database file. The code runs in a process of its own. */
const INTO_FILE = `
const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
const db = new DatabaseSync(process.env.DAYBOOK_DB);
db.exec('CREATE TABLE planted (words TEXT) STRICT');
db.prepare('INSERT INTO planted VALUES (?)').run(${ADDRESS_CODE});
db.close();`;

/** Leaves the IP address in every place that the proof searches. The code runs in the server, before its own code. */
const IN_ALL_PLACES = `
const { spawn, spawnSync } = process.getBuiltinModule('node:child_process');
const { NODE_OPTIONS: _, ...env } = process.env;
spawnSync(process.execPath, ['-e', ${JSON.stringify(INTO_FILE)}], { env });
globalThis.planter = spawn(process.execPath, ['-e', ${JSON.stringify(INTO_WAL)}], { env });
${IN_PROCESS}`;

const PLACES: Place[] = ['file', 'wal', 'backups', 'log', 'memory', 'threads'];

/** What is left in a server, and where the proof must find it. In memory, an IP address may also be a number or bytes. */
const PLANTS: { code: string; found: Place[] }[] = [
  { code: IN_ALL_PLACES, found: PLACES },
  { code: 'globalThis.planted = [...Array(9).keys()].map((i) => 3325256704 + i);', found: ['memory'] },
  { code: `globalThis.planted = Buffer.from(${ADDRESS_CODE} + "x".repeat(9000));`, found: ['memory'] },
];

const CLEAN = PLACES.map((place) => ({ place, found: [] }));

const { signal } = new AbortController();
const clock = { now: () => Date.now(), tick: () => performance.now() };

const listPlaces = ({ after }: Proof): Place[] =>
  after.filter(({ found }) => found.includes('address')).map(({ place }) => place);

test('forgetting: a server has no trace of a visitor after the day, and the proof finds what is left in each place', async () => {
  const planted = PLANTS.map(({ code }) => hook(code));
  // Each proof waits for a minute of the clock, so all of them run side by side.
  const [proof, ...failed] = await Promise.all(
    [{}, ...planted].map((environment) => proveForgetting({ clock, random, environment, signal })),
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
  assert.equal(failed.length, PLANTS.length);
  for (const [i, one] of failed.entries()) {
    assert.equal(one.isForgotten, false);
    assert.deepEqual(listPlaces(one), PLANTS[i]?.found);
  }
});
