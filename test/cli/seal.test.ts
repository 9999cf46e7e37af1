import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mock, type TestContext, test } from 'node:test';
import { openStore } from '../../src/store/file/open-file.ts';
import { append, type Hit, pageview, TODAY } from '../collect/stage.ts';
import { furnish } from '../support/furnish.ts';
import { NOON } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { commandLine } from './here.ts';

async function started(t: TestContext) {
  const daybook = commandLine(t);
  const token = await furnish(daybook.db);
  const write = async (...hits: Hit[]): Promise<void> => {
    const { db, close } = openStore(daybook.db);
    await append(db, hits);
    close();
  };
  const left = (): number[] => {
    const { db, close } = openStore(daybook.db);
    const days = db.all<{ day: number }>('SELECT DISTINCT day FROM hit ORDER BY day').map(({ day }) => day);
    close();
    return days;
  };
  return { daybook, token, write, left };
}

const day = (back: number): Hit => pageview({ day: TODAY - back, second: 0 });

test('seal seals every past day and says how many', async (t) => {
  const { daybook, write, left } = await started(t);
  assert.equal(await daybook.print(['seal']), '0 days sealed');
  await write(day(400), day(3), day(1), day(0));
  assert.equal(await daybook.print(['seal']), '3 days sealed');
  assert.deepEqual(left(), [TODAY]);
  assert.equal(await daybook.print(['seal']), '0 days sealed');
  await write(day(2));
  assert.equal(await daybook.print(['seal']), '1 day sealed');
  assert.equal(await daybook.print(['check']), '4 days verified, 0 differ');
});

test('a server seals the days that it missed by itself', async (t) => {
  const { daybook, write, left } = await started(t);
  await write(day(3), day(1), day(0));
  const server = await daybook.serve();
  await until('it is logged', () => server.stderr.some((line) => line.includes('"days sealed","days":2')));
  assert.equal(await server.stop(), 0);
  assert.deepEqual(left(), [TODAY]);
});

test('sealing beside a running server changes none of its answers', async (t) => {
  const { daybook, token, write, left } = await started(t);
  await write(day(5));
  const { url, stderr } = await daybook.serve();
  // Its next look comes a minute later.
  await until('it has sealed what it missed', () => stderr.some((line) => line.includes('"days sealed","days":1')));
  const ask = async (): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/api/v1/sites/example.com/stats/timeseries?range=7d`, { headers });
    assert.equal(answer.status, 200);
    return answer.json();
  };
  await write(day(3), day(1), { ...day(1), visitor: 2 }, day(0));
  const before = await ask();
  assert.match(JSON.stringify(before), /"visitors":2,"pageviews":2/);
  assert.equal(await daybook.print(['seal']), '2 days sealed');
  assert.deepEqual(await ask(), before);
  assert.deepEqual(left(), [TODAY]);
});

test('seal of a file that is not there is an error', async (t) => {
  const { code, stderr } = await commandLine(t).run(['seal', '--db', 'other.db']);
  assert.equal(code, 78);
  assert.match(stderr, /there is no such file/);
});

test('with the clock 400 days ahead seal seals and lets go nothing, until the operator says that it is right', async (t) => {
  const { daybook, write, left } = await started(t);
  await write(day(50), day(3));
  assert.equal(await daybook.print(['seal']), '2 days sealed');
  await daybook.print(['site', 'change', 'example.com', '--keep-days', '100']);
  await write(day(1), day(0));
  const days = await daybook.print(['check']);
  mock.timers.setTime(NOON + 400 * 86_400_000);
  t.after(() => mock.timers.setTime(NOON));
  const { code, stderr, stdout } = await daybook.run(['seal']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(
    stderr,
    /this machine says it is 2027-04-14, but the last day seen is 2026-03-10. Nothing was sealed. Set the clock/,
  );
  assert.match(stderr, /seal --trust-clock/);
  assert.deepEqual(left(), [TODAY - 1, TODAY]);
  const exported = async (): Promise<number> => {
    const file = join(daybook.folder, 'hits.ndjson');
    rmSync(file, { force: true });
    await daybook.print(['export', 'example.com', '--format', 'ndjson', '--out', file]);
    return readFileSync(file, 'utf8').split('\n').length - 1;
  };
  assert.equal(await exported(), 4, 'no hit is lost');
  assert.equal(await daybook.print(['check']), days);

  mock.timers.setTime(NOON);
  assert.equal(await daybook.print(['seal']), '1 day sealed');
  assert.deepEqual(left(), [TODAY]);

  mock.timers.setTime(NOON + 400 * 86_400_000);
  assert.equal((await daybook.run(['seal'])).code, 1);
  assert.equal(await daybook.print(['seal', '--trust-clock']), '1 day sealed');
  assert.equal(await exported(), 0);
  assert.equal(await daybook.print(['seal']), '0 days sealed');
});
