import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../src/lib/time.ts';
import { written } from '../../src/mail/html.ts';
import { letter, reportMoment } from '../../src/mail/weekly.ts';
import { IN_UTC } from '../collect/stage.ts';
import { startApp } from '../helpers.ts';
import { comersAt, sourcesOf, store } from './site.ts';

const MONDAY = Date.parse('2026-03-09T07:00:00Z') / 1000;
const FIRST = Date.parse('2026-03-02T00:00:00Z') / 1000;
const FOOTER = { because: 'Because.', unsubscribe: 'https://stats.example.com/unsubscribe/x' };

test('a report is made on Monday at seven, UTC', () => {
  assert.equal(reportMoment(MONDAY, IN_UTC), MONDAY);
  assert.equal(reportMoment(MONDAY - 1, IN_UTC), MONDAY - 7 * DAY);
  assert.equal(reportMoment(MONDAY + 7 * DAY - 1, IN_UTC), MONDAY);
  assert.equal(new Date(reportMoment(0, IN_UTC) * 1000).getUTCDay(), 1);
});

const letterOf = (app: Awaited<ReturnType<typeof startApp>>) =>
  letter(
    sourcesOf(app),
    { ...IN_UTC, id: app.siteId, accountId: app.owner.accountId, domain: 'example.com' },
    { at: MONDAY, createdAt: MONDAY, endedAt: null, now: MONDAY, aliveSince: undefined },
  );

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
  const { text } = written(report, FOOTER);
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
  assert.match(text, new RegExp(`Bounce rate +${rate.toFixed(1)}% +\\+?${points.toFixed(1)} pp\\n`));
  assert.match(text, /\n {2}Mon 2 Mar +1,500 {2}#{30}\n {2}Tue 3 Mar +0\n/);
  assert.match(text, /\n {2}Thu 5 Mar +10\n/);
  assert.match(text, /\n {2}Sun 8 Mar +5\n/);
  assert.match(text, /Top pages +Visitors\n {2}\/a +1,500\n {2}\/b +7\n {2}\/ +5\n\n/);
  assert.match(text, /Top sources +Visitors\n {2}news\.example +1,500\n {2}Direct \/ unknown +15\n\n/);
  const { goals } = await stats('goals');
  assert.equal(goals[0].conversion_rate, 0.2);
  assert.match(text, /Goals +Visitors +Rate\n {2}Signup +3 +0\.2%\n/);
});

test('without a week before there is no change, and without anything no letter', async (t) => {
  const app = await startApp(t);
  assert.equal(await letterOf(app), undefined);
  await store(app.db, comersAt(1, FIRST, { siteId: app.siteId }));
  const report = await letterOf(app);
  assert.ok(report);
  const { text } = written(report, FOOTER);
  assert.match(text, /Visitors +1 +–\n/);
  assert.equal(report.subject, 'example.com: 1 visitor last week');
  assert.ok(!text.includes('Goals'));
});

test('a week without anybody is told where there was somebody in the week before', async (t) => {
  const app = await startApp(t);
  await store(app.db, comersAt(1, FIRST - 10, { siteId: app.siteId }));
  const report = await letterOf(app);
  assert.equal(report?.subject, 'example.com: 0 visitors last week');
  assert.ok(report && !written(report, FOOTER).html.includes('NaN'));
});

test('what visitors sent stays text in both forms', async (t) => {
  const app = await startApp(t);
  const page = `/<img src=x onerror=alert(1)>\r\nSubject: other\u202e"'&`;
  await store(app.db, comersAt(1, FIRST, { siteId: app.siteId, page, source: '<script>' }));
  const report = await letterOf(app);
  assert.ok(report);
  const { html, text, subject } = written(report, FOOTER);
  assert.ok(!html.includes('<img') && !html.includes('<script'));
  assert.ok(html.includes('/&lt;img src=x onerror=alert(1)&gt; Subject: …'));
  assert.ok(!/^Subject/m.test(text) && !text.includes('\u202e') && !text.includes('\r'));
  assert.ok(!/[\r\n]/.test(subject));
});
