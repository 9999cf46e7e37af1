import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { DAY } from '../../src/lib/time.ts';
import { writeLetter } from '../../src/mail/html.ts';
import { isSilent, measureSilence, returnLetter, silenceLetter } from '../../src/mail/silence.ts';
import { voiceIn } from '../../src/mail/voice.ts';
import { fileOf, IN_UTC, TODAY } from '../collect/stage.ts';
import { askOf, comersAt, hourly, sourcesOf, store } from './site.ts';

const ENGLISH = voiceIn('en');

const NOON = TODAY * DAY + 43_200;
const ONE = { id: 1, ...IN_UTC };
const SITE = { domain: 'example.com', timeZone: 'UTC', baseUrl: 'https://stats.example.com', script: '/day' };
const FOOTER = { because: 'Because.', unsubscribe: 'https://stats.example.com/unsubscribe/x' };

test('it takes 12 expected visitors and an hour', () => {
  const silence = { lastHit: 0, since: 0, expected: 12 };
  assert.ok(isSilent(silence, 3_600));
  assert.ok(!isSilent(silence, 3_599));
  assert.ok(!isSilent({ ...silence, expected: 11.9 }, 36_000));
});

test('expected is what came between the same times of the weeks before', async (t) => {
  const { db } = fileOf(t).open();
  // Busy only from noon to one, so that a night is no silence.
  for (let week = 1; week <= 8; week++) await store(db, comersAt(week === 3 ? 900 : 24, NOON - week * 7 * DAY));
  await store(db, comersAt(24, NOON - 1 - DAY));
  const expected = async (now: number) => (await measureSilence({ db, ask: askOf(db) }, ONE, now, 0)).expected;
  assert.equal(await expected(NOON), 0);
  assert.equal(await expected(NOON + 1_800), 12);
  assert.equal(await expected(NOON + 3_600), 24);
});

test('a site that has become less known is expected to have fewer', async (t) => {
  const { db } = fileOf(t).open();
  await store(db, [...hourly(10, NOON - 63 * DAY, NOON - 14 * DAY), ...hourly(1, NOON - 14 * DAY, NOON)]);
  const { expected, lastHit } = await measureSilence({ db, ask: askOf(db) }, ONE, NOON + 7_200, 0);
  assert.equal(lastHit, NOON - 3_600);
  assert.ok(expected > 2.5 && expected < 3.5, `${expected}`);
});

test('a site without hits is not silent, and time without the server does not count', async (t) => {
  const { db } = fileOf(t).open();
  assert.ok(!isSilent(await measureSilence({ db, ask: askOf(db) }, ONE, NOON, 0), NOON));
  await store(db, hourly(20, NOON - 63 * DAY, NOON));
  const later = NOON + 5 * 3_600;
  assert.ok(isSilent(await measureSilence({ db, ask: askOf(db) }, ONE, later, 0), later));
  assert.ok(!isSilent(await measureSilence({ db, ask: askOf(db) }, ONE, later, later - 600), later));
});

test('the letter says since when, whether the server ran, and what points to the cause', () => {
  const silence = { lastHit: NOON, since: NOON, expected: 40 };
  const drops = [
    { reason: 'bot', hits: 9 },
    { reason: 'foreign-host', hits: 3 },
  ];
  const known = { silence, now: NOON + 7_200, aliveSince: NOON - DAY, lastOfAll: NOON + 60, drops };
  const { text, subject } = writeLetter(silenceLetter(SITE, known, ENGLISH), FOOTER, ENGLISH);
  assert.equal(subject, 'example.com: no visitors for 2h 0m');
  assert.match(text, /Last hit: Tue 10 Mar, 12:00 UTC \(2026-03-10T12:00:00Z\)\./);
  assert.match(text, /No visitors for 2h 0m\. Usual for this period: 40\./);
  assert.match(text, /The server has been running without interruption since Mon 9 Mar, 12:00 UTC/);
  assert.match(text, /its other sites are getting hits/);
  assert.match(text, /foreign-host +3\n/);
  assert.ok(!text.includes('bot'));
  assert.match(text, /https:\/\/stats\.example\.com\/day\.js/);
  const alone = writeLetter(
    silenceLetter(SITE, { ...known, lastOfAll: NOON, aliveSince: NOON + 60, drops: [] }, ENGLISH),
    FOOTER,
    ENGLISH,
  );
  assert.match(alone.text, /No site on this server gets hits/);
  assert.match(alone.text, /The server was started after the last hit \(Tue 10 Mar, 12:01 UTC\)/);
  assert.ok(!alone.text.includes('not counted'));
});

test('where nothing is unusual the letter names no cause', () => {
  const silence = { lastHit: NOON, since: NOON, expected: 1 };
  const known = { silence, now: NOON + 60, aliveSince: undefined, lastOfAll: NOON, drops: [] };
  const { text } = writeLetter(silenceLetter(SITE, known, ENGLISH), FOOTER, ENGLISH);
  assert.ok(!text.includes('Most likely') && !text.includes('The server has'));
});

test('that hits are back is told with when they were away', async (t) => {
  const sources = sourcesOf({ config: readConfig({}, {}), db: fileOf(t).open().db });
  const seen = NOON + 7_200;
  const occasion = { at: NOON, createdAt: seen, endedAt: null, now: seen, aliveSince: NOON };
  const letter = await returnLetter(sources, { ...ONE, accountId: 1, domain: 'example.com' }, occasion, ENGLISH);
  assert.ok(letter);
  const { text } = writeLetter(letter, FOOTER, ENGLISH);
  assert.match(text, /No hits arrived between Tue 10 Mar, 12:00 UTC and Tue 10 Mar, 14:00 UTC\./);
});
