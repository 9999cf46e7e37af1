import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR } from '../../src/lib/time.ts';
import type { Hit } from '../collect/stage.ts';
import { type Mail, readMail } from '../mail/server.ts';
import { comersAt, hourly } from '../mail/site.ts';
import { EVERYBODY, MONDAY, office, recipients, subjects } from './office.ts';

/** Nine weeks in which so many come each hour, up to the end of an hour. */
const usual = (count: number, to: number): Hit[] => hourly(count, to - 63 * DAY, to);
const TUESDAY_NOON = MONDAY + DAY + 12 * HOUR;

test('an hour far above the usual is told once an episode, with what grew most', async (t) => {
  const { store, at, look, clock, restart } = await office(t, { alert_traffic: true });
  const surge = { source: 'news.example', page: '/launch', utm_campaign: 'spring' };
  await store(...usual(4, TUESDAY_NOON), ...comersAt(60, TUESDAY_NOON, surge));
  at(TUESDAY_NOON + HOUR - 1);
  assert.deepEqual(await look(), []);
  clock.pass(1);
  const mails = await look();
  assert.deepEqual(recipients(mails), EVERYBODY);
  assert.deepEqual(subjects(mails), ['example.com: far more visitors than usual']);
  const text = readMail(mails[0] as Mail).parts['text/plain'] ?? '';
  assert.match(text, /12:00–13:00 UTC: 60 visitors\. Usual at this hour on a Tuesday: 4\./);
  assert.match(text, /Most likely cause: visitors from news\.example to the page \/launch\./);
  assert.match(text, /Campaign: spring +60 +0/);
  const alike =
    /Many visits look alike: 60 of 108 on this day viewed only one page, and have the source news\.example in common \(usually 0\)\./;
  assert.match(text.replaceAll(/\s+/g, ' '), alike);
  restart();
  assert.deepEqual(await look(), []);
  // It goes on, ends with a usual hour, and begins again.
  await store(...comersAt(80, TUESDAY_NOON + HOUR, surge), ...comersAt(4, TUESDAY_NOON + 2 * HOUR));
  await store(...comersAt(70, TUESDAY_NOON + 3 * HOUR, surge));
  clock.pass(HOUR);
  assert.deepEqual(await look(), []);
  clock.pass(HOUR);
  assert.deepEqual(await look(), []);
  clock.pass(HOUR);
  assert.equal((await look()).length, 3);
});

test('a handful of people on a small site, and a site without a past, alarm nobody', async (t) => {
  const small = await office(t, { alert_traffic: true });
  await small.store(...usual(1, TUESDAY_NOON), ...comersAt(20, TUESDAY_NOON));
  small.at(TUESDAY_NOON + HOUR);
  assert.deepEqual(await small.look(), []);
  const fresh = await office(t, { alert_traffic: true });
  await fresh.store(...hourly(2, TUESDAY_NOON - 20 * DAY, TUESDAY_NOON), ...comersAt(500, TUESDAY_NOON));
  fresh.at(TUESDAY_NOON + HOUR);
  assert.deepEqual(await fresh.look(), []);
});

test('a silence is told once when 12 were expected, and once more when somebody comes again', async (t) => {
  const { store, at, look, clock, restart } = await office(t, { alert_silence: true });
  await store(...usual(6, TUESDAY_NOON));
  at(TUESDAY_NOON - 2 * HOUR);
  restart();
  for (let minute = -120; minute <= 0; minute += 10) {
    at(TUESDAY_NOON + minute * 60);
    assert.deepEqual(await look(), []);
  }
  // The last one came five seconds after eleven.
  const minutes = async (from: number, to: number): Promise<Mail[]> => {
    const all: Mail[] = [];
    for (let minute = from; minute < to; minute += 5) {
      at(TUESDAY_NOON + minute * 60);
      all.push(...(await look()));
    }
    return all;
  };
  assert.deepEqual(await minutes(5, 60), []);
  const told = await minutes(60, 90);
  assert.deepEqual(recipients(told), EVERYBODY);
  const text = readMail(told[0] as Mail).parts['text/plain'] ?? '';
  assert.match(text, /Last hit: Tue 10 Mar, 11:00 UTC \(2026-03-10T11:00:05Z\)\./);
  assert.match(text, /Usual for this period: 1[2-4](\.\d)?\./);
  assert.deepEqual(await minutes(90, 120), []);
  restart();
  assert.deepEqual(await minutes(120, 150), []);
  await store(...comersAt(1, TUESDAY_NOON + 150 * 60));
  clock.pass(900);
  assert.deepEqual(subjects(await look()), ['example.com: visitors are back']);
  clock.pass(900);
  assert.deepEqual(await look(), []);
});

test('while the server did not run, nobody knows whether it was silent', async (t) => {
  const { store, at, look, restart } = await office(t, { alert_silence: true });
  await store(...usual(6, TUESDAY_NOON));
  at(TUESDAY_NOON + 10 * HOUR);
  restart();
  assert.deepEqual(await look(), []);
  // A machine that slept looks as if it had been off.
  at(TUESDAY_NOON + 20 * HOUR);
  assert.deepEqual(await look(), []);
  let told: Mail[] = [];
  let minutes = 0;
  for (; told.length === 0; minutes += 10) {
    at(TUESDAY_NOON + 20 * HOUR + minutes * 60);
    told = await look();
  }
  assert.equal(minutes, 130);
  assert.match(
    readMail(told[0] as Mail).parts['text/plain'] ?? '',
    /The server was started after the last hit \(Wed 11 Mar, 08:00 UTC\)/,
  );
});

test('while hits are refused, and until enough were expected after that, nothing is taken for silence', async (t) => {
  const { store, at, look, refuse, takeAgain } = await office(t, { alert_silence: true });
  await store(...usual(6, TUESDAY_NOON));
  const noMailFor = async (from: number, to: number): Promise<void> => {
    for (let minute = from; minute < to; minute += 10) {
      at(TUESDAY_NOON + minute * 60);
      assert.deepEqual(await look(), [], `after ${minute} minutes`);
    }
  };
  await noMailFor(0, 10);
  refuse();
  await noMailFor(10, 300);
  takeAgain();
  await noMailFor(300, 400);
  let told: Mail[] = [];
  for (let minute = 400; told.length === 0 && minute < 500; minute += 10) {
    at(TUESDAY_NOON + minute * 60);
    told = await look();
  }
  assert.deepEqual(recipients(told), EVERYBODY);
});

test('a silence that is over before the mail could go out is not told', async (t) => {
  const { store, at, look, server } = await office(t, { alert_silence: true });
  await store(...usual(20, TUESDAY_NOON));
  at(TUESDAY_NOON + 600);
  await look();
  server.state.isDown = true;
  for (let minute = 10; minute < 90; minute += 10) {
    at(TUESDAY_NOON + minute * 60);
    await look();
  }
  assert.ok(server.connections() > 0);
  await store(...comersAt(1, TUESDAY_NOON + 90 * 60));
  server.state.isDown = false;
  at(TUESDAY_NOON + 100 * 60);
  assert.deepEqual(await look(), []);
});
