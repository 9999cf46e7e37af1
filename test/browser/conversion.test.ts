import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { writeZip } from '../exchange/reading/zips.ts';
import { folder } from '../support/helpers.ts';
import { program } from '../support/program.ts';
import { searchIs, serving } from './browser.ts';

/** 10 visitors of this morning, of whom 2 order and 5 subscribe; as many yesterday morning with 1 order, and 10 in the evening with 9. */
async function shop(t: Parameters<typeof serving>[0]) {
  const stage = await serving(t);
  const { db, siteId, owner } = stage;
  let visitor = 0;
  const visits = (day: number, second: number, orders: number, subscribers = 0) =>
    Array.from({ length: 10 }, (_, i) => {
      const hit = pageview({ siteId, day, second: second + i, visitor: ++visitor });
      const event = (name: string) => ({ ...hit, event: name, second: hit.second + 60 });
      return [hit, ...(i < orders ? [event('Order')] : []), ...(i < subscribers ? [event('Newsletter')] : [])];
    }).flat();
  const [morning, evening] = [21_600, 75_600];
  await append(db, [
    ...visits(TODAY - 1, morning, 1),
    ...visits(TODAY - 1, evening, 9),
    ...visits(TODAY, morning, 2, 5),
  ]);
  const goals = [];
  for (const value of ['Order', 'Newsletter']) {
    const added = await owner.ask('POST', '/sites/example.com/goals', { type: 'event', value });
    goals.push(added.body.data.id);
  }
  await owner.ask('PATCH', '/sites/example.com', { main_goal_id: goals[0] });
  return { ...stage, newsletter: goals[1] };
}

test('the conversion rate is compared up to the same time, as the figures beside it are', async (t) => {
  const { signIn, owner } = await shop(t);
  const page = await signIn(owner, '/sites/example.com?range=today');
  await page.getByRole('button', { name: /^Conversion rate Order 20\.0%.*Up 10\.0 pp from 10\.0%/ }).waitFor();
  // Nobody came before these days.
  await page.goto('/sites/example.com?range=2026-03-09~2026-03-10');
  await page.getByRole('button', { name: /^Conversion rate Order 40\.0% The change cannot be calculated/ }).waitFor();
});

test('under a filter on a goal the card is about that goal, of all visitors under the other filters', async (t) => {
  const { signIn, owner, siteId, newsletter, share, open } = await shop(t);
  const page = await signIn(owner, `/sites/example.com?range=today&goal=${newsletter}`);
  const card = page.getByRole('button', { name: /^Conversion rate Newsletter 50\.0%/ });
  await card.waitFor();
  await card.click();
  await searchIs(page, /show=conversion_rate/);
  await page.getByRole('heading', { name: 'Conversion rate per day' }).waitFor();
  assert.match((await page.getByRole('slider').getAttribute('aria-valuetext')) ?? '', /so far: Conversion rate 50\.0%/);

  const shared = await open();
  await shared.goto(`/share/${await share(owner, siteId)}?range=today&show=conversion_rate`);
  await shared.getByRole('button', { name: /^Conversion rate Order 20\.0%/, pressed: true }).waitFor();
  assert.match(
    (await shared.getByRole('slider').getAttribute('aria-valuetext')) ?? '',
    /so far: Conversion rate 20\.0%/,
  );
});

test('goals: on a shared page on a phone, the main goal has its mark and its whole name', async (t) => {
  const { owner, siteId, share, open } = await shop(t);
  const page = await open({ locale: 'fr-FR', viewport: { width: 360, height: 800 } });
  await page.goto(`/share/${await share(owner, siteId)}?range=today`);
  const goals = page.getByRole('region', { name: 'Objectifs' });
  await goals.scrollIntoViewIfNeeded();
  const line = goals.getByRole('listitem').filter({ hasText: 'objectif principal' });
  await line.getByRole('button', { name: 'Order' }).waitFor();
  const isCut = ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
    scrollWidth > clientWidth;
  assert.equal(await line.getByRole('button', { name: 'Order' }).evaluate(isCut), false);
});

test('days of which only totals are kept are in neither number of the conversion rate', async (t) => {
  const { signIn, owner, db } = await shop(t);
  const file = join(folder(t), 'totals.zip');
  const text = ['date,visitors,pageviews,bounces,visits,visit_duration\n', '2026-03-06,1000,1000,0,1000,0\n'];
  await writeZip(file, [{ name: 'imported_visitors_20250101_20261231.csv', text }]);
  const path = db.all<{ file: string }>('PRAGMA database_list')[0]?.file ?? '';
  await program(t).print(['import', 'example.com', file, '--format', 'plausible', '--db', path]);
  const page = await signIn(owner, '/sites/example.com?range=7d');
  await page.getByRole('button', { name: /^Visitors 1,030/ }).waitFor();
  await page.getByRole('button', { name: /^Conversion rate Order 40\.0% Not compared/ }).waitFor();
});

test('figures are not compared with a period that begins long before the first hit', async (t) => {
  const { signIn, owner, db, siteId } = await serving(t);
  // The 30 days before the last 30 begin 59 days ago. The second half of them begins 44 days ago.
  const dayHits = (daysAgo: number) => pageview({ siteId, day: TODAY - daysAgo, visitor: daysAgo + 1 });
  await append(db, [dayHits(40), dayHits(35), dayHits(1)]);
  const page = await signIn(owner, '/sites/example.com');
  await page
    .locator('.notices')
    .getByText(/^Not compared with .*, because nothing was counted in the first half/)
    .waitFor();
  await page.getByRole('button', { name: /^Visitors 1 Not compared with/ }).waitFor();

  await append(db, [dayHits(50)]);
  await page.reload();
  await page.getByRole('button', { name: /^Visitors 1 Down/ }).waitFor();
  assert.equal(await page.getByText(/^Not compared/).count(), 0);
});
