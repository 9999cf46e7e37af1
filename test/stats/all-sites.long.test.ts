import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { VISIT_TEXT_FIELDS } from '../../src/stats/dimensions.ts';
import { TODAY } from '../collect/stage.ts';
import { NO_WORDS } from '../support/held.ts';
import { share, startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';
import { allNaive } from './all-naive.ts';
import { asked, maybe } from './asked.ts';
import { type Draft, finished } from './drafts.ts';
import type { Question } from './naive.ts';
import { asking, filtersAmong, limit, money, site } from './random.ts';
import { compare } from './random-ranges.ts';
import { type App, openSite, searchOf, split } from './stage.ts';
import type { Query } from './visits.ts';

const BREAKDOWNS = 'sites referrers utm_source utm_medium utm_campaign countries devices browsers operating_systems';
const filters = filtersAmong(VISIT_TEXT_FIELDS);
const offset = maybe('offset', fc.constantFrom('0', '1', '2', '100000'));

const draft: fc.Arbitrary<Draft> = fc.oneof(
  asking(2, 'overview', filters, compare),
  asking(1, 'overview', filters, compare, money('revenue')),
  asking(2, 'timeseries', filters, maybe('interval', fc.constantFrom('day', 'week', 'month'))),
  asking(1, 'timeseries', filters, money('revenue', 'revenue,revenue_per_visitor')),
  asking(5, BREAKDOWNS.replaceAll(/\w+/g, 'breakdown/$&'), filters, limit, offset),
  asking(1, 'realtime', filters),
);

/** Which visits are set aside, of each of three sites. */
const selection = fc.oneof(
  asked('country', fc.constantFrom('DE', 'US', 'FR')),
  asked('device', fc.constantFrom('Desktop', 'Mobile')),
  asked('source', fc.constantFrom('', 'x.org')),
);
const selections = fc.tuple(selection, selection, selection);

type Open = Awaited<ReturnType<typeof openSite>>;

let people = 0;

/** An application as somebody sees it who has no sites yet. */
async function newOwner(app: App): Promise<App> {
  return { ...app, owner: await app.person(`owner${people++}@example.com`) };
}

/** What the caller's sites answer together; of some of them where these are named. */
async function askAll({ owner }: App, { path, query }: Question, some?: readonly Open[]) {
  const sites: Query = some ? { sites: some.map(({ known }) => String(known.siteId)).join() } : {};
  const answer = await owner.ask('GET', `/stats/${path}?${searchOf({ ...query, ...sites })}`);
  assert.equal(answer.status, 200, `${answer.text} for ${path} ${JSON.stringify(query)}`);
  return dataOf(answer, 'GET', `/stats/${path}`);
}

async function agree(when: string, app: App, sites: readonly Open[], questions: readonly Question[]): Promise<void> {
  const now = app.clock.now() / 1000;
  const answers = await Promise.all(
    questions.map(async (question, i) => {
      // Of three questions one is about all sites, one names all, and one names some.
      const some = sites.filter((_, place) => i % 3 !== 2 || place !== Math.floor(i / 3) % sites.length);
      const data = await askAll(app, question, i % 3 === 0 ? undefined : some);
      const expected = allNaive(
        some.map(({ known }) => known),
        question,
        now,
      );
      return [data, expected];
    }),
  );
  for (const [i, [data, expected]] of answers.entries()) {
    assert.deepEqual({ when, question: questions[i], data }, { when, question: questions[i], data: expected });
  }
}

async function openAll<One>(app: App, planned: readonly One[]): Promise<Open[]> {
  const opened: Open[] = [];
  for (const one of planned) opened.push(await openSite(app, one as Parameters<typeof openSite>[1]));
  return opened;
}

test('a site whose day is ahead adds nothing of the days that are those of the others', async (t) => {
  const app = await startApp(t);
  const person = { ...NO_WORDS, siteId: 0, second: 3_600, engaged: null, page: '/' };
  const here = await openSite(app);
  const ahead = await openSite(app, { zones: [{ zone: 'Pacific/Kiritimati', from: 0 }] });
  await here.store([{ ...person, day: TODAY, visitor: 1 }]);
  await ahead.store([
    { ...person, day: TODAY, visitor: 2 },
    ...[3, 4].map((visitor) => ({ ...person, day: TODAY + 1, visitor })),
  ]);
  const query = { range: 'today', interval: 'day' };
  const { points } = (await askAll(app, { path: 'timeseries', query }, [here, ahead])) as {
    points: { visitors: number }[];
  };
  assert.deepEqual(
    points.map(({ visitors }) => visitors),
    [1, 2],
  );
});

test('several sites answer what their visits put together are: open, sealed, topped up, and without what is set aside', async (t) => {
  const app = await startApp(t);
  const drafts = fc.noShrink(fc.array(draft, { minLength: share(40), maxLength: share(40) }));
  const property = fc.asyncProperty(
    fc.noShrink(fc.array(site, { minLength: 3, maxLength: 3 })),
    drafts,
    selections,
    async (planned, some, taking) => {
      const own = await newOwner(app);
      const sites = await openAll(own, planned);
      const hits = planned.flatMap((one) => one.hits);
      const questions = some.map((one) => finished(one, { hits, goals: [], funnels: [] }));
      const halves = planned.map(({ hits, zones, waiting }) => split(hits, zones, waiting));
      for (const [i, { store }] of sites.entries()) await store(halves[i]?.[0] ?? []);
      await agree('open', own, sites, questions);
      await app.seal();
      await agree('sealed', own, sites, questions);
      for (const [i, { store }] of sites.entries()) await store(halves[i]?.[1] ?? []);
      await agree('topped up', own, sites, questions);
      const put: number[] = [];
      for (const [i, { exclude }] of sites.entries()) put.push(await exclude(TODAY - 300 * i, null, taking[i] ?? {}));
      await agree('set aside', own, sites, questions);
      await app.engine.upkeep.remakeSums();
      await agree('with sums made again', own, sites, questions);
      for (const [i, { include }] of sites.entries()) await include(put[i] ?? 0);
      await agree('put back', own, sites, questions);
    },
  );
  await fc.assert(property, { numRuns: share(3) });
});
