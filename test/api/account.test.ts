import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changePlan } from '../../src/store/people/accounts.ts';
import { findPlan, setPlan } from '../../src/store/people/plans.ts';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';

const account = async ({ owner }: Awaited<ReturnType<typeof startApp>>) =>
  dataOf(await owner.ask('GET', '/account'), 'GET', '/account');

test('a new account is on the built-in plan, without limits', async (t) => {
  const app = await startApp(t);
  assert.deepEqual(await account(app), {
    id: app.owner.accountId,
    email: 'owner@example.com',
    plan: 'self-hosted',
    events_used: 0,
    events_included: null,
    limits: { sites: null, members: null, tokens: 25, funnels_per_site: 10 },
    abilities: ['read', 'write'],
  });
});

test('the abilities are those of the token that asks', async (t) => {
  const app = await startApp(t);
  const { body } = await app.ask('GET', '/api/v1/account', { token: app.tokenOf(app.owner, ['read']) });
  assert.deepEqual(body.data.abilities, ['read']);
});

test('an account is blocked from the event after the last that its plan includes, until the month is over', async (t) => {
  const app = await startApp(t);
  const { db, owner, clock } = app;
  setPlan(db, 'small', { sites: 3, members: 2, events: 100 });
  changePlan(db, owner.id, findPlan(db, 'small')?.id ?? 0);
  const use = (events: number) =>
    db.run(
      `INSERT INTO usage (account_id, month, events) VALUES (?, '2026-03', ?)
       ON CONFLICT (account_id, month) DO UPDATE SET events = excluded.events`,
      owner.accountId,
      events,
    );
  use(100);
  assert.equal((await owner.ask('GET', '/sites')).status, 200);
  use(101);
  const blocked = await owner.ask('GET', '/sites');
  assert.equal(blocked.status, 402);
  assert.equal(blocked.body.error.code, 'account_blocked');
  const { plan, events_used, events_included, limits } = await account(app);
  assert.deepEqual({ plan, events_used, events_included }, { plan: 'small', events_used: 101, events_included: 100 });
  assert.deepEqual(limits, { sites: 3, members: 2, tokens: 25, funnels_per_site: 10 });
  clock.pass(22 * 86_400);
  assert.equal((await owner.ask('GET', '/sites')).status, 200);
});

test('an account that lost its plan is blocked for its team too, whose own accounts are not', async (t) => {
  const app = await startApp(t);
  changePlan(app.db, app.owner.id, null);
  assert.equal((await app.viewer.ask('GET', `/sites/${app.siteId}`)).status, 402);
  assert.equal((await app.viewer.ask('GET', '/sites')).status, 200);
  assert.equal((await account(app)).plan, null);
});
