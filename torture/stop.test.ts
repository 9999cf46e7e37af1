import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openReader } from '../src/store/file/open-file.ts';
import { storedPages } from '../test/collect/stage.ts';
import { furnish } from '../test/support/furnish.ts';
import { program } from '../test/support/program.ts';
import { chance } from '../test/support/random.ts';
import { crowd } from './clients.ts';
import { isWhole } from './furnish.ts';
import { scaled } from './scale.ts';

const TIMES = scaled(4, 50);
/** Together 2,000 a second. */
const CLIENTS = 50;
const EVERY_MS = 25;

test('D10 SIGTERM under load cuts nothing off and loses nothing, and the program ends in time', async (t) => {
  const random = chance(t);
  const { serve, db: path } = program(t);
  const domains = Array.from({ length: TIMES }, (_, n) => `site${n + 1}.example`);
  await furnish(path, domains);
  const figures = { acknowledged: 0, aSecond: 0, slowestStopMs: 0 };
  let took = 0;
  for (const [n, site] of domains.entries()) {
    const server = await serve(['--flood', '0', '--keep-backups', '0']);
    const start = performance.now();
    const { sheet, done } = crowd(server.port, { site, clients: CLIENTS, everyMs: EVERY_MS });
    await pause(300 + random() * 400);
    took += performance.now() - start;
    figures.acknowledged += sheet.acknowledged.size;
    const stopping = performance.now();
    assert.equal(await server.stop(), 0);
    figures.slowestStopMs = Math.max(figures.slowestStopMs, Math.round(performance.now() - stopping));
    await done;
    assert.deepEqual([...sheet.others], [], `round ${n + 1}`);
    assert.deepEqual(server.stderr, []);
    assert.equal(existsSync(`${path}-wal`), false);
    const { db, close } = openReader(path);
    const stored = storedPages(db, n + 1);
    assert.deepEqual([...stored.keys()].sort(), [...sheet.acknowledged].sort());
    assert.ok([...stored.values()].every((times) => times === 1));
    close();
  }
  figures.aSecond = Math.round((figures.acknowledged / took) * 1_000);
  t.diagnostic(`${TIMES} times: ${JSON.stringify(figures)}`);
  assert.ok(figures.slowestStopMs < 8_000);
  const { db, close } = openReader(path);
  assert.ok(isWhole(db));
  close();
});

test('D10 SIGTERM while its threads begin ends the program as at any other time', async (t) => {
  const random = chance(t);
  const { serve, db: path } = program(t);
  await furnish(path, ['site1.example']);
  const rounds = scaled(10, 400);
  for (let round = 1; round <= rounds; round++) {
    const server = await serve();
    await pause(random() * 100);
    assert.equal(await server.stop(), 0, `round ${round}: ${server.stderr.join('\n')}`);
    assert.deepEqual(server.stderr, []);
    assert.equal(existsSync(`${path}-wal`), false, `round ${round}: the file was not closed`);
  }
});
