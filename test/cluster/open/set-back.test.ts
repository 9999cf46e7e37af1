import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findLowestNumber, SENDERS } from '../../../src/cluster/servers/row-numbers.ts';
import { TODAY } from '../../collect/stage.ts';
import { NOON } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { stage } from '../collecting.ts';

const ROWS_OF_SHARD = 30_000;
/** A number of a row that came an hour ago. */
const FIRST = findLowestNumber(NOON - 3_600_000);

/** A large day with a current copy, and two collectors that have taken a hit each. `come` counts only such hits. */
async function stageLarge(t: TestContext) {
  const { collector, figures, clock, engine, config, siteId } = await stage(t);
  const [, database = ''] = /\/(\w+)\?/.exec(config.engine ?? '') ?? [];
  const hosts = process.env.TEST_CLUSTER?.split(',') ?? [];
  for (const [i, host] of hosts.entries()) {
    const shard = Math.floor(i / 2);
    const body = `INSERT INTO activity (site, day, second, seq, visitor, page)
      SELECT ${siteId}, ${TODAY}, number, ${FIRST} + number * ${SENDERS}, number * 2 + ${shard}, '/' FROM numbers(${ROWS_OF_SHARD})`;
    assert.ok((await fetch(`http://${host}/?database=${database}`, { method: 'POST', body })).ok);
  }
  const [one, two] = [await collector('one'), await collector('two')];
  await one.view('/a');
  await two.view('/b');
  const come = async () => (await figures()).pageviews - 2 * ROWS_OF_SHARD;
  const findState = () => engine.upkeep.listDayCopies()[0]?.state;
  await until('the day is copied', async () => {
    clock.pass(1);
    for (const each of [one, two]) await each.look();
    assert.equal(await come(), 2);
    return findState() === 'current';
  });
  return { one, two, clock, come, findState };
}

test('copies of open days: after a clock was set back, a large copy does not answer while a collector is silent', async (t) => {
  const { one, two, clock, come } = await stageLarge(t);
  await two.stop();
  clock.jump(-600);
  clock.pass(30);
  await one.look();
  await one.view('/c');
  assert.equal(await come(), 3);
});

test('copies of open days: after a clock was set back and put right, no figure goes down', async (t) => {
  const { one, two, clock, come, findState } = await stageLarge(t);
  clock.jump(-600);
  clock.pass(30);
  for (const each of [one, two]) await each.look();
  await one.view('/c');
  assert.equal(await come(), 3);
  clock.jump(600);
  assert.equal(await come(), 3);
  for (const each of [one, two]) await each.look();
  await until('the copy answers again', async () => {
    clock.pass(60);
    for (const each of [one, two]) await each.look();
    assert.equal(await come(), 3);
    return findState() === 'current';
  });
});
