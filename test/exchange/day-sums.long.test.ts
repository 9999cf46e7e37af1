import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { needsHits } from '../../src/stats/sums.ts';
import { hereOn } from '../cli/here.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { site } from '../stats/random.ts';
import { labelled } from '../stats/random-zones.ts';
import { type App, openSite } from '../stats/stage.ts';
import { UTC_ONLY } from '../stats/zones.ts';
import { folder, ON_CLUSTER, share, startApp } from '../support/helpers.ts';
import { writeZip } from './reading/zips.ts';

async function started(t: TestContext) {
  const app = await startApp(t);
  const file = join(folder(t), 'sums.zip');
  async function said(...words: string[]): Promise<string[]> {
    const { printed, explained } = await hereOn(app, ...words);
    return [...printed, ...explained];
  }
  return {
    app,
    file,
    latest: () => app.db.one<{ domain: string }>('SELECT domain FROM site ORDER BY id DESC LIMIT 1')?.domain ?? '',
    seal: () => app.seal(),
    write: (domain: string) => {
      rmSync(file, { force: true });
      return said('export', domain, '--format', 'plausible', '--out', file);
    },
    writeHits: (domain: string) => said('export', domain, '--format', 'ndjson', '--out', `${file}.ndjson`),
    bring: (domain: string, ...flags: string[]) => said('import', domain, file, '--format', 'plausible', ...flags),
    remove: (domain: string, id: string) => said('import', 'remove', domain, id),
  };
}

/** What does not add up of each sealed day. */
async function faultsOf({ engine }: App): Promise<string[][]> {
  const all: string[][] = [];
  for await (const { faults } of engine.upkeep.recount()) all.push(faults);
  return all;
}

const about = (path: string, query: Record<string, string> = { range: '12m' }) => ({ path, query });

const REPORTS = [
  'overview',
  'timeseries',
  'goals',
  ...['pages', 'entry_pages', 'exit_pages', 'countries', 'devices', 'browsers', 'operating_systems', 'events'].map(
    (name) => `breakdown/${name}`,
  ),
];

test("what is exported in Plausible's layout and brought in elsewhere answers alike what has no filter", async (t) => {
  const { app, latest, write, seal, bring } = await started(t);
  const property = fc.asyncProperty(site, async ({ hits: planned, goals: targets }) => {
    // Sums do not have who came to any of several pages.
    const goals = targets.filter((target) => target.value.length < 100 && !needsHits(target));
    const hits = labelled(planned, UTC_ONLY)
      .filter(({ page, browser }) => page.startsWith('/') && browser.length <= 200)
      // In Plausible's layout a visitor with two versions of a browser or two regions counts twice.
      .map((hit) => ({ ...hit, day: hit.day - 1, label: '', browser_version: '', os_version: '', region: '' }));
    const from = await openSite(app, { goals });
    await from.store([...hits, pageview({ day: TODAY - 1 })]);
    await seal();
    const domain = latest();
    await write(domain);
    const to = await openSite(app, { goals });
    await bring(latest());
    for (const path of REPORTS) {
      for (const range of ['7d', '30d', '12m', `${date(TODAY - 36)}~${date(TODAY - 1)}`]) {
        const question = about(path, { range, ...(path.startsWith('breakdown') ? { limit: '100' } : {}) });
        const [one, other] = await Promise.all([from.ask(question), to.ask(question)]);
        const data = (answer: object): unknown =>
          JSON.parse(JSON.stringify(answer, (name, value) => (name === 'id' ? undefined : value)));
        assert.deepEqual({ question, data: data(other) }, { question, data: data(one) });
      }
    }
    for await (const { faults } of app.engine.upkeep.recount()) assert.deepEqual(faults, []);
  });
  await fc.assert(property, { numRuns: share(4) });
});

/** A zip with ten visitors on each of some days. */
async function zipOf(file: string, days: readonly number[]): Promise<void> {
  const table = (name: string, head: string, row: string) => ({
    name: `imported_${name}_20250101_20261231.csv`,
    text: [`date,${head}\n`, ...days.map((day) => `${date(day)},${row}\n`)],
  });
  await writeZip(file, [
    table('visitors', 'visitors,pageviews,bounces,visits,visit_duration', '10,30,4,12,600'),
    table('pages', 'hostname,page,visits,visitors,pageviews', 'x,/a,5,4,20'),
    table('custom_events', 'name,link_url,path,visitors,events', 'buy,,,3,4'),
  ]);
}

test('where a filter cannot be answered from daily totals they are left out, and a notice names their days', async (t) => {
  const { app, latest, file, bring } = await started(t);
  const steps = ['/a', '/b'].map((value) => ({ type: 'page' as const, value }));
  const { ask, store, finish } = await openSite(app, { goals: [{ type: 'page', value: '/a' }], funnels: [steps] });
  await store([pageview({ page: '/a' }), pageview({ page: '/b' })]);
  await zipOf(file, [TODAY - 1, TODAY - 2, TODAY - 4]);
  assert.deepEqual(await bring(latest()), [
    'daily totals of 3 days imported (import 1)',
    `accepted: 30 visitors, 36 visits, 90 pageviews, 12 events, ${date(TODAY - 4)} to ${date(TODAY - 1)}`,
    ...['visitors', 'pages', 'custom_events'].map(
      (name) => `accepted: 3 rows of imported_${name}_20250101_20261231.csv`,
    ),
    'not in the file, so not known: properties, property values, entry pages, exit pages, hostnames, sources, channels, utm source, utm medium, utm campaign, utm term, utm content, countries, regions, cities, devices, browsers, browser versions, operating systems, os versions, screens, languages',
    'skipped: cities (Plausible writes only numbers for them), scroll depths and times on page, which daybook does not store with daily totals',
  ]);

  const overview = await ask(about('overview', { range: '7d' }));
  assert.deepEqual([overview.visitors, overview.pageviews, overview.visits, overview.notices], [31, 92, 37, undefined]);
  const weeks = await ask(about('timeseries', { range: '7d', interval: 'week' }));
  assert.deepEqual([weeks.points.at(-1).visitors, weeks.notices], [11, undefined]);
  const { goals, notices: none } = await ask(about('goals', { range: '7d' }));
  assert.deepEqual([goals[0].visitors, goals[0].conversions, none], [13, 61, undefined]);
  const pages = await ask(about('breakdown/pages', { range: '7d' }));
  assert.deepEqual(pages.rows, [
    { value: '/a', visitors: 13 },
    { value: '/b', visitors: 1 },
  ]);

  const named = `${date(TODAY - 4)}, ${date(TODAY - 2)} to ${date(TODAY - 1)}`;
  const notices = [`This report does not include ${named}, because only daily totals are stored for these days.`];
  const [funnel] = finish([{ ...about('funnels/0', { range: '7d' }), like: null }], []);
  for (const question of [
    ...['overview', 'timeseries', 'goals', 'breakdown/pages'].map((path) =>
      about(path, { range: '7d', 'filters[page]': '/a' }),
    ),
    about('overview', { range: '7d', 'filters[device]': '' }),
    about('timeseries', { range: '7d', interval: 'hour' }),
    funnel ?? about(''),
    about('journeys', { range: '7d' }),
  ]) {
    const answer = await ask(question);
    assert.deepEqual(answer.notices, notices, question.path);
    if (question.path === 'overview') assert.equal(answer.pageviews, 'filters[page]' in question.query ? 1 : 2);
    if (question.path.startsWith('funnels'))
      assert.deepEqual(
        answer.steps.map((step: { visitors: number }) => step.visitors),
        [1, 1],
      );
  }
  const figures = await ask(about('breakdown/pages', { range: '7d', metrics: 'visits' }));
  const rows = ['/a', '/b'].map((value) => ({ value, visitors: 1, visits: 1 }));
  assert.deepEqual([figures.rows, figures.notices], [rows, notices]);
  // Channels follow from sources and mediums, which are not in this zip.
  const channels = await ask(about('breakdown/channels', { range: '7d' }));
  const lacks = [`This report does not include ${named}, because the import did not contain this data.`];
  assert.deepEqual([channels.rows, channels.notices], [[{ value: 'Direct', visitors: 1 }], lacks]);
  const far = await ask(about('overview', { range: '12m', 'filters[page]': '/a' }));
  assert.deepEqual(far.notices, notices);
  const filtered = await ask(about('overview', { range: 'today', 'filters[page]': '/a' }));
  assert.equal(filtered.visitors, 1);
  const live = await ask(about('realtime', {}));
  assert.equal(live.notices, undefined);
});

test('daily totals are removed, refused and replaced like hits, and their damage is found', async (t) => {
  const { app, latest, file, bring, remove, seal, writeHits } = await started(t);
  const { ask, store } = await openSite(app);
  const domain = latest();
  const pageviews = async (): Promise<number> => (await ask(about('overview'))).pageviews;
  await store([pageview({ day: TODAY - 2 })]);
  await seal();
  await zipOf(file, [TODAY - 1, TODAY - 2, TODAY - 40]);
  await assert.rejects(bring(domain), /already has hits on/);
  const dry = await bring(domain, '--dry-run', '--replace');
  assert.equal(dry.at(-1), 'dry run: nothing was imported');
  assert.equal(await pageviews(), 1);
  await bring(domain, '--replace');
  assert.equal(await pageviews(), 90);
  assert.deepEqual(await writeHits(domain), [
    `left out: 3 days with only daily totals, ${date(TODAY - 40)} to ${date(TODAY - 1)}`,
  ]);
  assert.deepEqual(await faultsOf(app), [[], [], []]);
  app.db.run('UPDATE sealed_day SET pageviews = 31 WHERE day = ?', TODAY - 1);
  // A cluster has no copy of the totals of a day without hits.
  const damage = ON_CLUSTER ? [] : ['totals: differ from their copy 10,12,30,4,4,600'];
  assert.deepEqual((await faultsOf(app)).flat(), damage);
  assert.match((await remove(domain, '1'))[0] ?? '', /^import 1 removed/);
  assert.equal(await pageviews(), 0);
  // What is removed from a cluster goes at night.
  if (ON_CLUSTER) return;
  const rows = ['sealed_day', 'rollup', 'month_rollup', 'import'].map(
    (table) => app.db.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n,
  );
  assert.deepEqual(rows, [0, 0, 0, 0]);
});

test('what is no zip, and what cannot be read from its end, is an error', async (t) => {
  const { app, latest, file, bring } = await started(t);
  await openSite(app);
  await assert.rejects(bring(latest()), /: there is no such file$/);
  writeFileSync(file, 'date,visitors\n');
  await assert.rejects(bring(latest()), /: it cannot be read as a zip \(.*\). Download it again$/);
});
