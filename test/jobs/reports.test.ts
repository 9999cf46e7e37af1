import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR } from '../../src/lib/time.ts';
import type { Hit } from '../collect/stage.ts';
import { readMail } from '../mail/server.ts';
import { comersAt } from '../mail/site.ts';
import { EVERYBODY, LAST_WEEK, MONDAY, office, recipients, subjects } from './office.ts';

/** Hits of a day of a zone, whose seconds are counted from its own midnight in UTC. */
const labelled = (hits: readonly Hit[], day: number): Hit[] =>
  hits.map((hit) => ({ ...hit, day, second: hit.day * DAY + hit.second - day * DAY }));

test('on Monday at seven the week before is sent once to all who may read the site', async (t) => {
  const { store, at, look, restart } = await office(t, { weekly_report: true });
  await store(...comersAt(3, LAST_WEEK + 10), ...comersAt(2, LAST_WEEK - 10), ...comersAt(9, MONDAY));
  at(MONDAY + 7 * HOUR - 1);
  // The Monday before is too long ago.
  assert.deepEqual(await look(), []);
  at(MONDAY + 7 * HOUR);
  const mails = await look();
  assert.deepEqual(recipients(mails), EVERYBODY);
  assert.deepEqual(subjects(mails), ['example.com: 3 visitors last week']);
  assert.deepEqual(await look(), []);
  restart();
  assert.deepEqual(await look(), []);
  at(MONDAY + 7 * DAY + 7 * HOUR);
  assert.deepEqual(subjects(await look()), ['example.com: 9 visitors last week']);
});

test('Monday at seven and the days of the week are those of the site', async (t) => {
  const { store, at, look } = await office(t, { weekly_report: true, time_zone: 'America/New_York' });
  // New York sets its clocks forward on 8 March.
  const [first, end] = [LAST_WEEK + 5 * HOUR, MONDAY + 4 * HOUR];
  await store(...labelled(comersAt(2, first), LAST_WEEK / DAY), ...labelled(comersAt(3, end - 9), MONDAY / DAY - 1));
  await store(...labelled(comersAt(9, end), MONDAY / DAY), ...labelled(comersAt(9, first - 20), LAST_WEEK / DAY - 1));
  at(MONDAY + 11 * HOUR - 1);
  assert.deepEqual(await look(), []);
  at(MONDAY + 11 * HOUR);
  const mails = await look();
  assert.deepEqual(subjects(mails), ['example.com: 5 visitors last week']);
  const text = readMail(mails[0] ?? assert.fail()).parts['text/plain'] ?? '';
  assert.match(text, /2 March 2026 – 8 March 2026, compared with the week before\. Time\s+zone:\s+America\/New_York\./);
  assert.match(text, /range=2026-03-02~2026-03-08/);
});

test('a change of zone brings no second report of a week', async (t) => {
  const { store, at, look, owner, siteId } = await office(t, { weekly_report: true });
  await store(...comersAt(3, LAST_WEEK + 43_200), ...comersAt(4, MONDAY + 43_200));
  at(MONDAY + 7 * HOUR);
  assert.equal((await look()).length, EVERYBODY.length);
  for (const zone of ['America/New_York', 'Asia/Tokyo', 'America/New_York']) {
    await owner.ask('PATCH', `/sites/${siteId}`, { time_zone: zone });
    at(MONDAY + 12 * HOUR);
    assert.deepEqual(await look(), [], zone);
  }
  at(MONDAY + 7 * DAY + 11 * HOUR);
  assert.equal((await look()).length, EVERYBODY.length);
});

test('a server that was off on Monday sends the report within 48 hours, and not later', async (t) => {
  const { store, at, look } = await office(t, { weekly_report: true });
  await store(...comersAt(1, LAST_WEEK), ...comersAt(1, MONDAY));
  at(MONDAY + 7 * HOUR + 48 * HOUR - 1);
  assert.equal((await look()).length, 3);
  at(MONDAY + 7 * DAY + 7 * HOUR + 48 * HOUR);
  assert.deepEqual(await look(), []);
});

/** The first of April 2026, and the seconds of March. */
const APRIL = Date.parse('2026-04-01T00:00:00Z') / 1000;
const MARCH = APRIL - 31 * DAY;

test('on the first of a month at seven the month before is sent once to all who may read the site', async (t) => {
  const { store, at, look, restart } = await office(t, { monthly_report: true });
  await store(...comersAt(3, MARCH), ...comersAt(2, APRIL - 10), ...comersAt(4, MARCH - 10), ...comersAt(9, APRIL));
  at(APRIL + 7 * HOUR - 1);
  assert.deepEqual(await look(), []);
  at(APRIL + 7 * HOUR);
  const mails = await look();
  assert.deepEqual(recipients(mails), EVERYBODY);
  assert.deepEqual(subjects(mails), ['example.com: 5 visitors in March 2026']);
  assert.deepEqual(await look(), []);
  restart();
  assert.deepEqual(await look(), []);
  at(APRIL + 30 * DAY + 7 * HOUR);
  assert.deepEqual(subjects(await look()), ['example.com: 9 visitors in April 2026']);
});

test('the first at seven and the days of the month are those of the site, whose clocks were set forward', async (t) => {
  const { store, at, look } = await office(t, { monthly_report: true, time_zone: 'America/New_York' });
  // New York sets its clocks forward on 8 March.
  const [first, end] = [MARCH + 5 * HOUR, APRIL + 4 * HOUR];
  await store(...labelled(comersAt(2, first), MARCH / DAY), ...labelled(comersAt(3, end - 9), APRIL / DAY - 1));
  await store(...labelled(comersAt(9, end), APRIL / DAY), ...labelled(comersAt(9, first - 20), MARCH / DAY - 1));
  at(APRIL + 11 * HOUR - 1);
  assert.deepEqual(await look(), []);
  at(APRIL + 11 * HOUR);
  const mails = await look();
  assert.deepEqual(subjects(mails), ['example.com: 5 visitors in March 2026']);
  const text = readMail(mails[0] ?? assert.fail()).parts['text/plain'] ?? '';
  assert.match(
    text,
    /1 March 2026 – 31 March 2026, compared with the month before\. Time\s+zone:\s+America\/New_York\./,
  );
  assert.match(text, /range=2026-03-01~2026-03-31&compare=2026-02-01~2026-02-28/);
});

test('a change of zone brings no second report of a month', async (t) => {
  const { store, at, look, owner, siteId } = await office(t, { monthly_report: true });
  await store(...comersAt(3, MARCH + 43_200), ...comersAt(4, APRIL + 43_200));
  at(APRIL + 7 * HOUR);
  assert.equal((await look()).length, EVERYBODY.length);
  for (const zone of ['America/New_York', 'Asia/Tokyo', 'America/New_York']) {
    await owner.ask('PATCH', `/sites/${siteId}`, { time_zone: zone });
    at(APRIL + 12 * HOUR);
    assert.deepEqual(await look(), [], zone);
  }
  at(APRIL + 30 * DAY + 11 * HOUR);
  assert.equal((await look()).length, EVERYBODY.length);
});

test('a server that was off on the first sends the report within 48 hours, and not later', async (t) => {
  const { store, at, look } = await office(t, { monthly_report: true });
  await store(...comersAt(1, MARCH), ...comersAt(1, APRIL));
  at(APRIL + 7 * HOUR + 48 * HOUR - 1);
  assert.equal((await look()).length, 3);
  at(APRIL + 30 * DAY + 7 * HOUR + 48 * HOUR);
  assert.deepEqual(await look(), []);
});

test('a site that nobody came to in both months has no report, and one with another report only neither', async (t) => {
  const quiet = await office(t, { monthly_report: true });
  await quiet.store(...comersAt(1, APRIL), ...comersAt(1, MARCH - 28 * DAY - 10));
  quiet.at(APRIL + 7 * HOUR);
  assert.deepEqual(await quiet.look(), []);
  const off = await office(t, { weekly_report: true });
  await off.store(...comersAt(1, MARCH));
  off.at(APRIL + 7 * HOUR);
  assert.deepEqual(await off.look(), []);
});

test('on a Monday that is the first of a month both reports are sent', async (t) => {
  const { store, at, look } = await office(t, { weekly_report: true, monthly_report: true });
  const june = Date.parse('2026-06-01T00:00:00Z') / 1000;
  await store(...comersAt(1, june - 20 * DAY), ...comersAt(2, june - 10));
  at(june + 7 * HOUR);
  const mails = await look();
  assert.deepEqual(subjects(mails), ['example.com: 2 visitors last week', 'example.com: 3 visitors in May 2026']);
  assert.equal(mails.length, 2 * EVERYBODY.length);
});

test('a site that nobody came to in both weeks has no report, and one without its switch neither', async (t) => {
  const quiet = await office(t, { weekly_report: true });
  await quiet.store(...comersAt(1, MONDAY), ...comersAt(1, LAST_WEEK - 7 * DAY - 10));
  quiet.at(MONDAY + 7 * HOUR);
  assert.deepEqual(await quiet.look(), []);
  const off = await office(t, { weekly_report: false });
  await off.store(...comersAt(1, LAST_WEEK));
  off.at(MONDAY + 7 * HOUR);
  assert.deepEqual(await off.look(), []);
});

test('a mail has both forms, and one click in its header ends those of this person about this site', async (t) => {
  const app = await office(t, { weekly_report: true });
  await app.store(...comersAt(3, LAST_WEEK));
  app.at(MONDAY + 7 * HOUR);
  const mails = await app.look();
  const own = mails.find(({ to }) => to[0] === 'viewer@example.com');
  assert.ok(own);
  const { headers, parts } = readMail(own);
  assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
  const link =
    /^<(https:\/\/stats\.example\.com\/unsubscribe\/[\w-]{36,})>$/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? '';
  assert.ok(parts['text/plain']?.includes(link) && parts['text/html']?.includes(link));
  assert.match(
    parts['text/plain'] ?? '',
    /https:\/\/stats\.example\.com\/sites\/example\.com\?range=2026-03-02~2026-03-08/,
  );
  assert.ok(!parts['text/html']?.includes('<img') && !parts['text/html']?.includes('<script'));
  const form = { body: 'List-Unsubscribe=One-Click', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  assert.equal((await app.ask('POST', new URL(link).pathname, form)).status, 200);
  app.at(MONDAY + 7 * DAY + 7 * HOUR);
  assert.deepEqual(recipients(await app.look()), ['manager@example.com', 'owner@example.com']);
});
