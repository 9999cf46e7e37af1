import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { TODAY } from '../collect/stage.ts';
import { exploration } from '../exchange/products/google.ts';
import { VISIT, visits } from '../exchange/products/matomo.ts';
import { date } from '../stats/days.ts';
import { DAY, started } from './importing.ts';

/** The visit of the file as it would be so many days ago. */
function visitAgo(days: number, visitorId: string): object {
  const later = (TODAY - days) * DAY - Math.floor(VISIT.firstActionTimestamp / DAY) * DAY;
  return {
    visitorId,
    actionDetails: VISIT.actionDetails.map((one) => ({ ...one, timestamp: one.timestamp + later })),
    firstActionTimestamp: VISIT.firstActionTimestamp + later,
    lastActionTimestamp: VISIT.lastActionTimestamp + later,
  };
}

type Totals = Record<'visitors' | 'visits' | 'pageviews', number>;

test("after moving in from Matomo the totals are the file's, as its sheet says", async (t) => {
  const { daybook, file, serve } = await started(t);
  writeFileSync(file, visits(visitAgo(3, 'a'), visitAgo(3, 'b'), visitAgo(2, 'a')));
  const { get, days } = await serve();
  assert.equal(
    await daybook.print(['import', 'example.com', file, '--format', 'matomo']),
    `9 hits of 2 days imported (import 1)
15 records read: 15 accepted, 0 skipped
accepted: 9 pageviews, 6 engagement messages, ${date(TODAY - 3)} to ${date(TODAY - 2)}
not in the file, so not known: regions, cities, browser versions, os versions, screens, languages
skipped: page titles, search terms of search engines, device models, user IDs, and custom dimensions and variables, which daybook does not store`,
  );
  assert.deepEqual(await days(), { 2: 1, 3: 2 });
  const { data } = (await (await get('stats/overview?range=7d')).json()) as { data: Totals };
  assert.deepEqual([data.visitors, data.visits, data.pageviews], [3, 3, 9]);
});

test("after moving in from Google Analytics the totals are the file's, as its sheet says", async (t) => {
  const { daybook, file, serve } = await started(t);
  const compact = (ago: number): string => date(TODAY - ago).replaceAll('-', '');
  const totals = exploration(
    'Date,Active users,Sessions,Views',
    ',15,17,35',
    `${compact(2)},5,5,5`,
    `${compact(3)},10,12,30`,
    `${compact(0)},1,1,1`,
  );
  const pages = exploration('Date,Page path and screen class,Active users,Views', ',,10,30', `${compact(3)},/a,10,30`);
  writeFileSync(file, totals + pages);
  const { get, days } = await serve();
  assert.equal(
    await daybook.print(['import', 'example.com', file, '--format', 'ga4']),
    `daily totals of 2 days imported (import 1)
accepted: 15 visitors, 17 visits, 35 pageviews, 0 events, ${date(TODAY - 3)} to ${date(TODAY - 2)}
accepted: 2 rows of Date, Active users, Sessions, Views
accepted: 1 rows of Date, Page path and screen class, Active users, Views
not in the file, so not known: bounce rate, visit duration, events, event labels, properties, property values, entry pages, exit pages, hostnames, sources, channels, utm source, utm medium, utm campaign, utm term, utm content, countries, regions, cities, devices, browsers, browser versions, operating systems, os versions, screens, languages
not in the file of some days: pages (1 day)
skipped: 1 rows of days that are not over
skipped: other dimensions and metrics of Google Analytics, which daybook does not store with daily totals`,
  );
  assert.deepEqual(await days(), { 2: 5, 3: 10 });
  const { data } = (await (await get('stats/overview?range=7d')).json()) as { data: Totals };
  assert.deepEqual([data.visitors, data.visits, data.pageviews], [15, 17, 35]);
});
