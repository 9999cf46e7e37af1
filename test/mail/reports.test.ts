import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../src/lib/time.ts';
import { writeLetter } from '../../src/mail/html.ts';
import { monthly, weekly } from '../../src/mail/reports.ts';
import { voiceIn } from '../../src/mail/voice.ts';
import { makeAsk } from '../../src/stats/ask.ts';
import { IN_UTC } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { comersAt, sourcesOf, store } from './site.ts';

const ENGLISH = voiceIn('en');

const MONDAY = Date.parse('2026-03-09T07:00:00Z') / 1000;
const FIRST = Date.parse('2026-03-02T00:00:00Z') / 1000;
const FOOTER = { because: 'Because.', unsubscribe: 'https://stats.example.com/unsubscribe/x' };

const SITE = { ...IN_UTC, id: 1, accountId: 1, domain: 'example.com' };
const moment = (text: string): number => Date.parse(text) / 1000;

test('a report is made on Monday at seven, UTC', () => {
  const due = (now: number) => weekly.preview(now, SITE);
  assert.equal(due(MONDAY), MONDAY);
  assert.equal(due(MONDAY - 1), MONDAY - 7 * DAY);
  assert.equal(due(MONDAY + 7 * DAY - 1), MONDAY);
  assert.equal(new Date(due(0) * 1000).getUTCDay(), 1);
});

test('a report is made on the first of the month at seven, by the clocks of the site', () => {
  for (const [timeZone, seven] of [
    ['UTC', '2026-03-01T07:00:00Z'],
    ['Asia/Tokyo', '2026-02-28T22:00:00Z'],
    ['America/New_York', '2026-03-01T12:00:00Z'],
    ['Pacific/Kiritimati', '2026-02-28T17:00:00Z'],
  ] as const) {
    const due = (now: number) => monthly.preview(now, { ...SITE, timeZone });
    assert.equal(due(moment(seven)), moment(seven), timeZone);
    assert.equal(due(moment(seven) + 30 * DAY), moment(seven), timeZone);
    assert.equal(due(moment(seven) - 1), moment(seven) - 28 * DAY, timeZone);
  }
  // Jordan set its clocks forward at midnight of 1 April 2016: there are still seven hours by the clock, and six by any other.
  assert.equal(
    monthly.preview(moment('2016-04-01T05:00:00Z'), { ...SITE, timeZone: 'Asia/Amman' }),
    moment('2016-04-01T04:00:00Z'),
  );
});

const letterOf = (app: Awaited<ReturnType<typeof startApp>>, { letter } = weekly, at = MONDAY, zone = {}) =>
  letter(
    sourcesOf(app),
    { ...SITE, id: app.siteId, accountId: app.owner.accountId, ...zone },
    { at, createdAt: at, endedAt: null, now: at, aliveSince: undefined },
    ENGLISH,
  );

type Letter = Awaited<ReturnType<typeof letterOf>>;

test('the figures are those of the API, of Monday to Sunday', async (t) => {
  const app = await startApp(t);
  const { siteId } = app;
  await app.owner.ask('POST', `/sites/${siteId}/goals`, { type: 'event', value: 'Signup' });
  await store(app.db, [
    ...comersAt(1_500, FIRST, { siteId, source: 'news.example', page: '/a' }),
    ...comersAt(7, FIRST + 3 * DAY, { siteId, page: '/b' }),
    ...comersAt(3, FIRST + 3 * DAY, { siteId, event: 'Signup' }),
    ...comersAt(5, FIRST + 7 * DAY - 5, { siteId }),
    ...comersAt(30, FIRST - 100, { siteId }),
    ...comersAt(30, FIRST + 7 * DAY, { siteId }),
  ]);
  const report = await letterOf(app);
  assert.ok(report);
  const { text } = writeLetter(report, FOOTER, ENGLISH);
  const stats = async (report: string) => {
    const { body } = await app.owner.ask('GET', `/sites/${siteId}/stats/${report}?range=2026-03-02~2026-03-08`);
    return body.data;
  };
  const { visitors, pageviews, visits, change } = await stats('overview');
  assert.deepEqual([visitors, pageviews, visits], [1_515, 1_512, 1_515]);
  assert.equal(report.subject, 'example.com: 1,515 visitors last week');
  assert.equal(change.visitors, 4950);
  assert.match(text, /\n {2}Visitors +1,515 +\+4,950\.0%\n {2}Pageviews +1,512 +\+4,940\.0%\n {2}Visits +1,515 /);
  const { bounce_rate: rate, previous } = await stats('overview');
  const points = Math.round((rate - previous.bounce_rate) * 10) / 10;
  assert.match(text, new RegExp(`Bounce rate +${rate.toFixed(1)}% +\\+?${points.toFixed(1).replace('-', '−')} pp\\n`));
  assert.match(text, /\n {2}Mon 2 Mar +1,500 {2}#{30}\n {2}Tue 3 Mar +0\n/);
  assert.match(text, /\n {2}Thu 5 Mar +10\n/);
  assert.match(text, /\n {2}Sun 8 Mar +5\n/);
  assert.match(text, /Top pages +Visitors\n {2}\/a +1,500\n {2}\/b +7\n {2}\/ +5\n\n/);
  assert.match(text, /Top sources +Visitors\n {2}news\.example +1,500\n {2}Direct \/ unknown +15\n\n/);
  const { goals } = await stats('goals');
  assert.equal(goals[0].conversion_rate, 0.2);
  assert.match(text, /Goals +Visitors +Rate\n {2}Signup +3 +0\.2%\n/);
  assert.doesNotMatch(text, /are missing for/);
});

test('a report says that some of its days, or of the days before, were deleted', async (t) => {
  const app = await startApp(t);
  const { siteId } = app;
  await store(
    app.db,
    [-6, 1, 2].flatMap((day) => comersAt(5, FIRST + day * DAY, { siteId })),
  );
  app.clock.pass(MONDAY - app.clock.now() / 1_000);
  await app.seal();
  const read = async () => writeLetter((await letterOf(app)) as NonNullable<Letter>, FOOTER, ENGLISH).text;
  assert.doesNotMatch(await read(), /were deleted/);
  for (const day of ['2026-02-24', '2026-03-04']) {
    const answer = await app.owner.ask('POST', `/sites/${siteId}/deletions`, { from: day, to: day });
    assert.equal(answer.status, 200, answer.text);
    assert.match(await read(), /Some of these days, or of the days before, were deleted\./);
  }
});

test('goals of one page differ by their property and their depth', async (t) => {
  const app = await startApp(t);
  const { siteId } = app;
  const page = { type: 'page', value: '/buy' };
  for (const more of [{}, { property: { name: 'plan', value: 'pro' } }, { scroll: 75 }]) {
    assert.equal((await app.owner.ask('POST', `/sites/${siteId}/goals`, { ...page, ...more })).status, 201);
  }
  await store(app.db, [
    ...comersAt(5, FIRST, { siteId, page: '/buy' }),
    ...comersAt(2, FIRST + 60, { siteId, page: '/buy', properties: '{"plan":"pro"}' }),
  ]);
  const report = await letterOf(app);
  assert.ok(report);
  const { text } = writeLetter(report, FOOTER, ENGLISH);
  assert.match(text, /\n {2}\/buy +7 .*\n {2}\/buy with plan = pro +2 .*\n {2}\/buy scrolled to 75\.0% +0 /);
});

test('a figure that an import did not have is a dash, and so is a goal in it', async (t) => {
  const app = await startApp(t);
  const { siteId, engine } = app;
  await app.owner.ask('POST', `/sites/${siteId}/goals`, { type: 'event', value: 'Signup' });
  const day = FIRST / DAY;
  const totals = { visitors: 10, visits: 12, pageviews: 30, events: 0, bounces: 0, seconds: 0 };
  const sumsOf = () => ({ day, totals, counts: new Map(), unknown: ['bounces', 'seconds', 'events'] as const });
  await engine.imports.add(siteId, { today: day + 7, texts: [''], days: [day], readSums: sumsOf }, { replace: false });
  const letter = await weekly.letter(
    { ...sourcesOf(app), ask: makeAsk(engine.queries) },
    { ...SITE, id: siteId, accountId: app.owner.accountId },
    { at: MONDAY, createdAt: MONDAY, endedAt: null, now: MONDAY, aliveSince: undefined },
    ENGLISH,
  );
  const rows = (letter?.blocks ?? []).flatMap((block) => (block.kind === 'table' ? block.rows : []));
  const words = Object.fromEntries(rows.map(([name, ...cells]) => [name?.words, cells.map((cell) => cell.words)]));
  assert.deepEqual(words.Visits?.[0], '12');
  // A reader would take the tables for those of all days.
  const { text } = writeLetter(letter as NonNullable<typeof letter>, FOOTER, ENGLISH);
  assert.match(text, /Pages, sources and goals are missing for some of these days\./);
  assert.deepEqual(
    [words['Bounce rate'], words['Visit duration'], words.Signup],
    [
      ['–', '–'],
      ['–', '–'],
      ['–', '–'],
    ],
  );
});

test('without a week before there is no change, and without anything no letter', async (t) => {
  const app = await startApp(t);
  assert.equal(await letterOf(app), undefined);
  await store(app.db, comersAt(1, FIRST, { siteId: app.siteId }));
  const report = await letterOf(app);
  assert.ok(report);
  const { text } = writeLetter(report, FOOTER, ENGLISH);
  assert.match(text, /Visitors +1 +–\n/);
  assert.equal(report.subject, 'example.com: 1 visitor last week');
  assert.ok(!text.includes('Goals'));
});

test('a week without anybody is told where there was somebody in the week before', async (t) => {
  const app = await startApp(t);
  await store(app.db, comersAt(1, FIRST - 10, { siteId: app.siteId }));
  const report = await letterOf(app);
  assert.equal(report?.subject, 'example.com: 0 visitors last week');
  assert.ok(report && !writeLetter(report, FOOTER, ENGLISH).html.includes('NaN'));
});

test('what visitors sent stays text in both forms', async (t) => {
  const app = await startApp(t);
  const page = `/<img src=x onerror=alert(1)>\r\nSubject: other\u202e"'&`;
  await store(app.db, comersAt(1, FIRST, { siteId: app.siteId, page, source: '<script>' }));
  const report = await letterOf(app);
  assert.ok(report);
  const { html, text, subject } = writeLetter(report, FOOTER, ENGLISH);
  assert.ok(!html.includes('<img') && !html.includes('<script'));
  assert.ok(html.includes('/&lt;img src=x onerror=alert(1)&gt; Subject: …'));
  assert.ok(!/^Subject/m.test(text) && !text.includes('\u202e') && !text.includes('\r'));
  assert.ok(!/[\r\n]/.test(subject));
});

/** Months of every length, with the first day of the month before, that of the month, and that of the month after. */
const MONTHS = [
  ['2026-01-01', '2026-02-01', '2026-03-01', 'February 2026'],
  ['2028-01-01', '2028-02-01', '2028-03-01', 'February 2028'],
  ['2026-03-01', '2026-04-01', '2026-05-01', 'April 2026'],
  ['2025-11-01', '2025-12-01', '2026-01-01', 'December 2025'],
] as const;

test('a month of any length is compared with the whole month before, as the API and the linked page compare them', async (t) => {
  const app = await startApp(t);
  const { siteId } = app;
  for (const [before, first, end, name] of MONTHS) {
    const [start, from, to] = [before, first, end].map((day) => moment(`${day}T00:00:00Z`)) as [number, number, number];
    await store(app.db, [
      ...comersAt(2, start, { siteId }),
      ...comersAt(3, from - 5, { siteId }),
      ...comersAt(4, from, { siteId, page: '/a' }),
      ...comersAt(6, to - 10, { siteId, source: 'news.example' }),
      ...comersAt(9, to, { siteId }),
    ]);
    app.clock.pass(to + DAY - app.clock.now() / 1000);
    const report = await letterOf(app, monthly, to + 7 * 3_600);
    assert.ok(report);
    assert.equal(report.subject, `example.com: 10 visitors in ${name}`);
    assert.equal(report.title, `example.com in ${name}`);
    const query = new URL(report.link.url).searchParams;
    const days = Math.round((to - from) / DAY);
    assert.equal(query.get('range'), `${first}~${new Date((to - 1) * 1000).toISOString().slice(0, 10)}`);
    // Of as many days, it is what is compared anyway.
    const longer = (from - start) / DAY !== days;
    assert.equal(
      query.get('compare'),
      longer ? `${before}~${new Date((from - 1) * 1000).toISOString().slice(0, 10)}` : null,
    );
    const { body } = await app.owner.ask('GET', `/sites/${siteId}/stats/overview?${query}`);
    assert.deepEqual([body.data.visitors, body.data.previous.visitors, body.data.change.visitors], [10, 5, 100]);
    const { text } = writeLetter(report, FOOTER, ENGLISH);
    assert.match(text, /\nFigures +Month +Change\n {2}Visitors +10 +\+100\.0%\n/);
    assert.match(text, /compared with the month before\. Time zone: UTC\.\n/);
    assert.equal(/Visitors per day\n((?: {2}.+\n)+)/.exec(text)?.[1]?.trimEnd().split('\n').length, days);
    await app.db.write(() => app.db.run('DELETE FROM hit'));
  }
});

test('a report that waits while the zone of its site is changed is still about the same days', async (t) => {
  const app = await startApp(t);
  const first = moment('2026-02-01T00:00:00Z');
  await store(app.db, comersAt(2, first, { siteId: app.siteId }));
  const [east, west] = ['Pacific/Kiritimati', 'Pacific/Niue'] as const;
  for (const [was, is] of [
    [east, west],
    [west, east],
  ] as const) {
    const at = monthly.preview(moment('2026-03-02T12:00:00Z'), { ...SITE, timeZone: was });
    const report = await letterOf(app, monthly, at, { timeZone: is });
    assert.equal(report?.subject, 'example.com: 2 visitors in February 2026', is);
  }
});

test('without a month before there is no change, and without anything no letter', async (t) => {
  const app = await startApp(t);
  const at = moment('2026-03-01T07:00:00Z');
  assert.equal(await letterOf(app, monthly, at), undefined);
  await store(app.db, comersAt(1, at - 12 * 3_600, { siteId: app.siteId }));
  const report = await letterOf(app, monthly, at);
  assert.equal(report?.subject, 'example.com: 1 visitor in February 2026');
  assert.match(report ? writeLetter(report, FOOTER, ENGLISH).text : '', /Visitors +1 +–\n/);
});
