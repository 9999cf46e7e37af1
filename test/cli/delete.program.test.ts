import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findChangedDays } from '../../src/jobs/receipt-days.ts';
import { openLedgerInProcess } from '../../src/ledger/in-process.ts';
import { openReader } from '../../src/store/file/open-file.ts';
import { TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { NOON } from '../support/helpers.ts';
import { kill } from '../support/kill.ts';
import { DAYBOOK } from '../support/program.ts';
import { here } from './here.ts';
import { line, started, visitors } from './importing.ts';

const days = (from: number, to: number): string[] => ['--from', date(TODAY - from), '--to', date(TODAY - to)];

/** Pageviews by how many days ago, as sums tell them, which columns agree with. */
async function pageviewsIn(path: string): Promise<Record<number, number>> {
  const { db, close } = openReader(path);
  const engine = openLedgerInProcess(db, { now: () => NOON, tick: () => performance.now() });
  try {
    for await (const { faults, day } of engine.upkeep.recount()) assert.deepEqual(faults, [], date(day));
    for await (const { faults, day } of findChangedDays(db, engine)) assert.deepEqual(faults, [], date(day));
    const sql = "SELECT day, sum(pageviews) AS n FROM sealed_day WHERE state = 'shown' GROUP BY day ORDER BY day";
    return Object.fromEntries(db.all<{ day: number; n: number }>(sql).map(({ day, n }) => [TODAY - day, n]));
  } finally {
    await engine.close();
    close();
  }
}

test('delete: it says what goes, a dry run deletes nothing, and days that go on are refused', async (t) => {
  const { daybook, mustBring } = await started(t);
  await mustBring(visitors({ 5: 2, 4: 3, 3: 1, 0: 1 }));
  const args = ['delete', 'example.com'];
  const said = `${date(TODAY - 9)} to ${date(TODAY - 4)}: 2 days\n5 visitors, 5 visits, 5 pageviews, 0 events\nimport 1: 2 days`;
  assert.equal(await daybook.print([...args, ...days(9, 4), '--dry-run']), said);
  assert.deepEqual(await pageviewsIn(daybook.db), { 3: 1, 4: 3, 5: 2 });
  for (const [wrong, message] of [
    [days(4, 0), '--to: Must be a day before today (UTC).'],
    [days(4, 5), '--to: Must not be before "from".'],
    [['--from', 'May', '--to', date(TODAY - 1)], '--from: Must be a day such as 2026-01-31.'],
  ] as const) {
    const { code, stderr } = await daybook.run([...args, ...wrong]);
    assert.deepEqual([code, stderr.split('\n')[0]], [2, `daybook: ${message}`]);
  }
  const none = await daybook.run([...args, ...days(30, 20), '--yes']);
  assert.deepEqual([none.code, none.stderr], [0, 'nothing is deleted\n']);
  assert.equal(await daybook.print([...args, ...days(9, 4), '--yes']), said);
  assert.deepEqual(await pageviewsIn(daybook.db), { 3: 1 });
  const [entry] = (await daybook.print(['log'])).split('\n');
  assert.match(entry ?? '', /command .*delete example.com/);
  const changes = JSON.parse(await daybook.print(['changes', 'example.com', '--json']));
  assert.deepEqual([changes[0].reason, changes[0].pageviews, changes[0].by], ['days_removed', '5>0', 'command']);
});

test('delete: receipts say that days were removed, and pass with an export of the rest', async (t) => {
  const { daybook, mustBring } = await started(t);
  await mustBring(visitors({ 5: 2, 4: 3, 3: 1 }));
  const [receipts, hits] = ['receipts.json', 'hits.ndjson'].map((name) => join(daybook.folder, `out-${name}`)) as [
    string,
    string,
  ];
  const exportAll = async () => {
    for (const path of [receipts, hits]) rmSync(path, { force: true });
    await daybook.print(['receipts', 'export', 'example.com', '--out', receipts]);
    await daybook.print(['export', 'example.com', '--format', 'ndjson', '--out', hits]);
    return await daybook.run(['verify', receipts, '--export', hits]);
  };
  assert.equal((await exportAll()).code, 0);
  await daybook.print(['delete', 'example.com', ...days(4, 3), '--yes']);
  const { code, stdout } = await exportAll();
  assert.equal(code, 0, stdout);
  assert.match(stdout, /example\.com: 5 receipts, 3 of 3 days passed/);
  const written = JSON.parse(readFileSync(receipts, 'utf8'));
  const reasons = JSON.stringify(written).match(/"reason":"\w+"/g);
  assert.deepEqual(reasons?.slice(-2), ['"reason":"removed"', '"reason":"removed"']);
});

test('delete: without --yes, the domain is typed once more', async (t) => {
  const { daybook, mustBring } = await started(t);
  await mustBring(visitors({ 5: 2, 4: 3 }));
  const args = ['delete', 'example.com', ...days(5, 5)];
  const wrong = await daybook.run(args, { input: 'example.org\n' });
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /This permanently deletes .* of example\.com\. To continue, type example\.com:/);
  assert.match(wrong.stderr, /that was not example\.com\. Nothing is deleted/);
  assert.deepEqual(await pageviewsIn(daybook.db), { 4: 3, 5: 2 });
  assert.equal((await daybook.run(args, { input: 'example.com\n' })).code, 0);
  assert.deepEqual(await pageviewsIn(daybook.db), { 4: 3 });
});

test('delete: a running server counts the rest at once, and takes hits meanwhile', async (t) => {
  const { daybook, mustBring, serve } = await started(t);
  await mustBring(visitors({ 5: 2, 4: 3, 3: 4 }));
  const server = await serve();
  assert.deepEqual(await server.days(), { 3: 4, 4: 3, 5: 2 });
  const views = Array.from({ length: 20 }, () => server.view());
  await here(daybook.db, 'delete', 'example.com', ...days(4, 3), '--yes');
  for (const { status } of await Promise.all(views)) assert.equal(status, 202);
  assert.deepEqual(await server.days(), { 0: 1, 5: 2 });
});

test('delete: killed at any moment, it took all days or none, and the rest goes the next time', async (t) => {
  const { daybook, mustBring } = await started(t);
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [i + 2, 3]));
  await mustBring(visitors({ 1: 1, ...many, 60: 2 }) + line(TODAY));
  const before = await pageviewsIn(daybook.db);
  const args = ['delete', 'example.com', ...days(50, 2), '--yes'];
  await kill(t, {
    template: daybook.db,
    rounds: 3,
    argsOf: (path) => [...DAYBOOK, ...args, '--db', path],
    async look(path, ended) {
      const left = await pageviewsIn(path);
      const isGone = left[2] === undefined;
      assert.deepEqual(left, isGone ? { 1: 1, 60: 2 } : before);
      if (ended) assert.ok(isGone);
      // What was left to be deleted goes with the next sealing.
      await here(path, ...(isGone ? ['seal'] : args));
      assert.deepEqual(await pageviewsIn(path), { 1: 1, 60: 2 });
      const { db, close } = openReader(path);
      assert.deepEqual(
        ['sealed_day', 'deletion', 'import'].map(
          (table) => db.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n,
        ),
        [2, 0, 1],
      );
      close();
      return !isGone;
    },
  });
});
