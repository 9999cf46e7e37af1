import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Refusal } from '../../src/lib/errors.ts';
import { OTHER } from '../../src/stats/dimensions.ts';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { readZip } from '../exchange/reading/zips.ts';
import { date } from '../stats/days.ts';
import type { Question } from '../stats/naive.ts';
import { draft, utcSite } from '../stats/random.ts';
import { type App, openSite } from '../stats/stage.ts';
import { furnish } from '../support/furnish.ts';
import { folder, ON_CLUSTER, share, startApp } from '../support/helpers.ts';
import { commandLine, here, hereOn } from './here.ts';

/** The last day of the random hits becomes yesterday, so that none of them is to come. */
const SHIFT = -1;

/**
 * What no file can say so that it is read as it was: these texts are none that a collector keeps. Revenue beyond the
 * limit of a day has no amount.
 */
const isTellable = ({ page, browser, revenue, utm_source, utm_medium, utm_campaign }: Hit): boolean =>
  page.startsWith('/') &&
  revenue !== OTHER &&
  browser.length <= 200 &&
  [utm_source, utm_medium, utm_campaign].every((tag) => tag === tag.trim());

/** An export writes the domain of the site for a host name that is not known, and each of two sites has its own. */
const withHost = (hit: Hit): Hit =>
  hit.engaged !== null || /^[a-z]/.test(hit.hostname) ? hit : { ...hit, hostname: 'www.example.com' };

const moved = (question: Question): Question => {
  const range = question.query.range
    ?.toString()
    .replaceAll(/\d{4}-\d\d-\d\d/g, (day) => date(Date.parse(day) / 86_400_000 + SHIFT));
  return range === undefined ? question : { ...question, query: { ...question.query, range } };
};

/** Goals and funnels of two sites have ids of their own. */
const withoutIds = (data: object): unknown =>
  JSON.parse(
    JSON.stringify(data, (name, value) =>
      name === 'id' || name === 'goal' || /^goal:\d+$/.test(value) ? undefined : value,
    ),
  );

/** The lines are told in the order of the file. */
const ORDERED = ON_CLUSTER && 'the visitors of a day come shard by shard, and its sums in any order';

const latest = (app: App): string =>
  app.db.one<{ domain: string }>('SELECT domain FROM site ORDER BY id DESC LIMIT 1')?.domain ?? '';

test('what is exported and brought in elsewhere answers every question alike, of sealed days and of open ones', async (t) => {
  const app = await startApp(t);
  const out = join(folder(t), 'hits.ndjson');
  const some = fc.noShrink(fc.array(draft, { minLength: share(40), maxLength: share(40) }));
  const property = fc.asyncProperty(utcSite, some, fc.boolean(), async (planned, drafts, isSealed) => {
    const live = [pageview({ second: 0 }), pageview({ second: 0, engaged: 20 })];
    const past = planned.hits.filter(isTellable).map((hit) => ({ ...hit, day: hit.day + SHIFT }));
    const hits = [...past, ...live].map(withHost);
    const { goals, funnels } = planned;
    const from = await openSite(app, { goals, funnels });
    const domain = latest(app);
    await from.store(hits);
    if (isSealed) await app.seal();
    const to = await openSite(app, { goals, funnels });
    // An import drops regions and cities of a site that does not keep them.
    app.db.run('UPDATE site SET places = 1');
    rmSync(out, { force: true });
    await hereOn(app, 'export', domain, '--format', 'ndjson', '--out', out);
    await hereOn(app, 'import', latest(app), out, '--format', 'ndjson');
    const questions = from.finish(drafts, hits).map(moved);
    const others = to.finish(drafts, hits).map(moved);
    for (const [i, question] of questions.entries()) {
      if (question.path === 'bots') continue;
      const [one, other] = await Promise.all([from.ask(question), to.ask(others[i] ?? question)]);
      assert.deepEqual({ question, data: withoutIds(other) }, { question, data: withoutIds(one) });
    }
  });
  await fc.assert(property, { numRuns: share(6) });
});

const DAY = TODAY - 3;

/** Two visits of one visitor, with an event, and a bounce of another. */
const HITS: Hit[] = [
  pageview({
    day: DAY,
    second: 100,
    page: '/a',
    source: 'x.org',
    utm_source: 'n, "m"',
    country: 'DE',
    browser: 'Chrome',
  }),
  pageview({ day: DAY, second: 160, page: '/a', event: 'sign up', label: 'pro', country: 'DE', browser: 'Chrome' }),
  pageview({ day: DAY, second: 190, page: '/a', engaged: 25, scroll: 80 }),
  pageview({ day: DAY, second: 9_000, page: '/b', country: 'DE', browser: 'Chrome' }),
  pageview({ day: DAY, second: 9_000, page: '/b', visitor: 2, country: 'US', browser: 'Firefox' }),
];

test('each hit is a line, with what its visit began with, and visitors are numbers of their day', {
  skip: ORDERED,
}, async (t) => {
  const app = await startApp(t);
  const { store } = await openSite(app);
  await store([...HITS, pageview({ day: DAY + 1, second: 5, visitor: 2 })]);
  const domain = latest(app);
  for (const when of ['open', 'sealed']) {
    if (when === 'sealed') await app.seal();
    const out = join(folder(t), 'out');
    await hereOn(app, 'export', domain, '--format', 'csv', '--out', out);
    const at = (second: number): string => `${date(DAY)}T${new Date(second * 1000).toISOString().slice(11, 19)}Z`;
    const url = 'https://(unknown)';
    const one = `${date(DAY)}-1`;
    const tag = '?utm_source=n%2C+%22m%22';
    assert.deepEqual(readFileSync(out, 'utf8').trimEnd().split('\n'), [
      'at,url,referrer,event,label,props,revenue,engaged,scroll,vitals,visitor,country,region,city,device,browser,browser_version,os,os_version,screen,language,visit,excluded',
      `${at(100)},${url}/a${tag},https://x.org/,,,,,,,,${one},DE,,,,Chrome,,,,,,1,`,
      `${at(100)},${url}/a,,,,,,0,80,,${one},,,,,,,,,,,1,`,
      `${at(160)},${url}/a${tag},https://x.org/,sign up,pro,,,,,,${one},DE,,,,Chrome,,,,,,1,`,
      `${at(160)},${url}/a,,,,,,25,,,${one},,,,,,,,,,,1,`,
      `${at(190)},${url}/a,,,,,,0,,,${one},,,,,,,,,,,1,`,
      `${at(9_000)},${url}/b,,,,,,,,,${one},DE,,,,Chrome,,,,,,2,`,
      `${at(9_000)},${url}/b,,,,,,,,,${date(DAY)}-2,US,,,,Firefox,,,,,,1,`,
      `${date(DAY + 1)}T00:00:05Z,${url}/,,,,,,,,,${date(DAY + 1)}-1,,,,,,,,,,,1,`,
    ]);
  }
});

test('an event that spreadsheets would run as a formula is a text in CSV, and as it came in everything else', async (t) => {
  const app = await startApp(t);
  const { store } = await openSite(app);
  const texts = ['=1+1', '+1', '-1', '@sum', '\t=1', '\r=1', '=cmd|"/c calc"!A1', '1=1', 'a-b'];
  await store(texts.map((event) => pageview({ day: DAY, event, label: event })));
  const domain = latest(app);
  const lines: Record<string, string> = {};
  for (const format of ['csv', 'ndjson']) {
    const out = join(folder(t), 'out');
    await hereOn(app, 'export', domain, '--format', format, '--out', out);
    lines[format] = readFileSync(out, 'utf8').trimEnd();
  }
  const written = texts.map((event) => {
    const safe = /^[=+\-@\t\r]/.test(event) ? `'${event}` : event;
    return /["\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  const rows = (lines.csv ?? '').split('\n').slice(1);
  assert.equal(rows.length, texts.length);
  for (const [n, row] of rows.entries()) assert.ok(row.includes(`,${written[n]},${written[n]},`), row);
  assert.deepEqual(
    (lines.ndjson ?? '').split('\n').map((line) => JSON.parse(line).event),
    texts,
  );
});

test("daily sums come in Plausible's tables, and are those of the reports", { skip: ORDERED }, async (t) => {
  const app = await startApp(t);
  const { store } = await openSite(app);
  await store(HITS);
  const domain = latest(app);
  const out = join(folder(t), 'out.zip');
  await hereOn(app, 'export', domain, '--format', 'plausible', '--out', out);
  const tables = Object.fromEntries(
    (await readZip(out)).map(([name, text]) => [name, text.trimEnd().split('\n').slice(1)]),
  );
  const day = date(DAY);
  const dates = `${day}_${day}`.replaceAll('-', '');
  const visits = (value: string) => [`${day},${value},1,2,90,1,2`, `${day},${value},1,1,0,1,1`];
  assert.deepEqual(tables, {
    [`imported_visitors_${dates}.csv`]: [`${day},2,3,90,2,3`],
    [`imported_sources_${dates}.csv`]: [`${day},x.org,x.org,"n, ""m""",,,,,1,1,90,0,1`, `${day},,,,,,,,2,2,0,2,2`],
    [`imported_pages_${dates}.csv`]: [`${day},/a,${domain},1,1,1`, `${day},/b,${domain},2,2,2`],
    [`imported_entry_pages_${dates}.csv`]: [`${day},/a,1,1,90,0,1`, `${day},/b,2,2,0,2,2`],
    [`imported_exit_pages_${dates}.csv`]: [`${day},/a,1,90,1,0,1`, `${day},/b,2,0,2,2,2`],
    [`imported_locations_${dates}.csv`]: [visits('DE,,')[0], visits('US,,')[1]],
    [`imported_devices_${dates}.csv`]: [`${day},,2,3,90,2,3`],
    [`imported_browsers_${dates}.csv`]: [visits('Chrome,')[0], visits('Firefox,')[1]],
    [`imported_operating_systems_${dates}.csv`]: [`${day},,,2,3,90,2,3`],
    [`imported_custom_events_${dates}.csv`]: [`${day},sign up,pro,,1,1`],
  });
});

test('a file that is there is not overwritten, and what does not exist is an error', async (t) => {
  const daybook = commandLine(t);
  await furnish(daybook.db);
  const out = join(daybook.folder, 'out');
  writeFileSync(out, 'mine');
  for (const [args, exitCode, message] of [
    [['example.com', '--format', 'ndjson', '--out', out], 1, `${out}: the file exists already. Name a new one`],
    [['other.example', '--format', 'ndjson'], 1, 'there is no site other.example'],
    [['example.com', '--format', 'xml'], 2, '--format takes ndjson, csv, parquet, plausible, not "xml"'],
    [['example.com', '--format', 'plausible'], 1, 'example.com has no hits'],
    [['example.com'], 2, '--format NAME is required'],
  ] as const) {
    await assert.rejects(here(daybook.db, 'export', ...args), (error: Refusal) => {
      assert.equal(error.exitCode, exitCode);
      return error.message.includes(message);
    });
  }
  assert.equal(readFileSync(out, 'utf8'), 'mine');
});
