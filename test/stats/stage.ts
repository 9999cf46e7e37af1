import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { CRAWLERS } from '../../src/classify/crawlers.ts';
import { listDeletedDays } from '../../src/store/sites/changes.ts';
import { changeTimeZone } from '../../src/store/sites/zones.ts';
import { appendTo, type Hit, TODAY } from '../collect/stage.ts';
import { NOON, startApp } from '../support/helpers.ts';
import { type Answer, dataOf } from '../support/requests.ts';
import { date } from './days.ts';
import { type Draft, finished } from './drafts.ts';
import { naive, type Question } from './naive.ts';
import { type Crawl, type Exclusion, type Funnel, filtersIn, type Goal, type Query, type Target } from './visits.ts';
import { settle } from './vitals.ts';
import { runningDay, UTC_ONLY, type Zones } from './zones.ts';

export type App = Awaited<ReturnType<typeof startApp>>;

type Planned = { zones?: Zones; crawls?: readonly Crawl[]; goals?: readonly Target[]; funnels?: readonly Target[][] };

export const searchOf = (query: Query): URLSearchParams =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value])),
  );

/** Splits off those hits of the running day that are still to come, the last that arrive. */
export function split(hits: readonly Hit[], zones: Zones, waiting: number): [now: Hit[], later: Hit[]] {
  const running = runningDay(zones, NOON / 1000);
  const today = hits.filter(({ day }) => day === running);
  const later = today.slice(Math.max(0, today.length - waiting));
  return [hits.filter((hit) => !later.includes(hit)), later];
}

/** Sets visits of a site aside and puts them back, here and in the reference. */
const exclusionsOf = (app: App, siteId: number, known: Exclusion[]) => ({
  /** A query with filters says which, on the days from the first to the last. */
  async exclude(first: number, last: number | null, query: Query): Promise<number> {
    const filters = filtersIn(query);
    const body = { from: date(first), to: last === null ? null : date(last), filters };
    const answer = await app.owner.ask('POST', `/sites/${siteId}/exclusions`, body);
    assert.equal(answer.status, 201, answer.text);
    const { id } = answer.body.data;
    known.push({ id, first, last, filters });
    return id;
  },
  async include(id: number): Promise<void> {
    const answer = await app.owner.ask('DELETE', `/sites/${siteId}/exclusions/${id}`);
    assert.equal(answer.status, 204, answer.text);
    known.splice(
      known.findIndex((one) => one.id === id),
      1,
    );
  },
});

/** Each site of an application has a domain of its own. */
let sites = 0;

/** More at once would wait longer than the server lets a question wait, on a busy machine. */
const AT_ONCE = 30;
/** A server on a busy machine may answer 503. Then a client asks again. */
async function askPatiently({ owner }: App, url: string): Promise<Answer> {
  let answer = await owner.ask('GET', url);
  for (let asks = 1; answer.status === 503 && asks < MOST_ASKS; asks++) answer = await owner.ask('GET', url);
  return answer;
}

const MOST_ASKS = 10;

async function inPortions<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))));
  return results;
}

/** A new site of the owner: what is stored goes the collector's way, and what is asked the API's. */
export async function openSite(
  app: App,
  { zones = UTC_ONLY, crawls = [], goals: targets = [], funnels: lists = [] }: Planned = {},
) {
  const domain = `site${sites++}.example`;
  const siteId = app.site(app.owner, domain);
  app.db.write(() => {
    app.db.run('UPDATE site SET time_zone = ? WHERE id = ?', zones[0]?.zone ?? '', siteId);
    for (const { zone, from } of zones.slice(1)) changeTimeZone(app.db, siteId, zone, from);
  });
  const hits: Hit[] = [];
  const goals: Goal[] = [];
  const funnels: Funnel[] = [];

  async function add(noun: string, body: unknown): Promise<number> {
    const answer = await app.owner.ask('POST', `/sites/${siteId}/${noun}`, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data.id;
  }
  for (const target of targets) goals.push({ ...target, id: await add('goals', target) });
  const mainGoal = goals[0]?.id;
  if (mainGoal !== undefined) await app.owner.ask('PATCH', `/sites/${siteId}`, { main_goal_id: mainGoal });
  for (const steps of lists) funnels.push({ name: 'f', steps, id: await add('funnels', { name: 'f', steps }) });

  async function store(more: readonly Hit[], crawled: readonly Crawl[] = []): Promise<void> {
    await appendTo(
      app.engine,
      more.map((hit) => ({ ...hit, siteId })),
      crawled.map((crawl) => ({ ...crawl, siteId })),
    );
    hits.push(...more);
  }
  await store([], crawls);

  async function ask({ path, query }: Question): Promise<Answer['body']> {
    const url = `/sites/${siteId}/stats/${path}`;
    const answer = await askPatiently(app, `${url}?${searchOf(query)}`);
    assert.equal(answer.status, 200, `${answer.text} for ${path} ${JSON.stringify(query)}`);
    return dataOf(answer, 'GET', url);
  }

  /** Kept, because most questions are asked several times about the same hits. */
  const references = new Map<string, object>();
  const exclusions: Exclusion[] = [];
  const site = { hits, crawls, goals, funnels, crawlers: CRAWLERS, zones, mainGoal, exclusions };
  function reference(question: Question): object {
    const now = app.clock.now() / 1000;
    const key = JSON.stringify([question, hits.length, now, exclusions]);
    const known = references.get(key) ?? naive(site, question, now);
    references.set(key, known);
    return known;
  }

  return {
    ask,
    store,
    ...exclusionsOf(app, siteId, exclusions),
    /** As the reference knows it. */
    known: { ...site, siteId, domain },
    /** Questions about this site, some of them like the hits that it has or will have. */
    finish: (drafts: readonly Draft[], like: readonly Hit[]): Question[] =>
      drafts.map((draft) => finished(draft, { hits: like, goals, funnels })),
    /** The API answers as the reference does, also when much is asked at once. */
    async agree(when: string, questions: readonly Question[]): Promise<void> {
      const answers = dropDeletedMarks(app, siteId, await inPortions(questions, ask));
      for (const [i, question] of questions.entries()) {
        const expected = reference(question);
        const data = question.path === 'vitals' ? settle(answers[i], expected) : answers[i];
        assert.deepEqual({ when, question, data }, { when, question, data: expected });
      }
    },
  };
}

/** The reference does not know which days were deleted. api/deletions.test.ts tests how answers mark them. */
function dropDeletedMarks({ db }: App, siteId: number, answers: Answer['body'][]): Answer['body'][] {
  if (listDeletedDays(db, siteId, { from: 0, to: TODAY + 1 }).length === 0) return answers;
  const read = (key: string, value: unknown): unknown => {
    if (key === 'complete') return undefined;
    if (!Array.isArray(value)) return value;
    const left = key === 'notice_codes' ? value.filter(({ code }) => code !== 'days_deleted') : value;
    const said = key === 'notices' ? left.filter((notice) => !/days were deleted/.test(String(notice))) : left;
    return said.length === 0 && said.length < value.length ? undefined : said;
  };
  return answers.map((answer) => JSON.parse(JSON.stringify(answer), read));
}

const FILTERED = [
  'overview',
  'timeseries',
  'goals',
  'realtime',
  'live',
  'vitals',
  'journeys',
  'explain',
  'breakdown/pages',
  'breakdown/event_labels?event=e',
];

/** An application whose site has a funnel, so that there is one of every report. */
export async function reportsOf(t: TestContext) {
  const app = await startApp(t);
  const steps = [
    { type: 'page', value: '/a' },
    { type: 'event', value: 'e' },
  ];
  const { body } = await app.owner.ask('POST', `/sites/${app.siteId}/funnels`, { name: 'f', steps });
  const filtered = [...FILTERED, `funnels/${body.data.id}`];
  return { app, filtered, every: [...filtered, 'bots'] };
}

export const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;
