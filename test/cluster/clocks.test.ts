import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, DAY } from '../../src/lib/time.ts';
import { findCollector } from '../../src/store/cluster/collectors.ts';
import { TODAY } from '../collect/stage.ts';
import { ownServers } from './asking.ts';
import { stage } from './collecting.ts';

/** The clock of a machine that is so many seconds off the primary's. */
function clockOff(clock: Clock, seconds: number) {
  let off = seconds;
  return {
    now: () => clock.now() + off * 1000,
    tick: clock.tick,
    leap(by: number): void {
      off += by;
    },
  };
}

test('hits of collectors whose clocks are a day off count on the day of the primary, and also when that is sealed', async (t) => {
  const app = await stage(t);
  const behind = await app.collector('behind', {}, clockOff(app.clock, -DAY));
  const ahead = await app.collector('ahead', {}, clockOff(app.clock, DAY));
  assert.equal(await behind.view('/a'), undefined);
  assert.equal(await ahead.view('/b'), undefined);
  const figures = async (day = TODAY) => {
    const { visitors, visits, pageviews } = await app.figures(day);
    return [visitors, visits, pageviews];
  };
  assert.deepEqual(await figures(), [1, 1, 2], 'one person, by one salt');
  app.clock.pass(DAY);
  for (const one of [behind, ahead]) {
    one.everyMinute();
    await one.look();
  }
  assert.deepEqual(await app.engine.upkeep.seal(), { days: 1, failed: [] });
  assert.equal(await behind.view('/c'), undefined);
  assert.equal(await ahead.view('/d'), undefined);
  assert.deepEqual(await figures(TODAY + 1), [1, 1, 2]);
  assert.deepEqual(
    [await figures(TODAY - 1), await figures()],
    [
      [0, 0, 0],
      [1, 1, 2],
    ],
  );
});

test('a clock that leaps a day ahead and returns takes no hit in between, and leaves no salt of its own', async (t) => {
  const app = await stage(t);
  const clock = clockOff(app.clock, 0);
  const [one, two] = [await app.collector('one', {}, clock), await app.collector('two')];
  await one.view('/a');
  const salts = () => one.db.all('SELECT site_id, day, hex(bytes) AS bytes FROM salt ORDER BY 1, 2');
  const before = salts();
  clock.leap(DAY);
  await assert.rejects(one.view('/b'), { code: 'unavailable' });
  one.everyMinute();
  assert.deepEqual(salts(), before);
  // Once the primary was heard, the time is known wherever the clock stands.
  await one.look();
  assert.equal(await one.view('/c'), undefined);
  clock.leap(-DAY);
  await one.look();
  assert.equal(await one.view('/d'), undefined);
  assert.equal(await two.view('/e'), undefined);
  assert.deepEqual(salts(), before);
  const { visitors, pageviews } = await app.figures();
  assert.deepEqual([visitors, pageviews], [1, 4]);
});

test('the first report of a collector whose clock is ahead promises no row number that its rows do not have', async (t) => {
  const app = await stage(t);
  const ahead = await app.collector('ahead', {}, clockOff(app.clock, DAY));
  await ahead.view('/a');
  const { next = 0 } = findCollector(app.db, 'ahead')?.status ?? {};
  const numbers = await ownServers(app).run('SELECT max(seq) FROM activity');
  assert.ok(next > 0 && next <= Math.max(...numbers.map(Number)));
});

test('the salts of a deleted site are gone from the files of collectors with the next answer', async (t) => {
  const app = await stage(t);
  const { owner, siteId } = app;
  const one = await app.collector('one');
  await one.view('/a');
  const count = () => one.db.one<{ n: number }>('SELECT count(*) AS n FROM salt WHERE site_id = ?', siteId)?.n;
  assert.equal(count(), 2);
  await owner.ask('DELETE', `/sites/${siteId}`);
  app.clock.pass(1);
  await one.look();
  assert.equal(count(), 0);
});
