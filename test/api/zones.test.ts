import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { BROWSER, TODAY } from '../collect/stage.ts';
import { rowsOf } from '../ledger/rows.ts';
import { cameSince } from '../support/held.ts';
import { ON_CLUSTER, startApp } from '../support/helpers.ts';

const DAY = 86_400;

/** A site whose pages are opened, and which is asked and changed by its manager. */
async function stage(t: TestContext, zone?: string) {
  const app = await startApp(t);
  const { manager, siteId, clock, db, held } = app;
  const path = `/sites/${siteId}`;
  const change = async (timeZone: string) => {
    const answer = await manager.ask('PATCH', path, { time_zone: timeZone });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.time_zone;
  };
  if (zone) db.run('UPDATE site SET time_zone = ? WHERE id = ?', zone, siteId);
  return Object.assign(app, {
    path,
    change,
    /** Somebody opens a page; gives the day and second with which that is kept. */
    async visit(person = 1): Promise<[day: number, second: number]> {
      const body = { site: 'example.com', url: 'https://example.com/' };
      const before = await held.hits();
      const answer = await app.ask('POST', '/day', { body, headers: BROWSER, address: `192.0.2.${person}` });
      assert.equal(answer.status, 202, answer.text);
      const [hit] = cameSince(before, await held.hits());
      assert.ok(hit);
      assert.equal(hit.day * DAY + hit.second, clock.now() / 1000, 'both are the instant');
      return [hit.day - TODAY, hit.second];
    },
    report: async (name: string, range = 'today') =>
      (await manager.ask('GET', `${path}/stats/${name}?range=${range}`)).body.data,
    /** Moves on to a moment of the clock on the wall. */
    until: (moment: string) => clock.pass((Date.parse(moment) - clock.now()) / 1000),
  });
}

test('a zone is given with a site or changed by a manager, in any case, and answered by its name of today', async (t) => {
  const { owner, viewer, manager, path, change } = await stage(t);
  const added = await owner.ask('POST', '/sites', { domain: 'one.example', time_zone: 'europe/BERLIN' });
  assert.equal(added.body.data.time_zone, 'Europe/Berlin');
  assert.equal((await viewer.ask('GET', path)).body.data.time_zone, 'UTC');
  assert.equal(await change('us/eastern'), 'America/New_York');
  assert.equal((await viewer.ask('GET', path)).body.data.time_zone, 'America/New_York');
  for (const [typed, name] of [
    ['asia/calcutta', 'Asia/Kolkata'],
    ['Asia/Kathmandu', 'Asia/Kathmandu'],
    ['Europe/Kyiv', 'Europe/Kyiv'],
  ] as const) {
    assert.equal(await change(typed), name);
  }
  assert.equal((await viewer.ask('PATCH', path, { time_zone: 'UTC' })).status, 403);
  for (const wrong of ['+02:00', '', 'Mars/Olympus', null, 2, 'x'.repeat(65)]) {
    const refused = await manager.ask('PATCH', path, { time_zone: wrong });
    assert.equal(refused.status, 422, String(wrong));
    assert.match(refused.body.error.fields.time_zone, /time zone/);
  }
});

test('today is the date of the site, and ranges begin and end with its days as UTC instants', async (t) => {
  const { until, visit, report, manager, path } = await stage(t, 'Europe/Berlin');
  until('2026-03-28T22:59:59Z');
  assert.deepEqual(await visit(), [18, DAY - 3_601]);
  until('2026-03-28T23:00:00Z');
  assert.deepEqual(await visit(), [19, -3_600]);
  const { from, to, visitors, previous } = await report('overview');
  assert.deepEqual([from, to, visitors], ['2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', 1]);
  assert.deepEqual(
    [previous.from, previous.to, previous.visitors],
    ['2026-03-27T23:00:00Z', '2026-03-28T22:59:59Z', 1],
  );
  assert.deepEqual((await report('timeseries', '7d')).points.at(-1), { date: '2026-03-29', visitors: 1, pageviews: 1 });
  assert.equal((await report('realtime')).visitors, 2, 'whoever was there before midnight is another visitor');
  const note = (date: string) => manager.ask('POST', `${path}/notes`, { date, text: 'x' });
  assert.equal((await note('2026-03-29')).status, 201);
  assert.equal((await note('2026-03-30')).status, 422);
});

test('after a change westwards the running day goes on until the new zone is past it', async (t) => {
  const { until, visit, change, report, seal } = await stage(t, 'Pacific/Kiritimati');
  assert.deepEqual(await visit(), [1, -DAY / 2]);
  await change('Etc/GMT+12');
  assert.deepEqual(await visit(), [1, -DAY / 2]);
  until('2026-03-12T11:59:59Z');
  assert.deepEqual(await visit(), [1, 1.5 * DAY - 1]);
  assert.equal(await seal(), 0);
  const { from, to, visitors, pageviews } = await report('overview');
  assert.deepEqual([from, to], ['2026-03-10T10:00:00Z', '2026-03-12T11:59:59Z']);
  assert.deepEqual([visitors, pageviews], [1, 3], 'it has one salt, however long it is');
  until('2026-03-12T12:00:00Z');
  assert.deepEqual(await visit(), [2, DAY / 2]);
  // What collectors took in the last moment may come within half a minute, for which a cluster waits.
  if (ON_CLUSTER) until('2026-03-12T12:00:30Z');
  assert.equal(await seal(), 1);
  const { notices } = await report('overview', '2026-03-09~2026-03-12');
  assert.deepEqual(notices, [
    'These days were counted in Pacific/Kiritimati, before the time zone changed to Etc/GMT+12: 2026-03-11.',
  ]);
});

test('after a change eastwards the new date begins at once, and the day before is over', async (t) => {
  const { visit, change, report, seal, until } = await stage(t, 'Etc/GMT+12');
  until('2026-03-11T11:59:59Z');
  assert.deepEqual(await visit(), [0, 1.5 * DAY - 1]);
  await change('Pacific/Kiritimati');
  assert.deepEqual(await visit(), [2, -DAY / 2 - 1]);
  assert.equal(await seal(), 1);
  assert.equal((await report('realtime')).visitors, 2);
  const { from, to } = await report('overview', '2026-03-10~2026-03-10');
  assert.deepEqual([from, to], ['2026-03-10T12:00:00Z', '2026-03-11T11:59:58Z']);
  const { points, notices } = await report('timeseries', '2026-03-10~2026-03-12');
  assert.deepEqual(
    points.map(({ visitors }: { visitors: number }) => visitors),
    [1, 0, 1],
    'the date between was left out',
  );
  assert.deepEqual(notices, [
    'These days were counted in Etc/GMT+12, before the time zone changed to Pacific/Kiritimati: 2026-03-10.',
  ]);
  await change('Etc/GMT+12');
  assert.deepEqual(await visit(), [2, -DAY / 2 - 1], 'and going back brings no day back');
});

test('a day that two changes in one second came to has begun in that second', async (t) => {
  const { visit, change, report } = await stage(t);
  await change('Pacific/Kiritimati');
  await change('Etc/GMT+12');
  assert.deepEqual(await visit(), [1, -DAY / 2]);
  const { from, to, notices } = await report('overview');
  assert.deepEqual([from, to], ['2026-03-10T12:00:00Z', '2026-03-12T11:59:59Z']);
  assert.deepEqual(notices, [
    'These days were counted in UTC, before the time zone changed to Etc/GMT+12: 2026-03-11.',
  ]);
});

test('imported days are those of the zone of the import, and need no notice in it', async (t) => {
  const { change, report, engine, siteId } = await stage(t, 'Europe/Berlin');
  const bring = (day: number, timeZone: string) =>
    engine.imports.add(
      siteId,
      { today: TODAY, timeZone, texts: [''], days: [day], readRows: () => rowsOf(2) },
      { replace: true },
    );
  await bring(TODAY - 4, 'Europe/Berlin');
  await bring(TODAY - 3, 'Europe/Berlin');
  await change('Etc/GMT+12');
  await bring(TODAY - 3, 'Etc/GMT+12');
  const { from, to, notices } = await report('overview', '2026-03-06~2026-03-07');
  assert.deepEqual([from, to], ['2026-03-05T23:00:00Z', '2026-03-08T11:59:59Z']);
  assert.deepEqual(notices, [
    'These days were counted in Europe/Berlin, before the time zone changed to Etc/GMT+12: 2026-03-06.',
  ]);
});

test('a server passes on hits of the running day, however long that is, and of no other', async (t) => {
  const { until, change, manager, path, held } = await stage(t, 'Pacific/Kiritimati');
  await change('Etc/GMT+12');
  until('2026-03-12T11:00:00Z');
  const hit = { url: 'https://example.com/', ip: '192.0.2.1', agent: BROWSER['user-agent'] };
  const passed = ['2026-03-10T09:59:59Z', '2026-03-10T10:00:00Z', '2026-03-12T11:00:00Z', '2026-03-12T12:30:00Z'];
  const answer = await manager.ask(
    'POST',
    `${path}/hits`,
    passed.map((at) => ({ ...hit, at })),
  );
  assert.deepEqual(answer.body.data, { accepted: 2, dropped: 2 });
  assert.deepEqual(
    (await held.hits()).map(({ day, second }) => [day, second]),
    [
      [TODAY + 1, -14 * 3_600],
      [TODAY + 1, 35 * 3_600],
    ],
  );
});

test('what a plan includes is counted by the months of UTC', async (t) => {
  const { until, visit, owner } = await stage(t, 'Pacific/Kiritimati');
  until('2026-03-31T12:00:00Z');
  assert.deepEqual(await visit(), [22, -DAY / 2], 'it is April there');
  assert.equal((await owner.ask('GET', '/account')).body.data.events_used, 1);
  until('2026-04-01T00:00:00Z');
  assert.equal((await owner.ask('GET', '/account')).body.data.events_used, 0);
});

test('the time zone changes at most 20 times in 24 hours', async (t) => {
  const { manager, path, change, clock } = await stage(t);
  const zones = ['Europe/Berlin', 'Asia/Tokyo'];
  for (let n = 0; n < 20; n++) {
    await change(zones[n % 2] ?? '');
    clock.pass(1);
  }
  const refused = await manager.ask('PATCH', path, { time_zone: 'UTC', weekly_report: true });
  assert.deepEqual(
    [refused.status, refused.body.error.message_code],
    [402, { code: 'most_zone_changes', values: { most: 20 } }],
  );
  assert.equal((await manager.ask('GET', path)).body.data.weekly_report, false, 'nothing else changes either');
  assert.equal(await change('Asia/Tokyo'), 'Asia/Tokyo', 'the same zone is no change');
  clock.pass(DAY - 20);
  assert.equal(await change('UTC'), 'UTC');
});
