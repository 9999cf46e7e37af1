import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../src/lib/time.ts';
import { addOutage } from '../../src/store/server/outages.ts';
import { mailServer, readMail } from '../mail/server.ts';
import { comersAt, store } from '../mail/site.ts';
import { NOON } from '../support/helpers.ts';
import { channelOffice } from './channel-office.ts';

/** Tuesday, 10 March 2026. The tests look just after its end. */
const TODAY = Math.floor(NOON / 1000 / DAY) * DAY;

/** A server with a channel for custom alerts, whose looks are in the hand of the test. */
async function office(t: TestContext, alerts: readonly object[], mail = {}) {
  const app = await channelOffice(t, 'custom', mail);
  const { owner, siteId } = app;
  for (const alert of alerts) assert.equal((await owner.ask('POST', `/sites/${siteId}/alerts`, alert)).status, 201);
  return {
    ...app,
    come: (count: number, day = 0, more = {}) =>
      store(app.db, comersAt(count, TODAY + day * DAY + 10 * HOUR, { siteId, ...more })),
    /** Looks, and gives what was told: title and rows. */
    async look(): Promise<string[]> {
      return (await app.tell()).map(({ title, text }) => {
        const [, ...rows] = text.split('\n\n')[0]?.split('\n') ?? [];
        return [title, ...rows].join(' | ').replaceAll(/ {2,}/g, ' ');
      });
    },
  };
}

const above = (threshold: number, more = {}) => ({
  ...{ name: 'Many', metric: 'visitors', condition: 'above', threshold },
  ...more,
});
const below = (threshold: number, more = {}) => ({ ...above(threshold), name: 'Few', condition: 'below', ...more });
const UNUSUAL = { name: 'Odd', metric: 'visitors', condition: 'unusual' };

test('custom alerts: at the end of a day, those that hold are told in one message, once', async (t) => {
  const app = await office(t, [above(4), above(5), below(5, { metric: 'pageviews' }), below(6, { name: 'Low' })]);
  await app.come(5);
  assert.deepEqual(await app.look(), [], 'the day is not over');
  app.at(TODAY + DAY + MINUTE);
  for (let i = 0; i < 3; i++) {
    app.restart();
    const told = ['example.com: 2 custom alerts | Low (Visitors) 5 below 6 | Many (Visitors) 5 above 4'];
    assert.deepEqual(await app.look(), i === 0 ? told : []);
    app.clock.pass(HOUR);
  }
  app.at(TODAY + 2 * DAY + MINUTE);
  assert.deepEqual(await app.look(), [
    'example.com: 2 custom alerts | Few (Pageviews) 0 below 5 | Low (Visitors) 0 below 6',
  ]);
});

test('custom alerts: filters and goals choose what is counted', async (t) => {
  const app = await office(t, [above(1, { name: 'German', filters: { country: 'DE' } })]);
  const goal = await app.owner.ask('POST', `/sites/${app.siteId}/goals`, { type: 'page', value: '/thanks' });
  const alert = { name: 'Orders', metric: 'conversions', goal_id: goal.body.data.id, condition: 'above', threshold: 2 };
  await app.owner.ask('POST', `/sites/${app.siteId}/alerts`, alert);
  await app.come(2, 0, { country: 'DE' });
  await app.come(9, 0, { country: 'FR' });
  await app.come(3, 0, { page: '/thanks' });
  app.at(TODAY + DAY + MINUTE);
  assert.deepEqual(await app.look(), [
    'example.com: 2 custom alerts | German (Visitors) 2 above 1 | Orders (Conversions) 3 above 2',
  ]);
});

test('custom alerts: a day beyond chance is unusual, in both directions, and others are not', async (t) => {
  for (const [count, told] of [
    [100, []],
    [62, []],
    [139, []],
    [145, ['example.com: Odd | Odd (Visitors) 145 usual: 100']],
    [50, ['example.com: Odd | Odd (Visitors) 50 usual: 100']],
  ] as const) {
    const app = await office(t, [UNUSUAL]);
    for (let week = 1; week <= 8; week++) await app.come(100, -7 * week);
    await app.come(count);
    app.at(TODAY + DAY + MINUTE);
    assert.deepEqual(await app.look(), told, `${count}`);
  }
});

test('custom alerts: an unusual day says which visitors make up most of the difference', async (t) => {
  const app = await office(t, [UNUSUAL, { ...UNUSUAL, name: 'Phones', filters: { device: 'Mobile' } }]);
  const goal = await app.owner.ask('POST', `/sites/${app.siteId}/goals`, { type: 'page', value: '/thanks' });
  const orders = { name: 'Orders', metric: 'conversions', goal_id: goal.body.data.id, condition: 'unusual' };
  const pageviews = { name: 'Views', metric: 'pageviews', condition: 'unusual' };
  for (const one of [orders, pageviews]) await app.owner.ask('POST', `/sites/${app.siteId}/alerts`, one);
  const phone = { device: 'Mobile' };
  for (let week = 1; week <= 8; week++) {
    await app.come(200, -7 * week, { country: 'FR' });
    await app.come(200, -7 * week, { country: 'DE' });
    await app.come(100, -7 * week, { country: 'DE', page: '/thanks', ...phone });
  }
  await app.come(200, 0, { country: 'FR' });
  await app.come(200, 0, { country: 'DE' });
  await app.come(500, 0, { country: 'DE', page: '/thanks', ...phone, browser: 'Opera' });
  app.at(TODAY + DAY + MINUTE);
  const [told, ...others] = await app.tell();
  assert.deepEqual(others, []);
  const reason = 'Most of the change comes from visitors that have the browser Opera in common:';
  for (const one of ['Odd', 'Orders', 'Phones', 'Views'])
    assert.ok(told?.text.includes(`${one}: ${reason}`), told?.text);
  assert.match(told?.text ?? '', /0 before, 500 now/);
});

test('custom alerts: a high day is not explained by a fall, and a low day is not explained by a rise', async (t) => {
  const opera = { country: 'DE', browser: 'Opera' };
  for (const { usual, lastWeek, today, told } of [
    { usual: 100, lastWeek: { usual: 100, opera: 400 }, today: { usual: 300, opera: 0 }, told: [300, 100] },
    { usual: 1_000, lastWeek: { usual: 10, opera: 0 }, today: { usual: 10, opera: 390 }, told: [400, 1_000] },
  ]) {
    const app = await office(t, [UNUSUAL]);
    for (let week = 2; week <= 8; week++) await app.come(usual, -7 * week);
    for (const [day, comers] of [[-7, lastWeek] as const, [0, today] as const]) {
      await app.come(comers.usual, day);
      await app.come(comers.opera, day, opera);
    }
    app.at(TODAY + DAY + MINUTE);
    const [message] = await app.tell();
    const [value = '', limit = ''] = told.map((one) => one.toLocaleString('en'));
    assert.match(message?.text ?? '', new RegExp(`Odd \\(Visitors\\) +${value} +usual: ${limit}\\n`));
    assert.doesNotMatch(message?.text ?? '', /Most of the change/);
  }
});

test('custom alerts: without four weeks to compare with, no day is unusual', async (t) => {
  const app = await office(t, [UNUSUAL]);
  for (let week = 1; week <= 3; week++) await app.come(100, -7 * week);
  app.at(TODAY + DAY + MINUTE);
  assert.deepEqual(await app.look(), []);
});

test('custom alerts: a day with an outage is not called low', async (t) => {
  const app = await office(t, [below(5), UNUSUAL, above(0)]);
  for (let week = 1; week <= 8; week++) await app.come(100, -7 * week);
  await app.come(1);
  addOutage(app.db, { from: TODAY + HOUR, to: TODAY + 2 * HOUR, reason: 'down' });
  app.at(TODAY + DAY + MINUTE);
  assert.deepEqual(await app.look(), ['example.com: Many | Many (Visitors) 1 above 0']);
});

test('custom alerts: what was deleted says nothing about what is usual', async (t) => {
  const app = await office(t, [UNUSUAL]);
  for (let week = 1; week <= 8; week++) await app.come(100, -7 * week);
  await app.come(100);
  await app.seal();
  const { siteId } = app;
  const body = { from: '2026-01-20', to: '2026-02-17' };
  assert.equal((await app.owner.ask('POST', `/sites/${siteId}/deletions`, body)).status, 200);
  app.at(TODAY + DAY + MINUTE);
  assert.deepEqual(await app.look(), [], 'three weeks are too few');
});

test('custom alerts: an outage in the first hour of a day with 25 hours counts too', async (t) => {
  const app = await office(t, [below(5)]);
  await app.owner.ask('PATCH', `/sites/${app.siteId}`, { time_zone: 'Europe/Berlin' });
  const day = Date.UTC(2026, 9, 25) / 1000;
  const start = day - 2 * HOUR;
  addOutage(app.db, { from: start, to: start + HOUR / 2, reason: 'down' });
  app.at(start + 25 * HOUR + MINUTE);
  assert.deepEqual(await app.look(), []);
});

test('custom alerts: if the time zone changes, no day is told a second time', async (t) => {
  const app = await office(t, [above(4)]);
  await app.come(5);
  app.at(TODAY + DAY + MINUTE);
  assert.equal((await app.look()).length, 1);
  await app.owner.ask('PATCH', `/sites/${app.siteId}`, { time_zone: 'Europe/Berlin' });
  app.restart();
  assert.deepEqual(await app.look(), []);
});

test('custom alerts: they are sent by e-mail too, unless the site has switched that off', async (t) => {
  for (const isOn of [true, false]) {
    const server = await mailServer(t);
    const app = await office(t, [above(4)], server.settings);
    await app.owner.ask('PATCH', `/sites/${app.siteId}`, { alert_custom: isOn });
    await app.come(5);
    app.at(TODAY + DAY + MINUTE);
    assert.equal((await app.look()).length, 1);
    assert.deepEqual(
      server.mails.map((mail) => readMail(mail).headers.subject),
      isOn ? Array(3).fill('example.com: Many') : [],
    );
  }
});
