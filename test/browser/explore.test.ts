import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Table } from '../../src/api/answers.ts';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { until } from '../support/program.ts';
import { faults } from './axe.ts';
import { assertFits, drawn, type Stage, searchIs, serving } from './browser.ts';
import { keyboardOn } from './keyboard.ts';

const COUNTRIES = ['DE', 'FR', 'AT', 'CH', 'US', 'GB', 'ES', 'IT', 'PL', 'NL'];
const DEVICES = ['Mobile', 'Desktop', 'Tablet'];
const PAGES = ['/', '/prices', '/docs'];

/** Visits of ten countries on 20 days. Some visitors come twice on a day, from two countries, so rows cannot be added up. */
async function furnish({ db, siteId }: Stage): Promise<void> {
  const hits = Array.from({ length: 120 }, (_, n) => {
    const more = {
      siteId,
      visitor: n % 50,
      country: COUNTRIES[(n * 7 + (n >> 3)) % 10] ?? '',
      device: DEVICES[n % 3] ?? '',
    };
    return PAGES.slice(0, 1 + (n % 3)).map((page, i) =>
      pageview({ ...more, day: TODAY - 1 - (n % 20), second: 7_200 + 10_800 * Math.floor(n / 20) + 60 * i, page }),
    );
  });
  await append(db, hits.flat());
}

const EXPLORE = '/sites/example.com?explore=1';

const askOf =
  ({ owner }: Stage) =>
  async (body: object): Promise<Table> => {
    const { status, body: answer } = await owner.ask('POST', '/sites/example.com/query', body);
    assert.equal(status, 200, JSON.stringify(answer));
    return answer.data;
  };

const table = (page: Page) => page.getByRole('region', { name: 'Answer' }).getByRole('table');

/** The texts of the rows of the table, without the marks of what changed. */
const rowsOf = (page: Page): Promise<string[][]> =>
  table(page).evaluate((element) =>
    [...(element as unknown as Rows).rows].map((row) =>
      [...row.cells].map((cell) => {
        cell.querySelectorAll('.explore-trend, .emblem, .rows-out, .rows-open').forEach((one) => {
          one.remove();
        });
        return cell.textContent.trim();
      }),
    ),
  );
type Cell = { textContent: string; querySelectorAll(selector: string): { remove(): void }[] };
type Rows = { rows: { cells: Cell[] }[] };

const NAMES = new Intl.DisplayNames('en-GB', { type: 'region' });
const nameCountry = (code: unknown): string => NAMES.of(String(code)) ?? '';

/** Downloads the answer as CSV, and gives its cells. */
async function readCsv(page: Page): Promise<string[][]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download Explore as CSV' }).click(),
  ]);
  const text = readFileSync(await file.path(), 'utf8');
  return text
    .slice(1)
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
}

test('explore: rows by two keys have the figures of the API, the total too, and so has the file', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  const metrics = ['visitors', 'visits', 'pageviews'];
  const question = { by: ['country', 'device'], metrics, sort: 'pageviews' };
  const page = await stage.signIn(stage.owner, `${EXPLORE}&by=country,device&sort=pageviews`);
  const answer = await askOf(stage)(question);
  const total = await askOf(stage)({ metrics });
  const texts = ({ metrics: { visitors, visits, pageviews } }: Table['rows'][number]) =>
    [visitors, visits, pageviews].map(String);
  const expected = answer.rows.map((row) => [nameCountry(row.by[0]), String(row.by[1]), ...texts(row)]);
  await table(page).getByText('Total').waitFor();
  const [head, first, ...rows] = await rowsOf(page);
  assert.deepEqual(head, ['Country', 'Device', 'Visitors', 'Visits', 'Pageviews']);
  assert.deepEqual(first, ['Total', ...total.rows.flatMap(texts)]);
  assert.ok(expected.length > 20);
  assert.deepEqual(rows, expected);
  const sum = answer.rows.reduce((all, { metrics }) => all + (metrics.visitors ?? 0), 0);
  assert.notEqual(sum, total.rows[0]?.metrics.visitors, 'visitors of the rows cannot be added up');
  assert.deepEqual(await readCsv(page), [head, ...expected]);

  await page.getByRole('button', { name: 'Visits', exact: true }).last().click();
  await searchIs(page, /sort=visits/);
  await table(page)
    .getByRole('columnheader', { name: 'Visits' })
    .and(page.locator('[aria-sort="descending"]'))
    .waitFor();
  await page.getByRole('button', { name: 'Country', exact: true }).click();
  await searchIs(page, /sort=country&order=asc/);
  const sorted = await askOf(stage)({ ...question, sort: 'country', order: 'asc' });
  await until(
    'the rows are sorted by country',
    async () => (await rowsOf(page))[2]?.[0] === nameCountry(sorted.rows[0]?.by[0]),
  );
});

test('explore: a pivot asks for every figure, those of the column Other too', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  const ask = askOf(stage);
  const page = await stage.signIn(stage.owner, `${EXPLORE}&by=device,country&pivot=1&metrics=visitors`);
  await table(page).getByRole('columnheader', { name: 'Other' }).waitFor();
  const tops = (await ask({ by: ['country'], limit: 8 })).rows.map(({ by }) => String(by[0]));
  const devices = await ask({ by: ['device'] });
  const cells = await ask({ by: ['device', 'country'] });
  const others = await ask({ by: ['device'], filters: { country: { not: tops } } });
  const figure = (rows: Table['rows'], ...by: unknown[]) =>
    String(rows.find((row) => JSON.stringify(row.by) === JSON.stringify(by))?.metrics.visitors ?? 0);
  const expected = devices.rows.map(({ by: [device], metrics }) => [
    ...[String(device), String(metrics.visitors)],
    ...tops.map((country) => figure(cells.rows, device, country)),
    figure(others.rows, device),
  ]);
  const [head, ...rows] = await rowsOf(page);
  assert.deepEqual(head, ['Device', 'Total', ...tops.map(nameCountry), 'Other']);
  assert.deepEqual(rows, expected);
  await page.getByText('Country: the first 8 of 10 values. “Other” counts the visits with all other values.').waitFor();
  assert.deepEqual(await readCsv(page), [head, ...expected]);

  // Pages are of hits. No filter counts the hits of all other pages.
  await page.goto(`${EXPLORE}&by=device,page&pivot=1&metrics=visitors`);
  await table(page).getByRole('columnheader', { name: '/prices' }).waitFor();
  const pages = await ask({ by: ['device', 'page'] });
  const [, [, , first] = []] = await rowsOf(page);
  assert.equal(first, figure(pages.rows, devices.rows[0]?.by[0], '/'));
  assert.deepEqual((await rowsOf(page))[0], ['Device', 'Total', '/', '/prices', '/docs']);
});

test('explore: groups of filters joined by "or", chosen on the page, give the figures of the API', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  const page = await stage.signIn(stage.owner, `${EXPLORE}&by=device`);
  await page.getByRole('button', { name: 'Add groups joined by “or”' }).click();
  const group = (n: number) => page.getByRole('group', { name: `Group ${n}`, exact: true });
  const choose = async (n: number, filter: string, value: string) => {
    await group(n).getByRole('button', { name: 'Add a filter' }).click();
    const form = page.getByRole('dialog', { name: 'Add a filter' });
    await form.getByLabel('Filter by').selectOption(filter);
    await form.getByRole('option', { name: value }).click();
    await form.waitFor({ state: 'detached' });
  };
  await choose(1, 'country', 'Germany');
  await choose(2, 'page', '/docs');
  await searchIs(page, /any=country=DE\|page=%2Fdocs/);
  const expected = await askOf(stage)({ by: ['device'], any: [{ country: 'DE' }, { page: '/docs' }] });
  const texts = expected.rows.map(({ by, metrics }) => [String(by[0]), String(metrics.visitors)]);
  await until('the figures are those of the groups', async () => {
    const [, , ...rows] = await rowsOf(page);
    return JSON.stringify(rows.map((row) => row.slice(0, 2))) === JSON.stringify(texts);
  });
  await page.getByRole('button', { name: 'Remove group 1' }).click();
  await searchIs(page, /any=page=%2Fdocs/);
});

test('explore: with a time, the chart has a line for each of the first rows, which arrow keys read out', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  const page = await stage.signIn(stage.owner, `${EXPLORE}&by=device,day&metrics=visits`);
  const chart = page.getByRole('slider', { name: 'Visits by Day' });
  await chart.focus();
  await page.keyboard.press('ArrowLeft');
  const answer = await askOf(stage)({ by: ['device', 'day'], metrics: ['visits'], limit: 1_000 });
  const tops = await askOf(stage)({ by: ['device'], metrics: ['visits'], sort: 'visits' });
  const parts = tops.rows.map(({ by: [device] }) => {
    const row = answer.rows.find(({ by }) => by[0] === device && by[1] === '2026-03-09');
    return `${device} ${row?.metrics.visits ?? 0}`;
  });
  await until(
    'the slider says the figures of yesterday',
    async () => (await chart.getAttribute('aria-valuetext'))?.endsWith(`2026: ${parts.join(', ')}`) === true,
  );
  await page.getByRole('button', { name: 'Show a chart' }).click();
  await chart.waitFor({ state: 'detached' });
});

test('explore: the chart draws the present hour, day and week dashed, and times that have ended solid', async (t) => {
  const stage = await serving(t);
  const { siteId, db } = stage;
  await append(
    db,
    // The present hour begins at 12:00, and has the seconds from 43,200 on.
    [7, 1, 0].flatMap((back) =>
      [39_600, 43_200].map((second) => pageview({ siteId, day: TODAY - back, second, visitor: second })),
    ),
  );
  for (const time of ['hour', 'day', 'week']) {
    const page = await stage.signIn(stage.owner, `${EXPLORE}&by=device,${time}&metrics=pageviews`);
    const paths = page.locator('.over-time-line');
    await until(`the line of each ${time}`, async () => (await paths.count()) === 2);
    const [whole = '', parts = ''] = await paths.evaluateAll((all: Drawn[]) => all.map((one) => one.getAttribute('d')));
    const last = /[ML]([\d.]+),[\d.]+Z?$/;
    assert.equal(last.exec(parts)?.[1], '100', time);
    assert.notEqual(last.exec(whole)?.[1], '100', time);
    assert.ok(whole !== '', time);
  }
});
type Drawn = { getAttribute(name: string): string };

test('explore: changes compare with the period before, and a link and a saved view open the same question', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  const page = await stage.signIn(
    stage.owner,
    '/sites/example.com?range=2026-03-01%7E2026-03-09&explore=1&by=country&metrics=visits',
  );
  const ask = askOf(stage);
  const [now, before] = await Promise.all([
    ask({ range: '2026-03-01~2026-03-09', by: ['country'], metrics: ['visits'], sort: 'visits' }),
    ask({ range: '2026-02-20~2026-02-28', by: ['country'], metrics: ['visits'] }),
  ]);
  const [first] = now.rows;
  const previous = before.rows.find(({ by }) => by[0] === first?.by[0]);
  await table(page)
    .getByText(`from ${previous?.metrics.visits} (20 – 28 Feb 2026)`)
    .first()
    .waitFor({ state: 'attached' });
  const rows = await rowsOf(page);

  await page.getByRole('button', { name: 'Saved views' }).click();
  const dialog = page.getByRole('dialog', { name: 'Saved views' });
  await dialog.getByLabel('Save this view as').fill('Countries');
  await page.keyboard.press('Enter');
  await dialog.getByRole('link', { name: 'Countries' }).waitFor();
  const link = page.url();

  const viewer = await stage.signIn(stage.viewer, '/sites/example.com');
  await viewer.getByRole('button', { name: 'Saved views' }).click();
  await viewer.getByRole('link', { name: 'Countries' }).click();
  await table(viewer).getByText('Total').waitFor();
  assert.deepEqual(await rowsOf(viewer), rows);
  assert.equal(new URL(viewer.url()).search, new URL(link).search);
  const other = await stage.signIn(stage.viewer, new URL(link).pathname + new URL(link).search);
  await table(other).getByText('Total').waitFor();
  assert.deepEqual(await rowsOf(other), rows);
});

test('explore: rows and panels of the report open it, with the filter of the row or the dimension of the panel', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  const page = await stage.signIn(stage.owner, '/sites/example.com?range=7d');
  const devices = page.getByRole('region', { name: 'Devices' });
  const row = devices.locator('.rows-line', { hasText: 'Mobile' });
  await row.hover();
  await row.getByRole('button', { name: 'Break down by …' }).click();
  await searchIs(page, '?range=7d&explore=1&device=Mobile');
  await page.getByRole('heading', { name: 'What do you want to break these visits down by?' }).waitFor();
  await page.getByRole('button', { name: 'Country', exact: true }).click();
  await searchIs(page, '?range=7d&explore=1&by=country&device=Mobile');
  await table(page).getByText('Total').waitFor();
  const [, , first] = await rowsOf(page);
  const { rows } = await askOf(stage)({ range: '7d', by: ['country'], filters: { device: 'Mobile' } });
  assert.equal(first?.[1], String(rows[0]?.metrics.visitors));

  await page.getByRole('button', { name: '← Reports' }).click();
  await searchIs(page, '?range=7d&device=Mobile');
  await devices.getByRole('button', { name: 'Devices: Device: Break down by …' }).click();
  await searchIs(page, '?range=7d&explore=1&by=device&device=Mobile');
});

test('explore: on a phone, a selected row and each panel open it, and nothing is too wide', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  const page = await stage.signIn(stage.owner, '/sites/example.com', {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const devices = page.getByRole('region', { name: 'Devices' });
  await devices.getByRole('button', { name: 'Tablet', exact: true }).tap();
  await devices.locator('.is-selected').getByRole('button', { name: 'Break down by …' }).tap();
  await searchIs(page, '?explore=1&device=Tablet');
  await page.getByRole('button', { name: 'Country', exact: true }).tap();
  await page.getByLabel('Then by').selectOption('week');
  await page.getByLabel('Show Week as columns').check();
  await table(page).getByRole('columnheader', { name: 'Total' }).waitFor();
  await drawn(page);
  await assertFits(page, [320, 360, 800]);
});

test('explore by keyboard alone: from a row to a table, a pivot and back', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  const page = await stage.signIn(stage.owner, '/sites/example.com');
  await drawn(page);
  const { goTo, use, choose, press, isSomewhere } = keyboardOn(page);
  await goTo('button', 'Tablet');
  await press('b', page.getByRole('button', { name: 'Remove the filter Device is Tablet' }));
  await use('button', 'Country', table(page).getByRole('columnheader', { name: 'Country' }));
  await searchIs(page, '?explore=1&by=country&device=Tablet');
  await choose('combobox', 'Then by', 'Channel');
  await table(page).getByRole('columnheader', { name: 'Channel' }).waitFor();
  await use('checkbox', 'Show Channel as columns', table(page).getByRole('columnheader', { name: 'Total' }), {
    key: 'Space',
  });
  await use('button', 'Bounce rate', page.getByRole('button', { name: 'Bounce rate', pressed: true }));
  await use('button', 'Country', table(page).locator('th[aria-sort="ascending"]'), { within: table(page) });
  await use('button', '← Reports', page.getByRole('region', { name: 'Devices' }));
  await isSomewhere('the report');
});

test('explore: a refused question says why, and can begin again', async (t) => {
  const stage = await serving(t);
  const page = await stage.signIn(stage.owner, `${EXPLORE}&by=country&range=2020-01-01~2026-01-01`);
  const alert = page.getByRole('alert');
  await alert.getByText('This question cannot be answered').waitFor();
  assert.match((await alert.textContent()) ?? '', /two years/);
  await alert.getByRole('button', { name: 'Start again' }).click();
  await searchIs(page, '?explore=1');
  await page.goto(`${EXPLORE}&by=country&country=FR`);
  await page.getByText('No visits match these filters').waitFor();
});

test('explore: strangers and visitors with a share link get no question and no button for one', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  const shared = await stage.owner.ask('PATCH', '/sites/example.com', { shared: true });
  const path = new URL(shared.body.data.share_url).pathname;
  const page = await stage.open();
  await page.goto(`${path}?explore=1&by=country`);
  await page.getByRole('region', { name: 'Devices' }).getByRole('button', { name: 'Tablet', exact: true }).waitFor();
  assert.equal(await page.getByText(/Explore|Break down by/).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Break down by …' }).count(), 0);
  const stranger = await stage.signIn(stage.stranger, `${EXPLORE}&by=country`);
  await stranger.getByRole('heading', { name: 'There is no site example.com' }).waitFor();
  assert.equal(await stranger.getByText('Break down by').count(), 0);
});

test('explore: axe-core finds nothing wrong, in the light and in the dark', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  const places = ['', '&by=country,device', '&by=device,country&pivot=1&any=country%3DDE%7C', '&by=channel,week'];
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await stage.signIn(stage.owner, '/', { colorScheme });
    for (const place of places) {
      await page.goto(EXPLORE + place);
      await table(page).waitFor();
      await drawn(page);
      assert.deepEqual(await faults(page), [], place);
    }
  }
});
