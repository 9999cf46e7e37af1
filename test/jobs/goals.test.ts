import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { HOUR, MINUTE } from '../../src/lib/time.ts';
import { comersAt, store } from '../mail/site.ts';
import { NOON } from '../support/helpers.ts';
import { channelOffice } from './channel-office.ts';

/** A server with a channel for goals and the goal /thanks, on a day at noon. */
async function office(t: TestContext) {
  const app = await channelOffice(t, 'goals');
  const { owner, siteId, clock } = app;
  const addGoal = (body: object) => owner.ask('POST', `/sites/${siteId}/goals`, body);
  await addGoal({ type: 'page', value: '/thanks' });
  return {
    ...app,
    addGoal,
    come: (count: number, page = '/thanks') =>
      store(app.db, comersAt(count, Math.floor(clock.now() / 1000), { siteId, page })),
    /** Looks ten minutes later, and gives what was told: title and rows. */
    async look(): Promise<string[]> {
      clock.pass(10 * MINUTE);
      return (await app.tell()).map(({ title, text }) =>
        [title, ...text.split('\n').slice(1)].join(' | ').replaceAll(/ {2,}/g, ' '),
      );
    },
  };
}

test('goals: each conversion is told once, with those of the day, also after a restart', async (t) => {
  const app = await office(t);
  assert.deepEqual(await app.look(), []);
  await app.come(2);
  await app.come(3, '/other');
  app.restart();
  assert.deepEqual(await app.look(), ['example.com: 2 conversions | /thanks 2 2']);
  app.restart();
  assert.deepEqual(await app.look(), []);
  await app.come(1);
  assert.deepEqual(await app.look(), ['example.com: 1 conversion | /thanks 1 3']);
});

test('goals: a message has the goals with the most new conversions first, at most ten', async (t) => {
  const app = await office(t);
  for (let n = 0; n < 12; n++) await app.addGoal({ type: 'page', value: `/thanks/${n}` });
  for (let n = 0; n < 12; n++) await app.come(n + 1, `/thanks/${n}`);
  const [told = ''] = await app.look();
  assert.match(told, /^example\.com: 78 conversions \| \/thanks\/11 12 12 \| \/thanks\/10 11 11 /);
  assert.equal(told.split(' | ').length, 11);
});

test('goals: a conversion just before midnight is told on the next day, once', async (t) => {
  const app = await office(t);
  const midnight = NOON / 1000 + 12 * HOUR;
  app.at(midnight - 15 * MINUTE);
  await app.come(1);
  assert.deepEqual(await app.look(), ['example.com: 1 conversion | /thanks 1 1']);
  app.at(midnight - MINUTE);
  await app.come(2);
  assert.deepEqual(await app.look(), ['example.com: 2 conversions | /thanks 2 3']);
  await app.come(4);
  assert.deepEqual(await app.look(), ['example.com: 4 conversions | /thanks 4 4']);
  assert.deepEqual(await app.look(), []);
});

test('goals: what an exclusion takes away is told neither as less, nor again', async (t) => {
  const app = await office(t);
  await app.come(3);
  assert.equal((await app.look()).length, 1);
  const path = `/sites/${app.siteId}/exclusions`;
  const added = await app.owner.ask('POST', path, { from: '2026-03-10', filters: { page: '/thanks' } });
  assert.deepEqual(await app.look(), []);
  await app.addGoal({ type: 'page', value: '/other' });
  await app.come(1, '/other');
  assert.deepEqual(await app.look(), ['example.com: 1 conversion | /other 1 1']);
  await app.owner.ask('DELETE', `${path}/${added.body.data.id}`);
  assert.deepEqual(await app.look(), []);
  await app.come(1);
  assert.deepEqual(await app.look(), ['example.com: 1 conversion | /thanks 1 4']);
});
