import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnsealedNumber } from '../../src/cluster/servers/row-numbers.ts';
import { DAY } from '../../src/lib/time.ts';
import { findSender } from '../../src/store/cluster/outbox-sender.ts';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { startApp } from '../support/helpers.ts';
import { stage } from './collecting.ts';

test('a hit that comes for a sealed day counts, whatever its number, and is sealed as one more slice', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one');
  await one.view('/a');
  app.clock.pass(DAY);
  await one.look();
  assert.equal(await app.seal(), 1);
  app.clock.pass(61);
  await app.engine.upkeep.sweep();
  const [, database = ''] = /\/(\w+)\?/.exec(app.config.engine ?? '') ?? [];
  // Two servers of each shard; a visitor with an even number is on the first.
  const [first, second] = process.env.TEST_CLUSTER?.split(',') ?? [];
  for (const host of [first, second]) {
    const sql = `INSERT INTO ${database}.activity (site, day, second, seq, visitor, page) VALUES (${app.siteId}, ${TODAY}, 5, 64, 2, '/late')`;
    assert.ok((await fetch(`http://${host}/`, { method: 'POST', body: sql })).ok);
  }
  const figures = async () => {
    const { visitors, pageviews } = await app.figures();
    return [visitors, pageviews];
  };
  assert.deepEqual(await figures(), [2, 2]);
  assert.equal(await app.seal(), 1);
  assert.deepEqual(await figures(), [2, 2]);
  app.clock.pass(61);
  await app.engine.upkeep.sweep();
  assert.deepEqual(await figures(), [2, 2]);
  assert.equal(await app.seal(), 0);
  assert.equal(await app.stateOf(TODAY), 'sealed');
  for await (const { faults } of app.engine.upkeep.recount()) assert.deepEqual(faults, []);
});

test('an outbox that is new gives its rows higher numbers than any that was sealed, whatever the clock of its machine says', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one');
  await one.view('/a');
  app.clock.pass(DAY);
  await one.look();
  assert.equal(await app.seal(), 1);
  const { after = 0 } = app.db.one<{ after: number }>('SELECT max(after_id) AS after FROM sealed_day') ?? {};
  assert.ok(after > 0);
  // Its clock is a day behind.
  app.clock.jump(-DAY);
  const least = findUnsealedNumber(app.db, app.clock);
  assert.ok(least > after);
  const two = await app.collector('two');
  assert.ok(findSender(two.db).seq >= least);
});

test('a hit counts that comes after a restart with a clock that was set back to a sealed day', async (t) => {
  const app = await startApp(t);
  const { owner, siteId } = app;
  const path = `/sites/${siteId}/stats/overview?range=${date(TODAY)}~${date(TODAY)}`;
  const count = async () => (await owner.ask('GET', path)).body.data.pageviews;
  await appendTo(app.engine, [pageview()]);
  app.clock.pass(DAY);
  assert.equal(await app.seal(), 1);
  app.clock.jump(-DAY / 2);
  await app.restart();
  await appendTo(app.engine, [pageview({ visitor: 2 })]);
  assert.equal(await count(), 2);
  app.clock.pass(DAY / 2 + 61);
  await app.engine.upkeep.sweep();
  assert.equal(await count(), 2);
});
