import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../src/store/file/open-file.ts';
import { pageview, TODAY } from '../test/collect/stage.ts';
import { furnish } from '../test/support/furnish.ts';
import { DAYBOOK, program, type Server } from '../test/support/program.ts';
import { clientOf, quantile, pageview as view } from './clients.ts';
import { fill } from './furnish.ts';
import { scaled } from './scale.ts';
import { NOISE, told } from './watch.ts';

/** The whole month before and this one until yesterday. */
const DAYS = 37;
const PAGES = scaled(1_000, 8_000);
const SITES = scaled(300, 2_000);
const EVERY_MS = 5;
/**
 * What the server's main thread may do while a hit waits for it, however many others share the processor and the disk: compute, and
 * write to files. Moving a thousand pages from the WAL into the file is the most that it does at once.
 */
const MOST_WORK_MS = 100;
const MOST_WRITES = 1_200;

/** A file as it is when a month and a day are over. */
async function fillMonth(path: string, seal: () => Promise<unknown>): Promise<void> {
  const day = (ago: number) =>
    Array.from({ length: PAGES }, (_, n) =>
      pageview({ day: TODAY - ago, second: n, visitor: n, page: `/${n}`, source: `from${n % 400}.example` }),
    );
  for (let ago = DAYS; ago > 1; ago--) await fill(path, day(ago));
  await seal();
  const others = Array.from({ length: SITES }, (_, n) => pageview({ siteId: n + 1, day: TODAY - 1 }));
  await fill(path, [...day(1), ...others]);
  const { db, close } = openStore(path);
  db.write(() => {
    db.run('DELETE FROM month_rollup');
    // Old words, of which each site has some to be deleted.
    db.run("INSERT INTO day_term SELECT id, ?, 'page', 1 FROM site", TODAY - 3);
  });
  close();
}

/** For how many milliseconds the main thread has had a processor, and how often it has written. */
function done({ pid }: Server): { work: number; writes: number } {
  const of = (file: string) => readFileSync(`/proc/${pid}/task/${pid}/${file}`, 'utf8');
  return { work: Number(of('schedstat').split(' ')[0]) / 1e6, writes: Number(/^syscw: (\d+)$/m.exec(of('io'))?.[1]) };
}

test('H14 on one core hits are taken soon whatever the night does, and wait for little of it', async (t) => {
  const { serve, print, db: path } = program(t, { command: ['taskset', '-c', '0', process.execPath, ...DAYBOOK] });
  await furnish(
    path,
    Array.from({ length: SITES }, (_, n) => `site${n + 1}.example`),
  );
  await fillMonth(path, () => print(['seal']));
  const server = await serve(['--flood', '0']);
  const client = clientOf(server.port);
  const [took, work, writes]: [number[], number[], number[]] = [[], [], []];
  while (!server.stderr.some((line) => line.includes('restore test done'))) {
    const before = done(server);
    const { status, ms, text } = await view(client, 'site1.example', `/${took.length % 50}`);
    const after = done(server);
    assert.equal(status, 202, text);
    took.push(ms);
    work.push(after.work - before.work);
    writes.push(after.writes - before.writes);
    await pause(EVERY_MS);
  }
  client.close();
  t.diagnostic(`hits: ${told(took)}`);
  t.diagnostic(
    `meanwhile the server's main thread worked for ${quantile(work, 1).toFixed(0)} ms and wrote ${quantile(writes, 1)} times at most`,
  );
  assert.ok(quantile(took, 0.99) < 50 * NOISE);
  assert.ok(quantile(work, 1) < MOST_WORK_MS);
  assert.ok(quantile(writes, 1) < MOST_WRITES);
  assert.equal(await server.stop(), 0);
});
