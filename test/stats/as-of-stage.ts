/** A site with a history: its questions, and what may happen to it in a day, for the tests of as_of. */
import assert from 'node:assert/strict';
import { countChanges } from '../../src/jobs/changes.ts';
import { TEXT_FIELDS, type TextField } from '../../src/stats/dimensions.ts';
import { appendTo, pageview } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { date, SECONDS } from './days.ts';

/** What one page was seen by so many visitors, as an import brings it. */
export const rowsOf = (count: number) => ({
  count,
  second: new Int32Array(count).fill(36_000),
  visitor: Float64Array.from({ length: count }, (_, i) => i + 1),
  engaged: new Int32Array(count).fill(-1),
  scroll: new Uint8Array(count),
  vitals: new Float64Array(count),
  terms: Object.fromEntries(
    TEXT_FIELDS.map((field) => [field, new Int32Array(count).fill(field === 'page' ? 1 : 0)]),
  ) as Record<TextField, Int32Array>,
});

export const QUESTIONS = [
  'stats/overview?range=7d',
  'stats/overview?range=30d&filters[country]=DE&compare_until=now',
  'stats/timeseries?range=7d&metrics=visits,bounce_rate',
  'stats/timeseries?range=today&interval=hour',
  'stats/breakdown/pages?range=30d&metrics=visits,pageviews',
  'stats/breakdown/countries?range=7d&filters[page][like]=/b*',
  'stats/goals?range=7d',
];
export const TABLES = [
  { range: '7d', by: ['page', 'day'], metrics: ['visitors', 'pageviews'] },
  { range: '30d', by: ['country'], filters: { page: { not: ['/a'] } } },
];

export async function stage(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const { siteId } = app;
  const path = `/sites/${siteId}`;
  const now = () => app.clock.now() / 1000;
  const today = () => Math.floor(now() / SECONDS);
  const [imports, exclusions, goals]: [number[], number[], number[]] = [[], [], []];
  async function ask(question: string, asOf?: string) {
    const more = asOf === undefined ? '' : `&as_of=${asOf}`;
    return await app.owner.ask('GET', `${path}/${question}${more}`);
  }
  const askAll = async (asOf?: string) => [
    ...(await Promise.all(QUESTIONS.map((question) => ask(question, asOf)))),
    ...(await Promise.all(
      TABLES.map((table) => app.owner.ask('POST', `${path}/query`, { ...table, ...(asOf && { as_of: asOf }) })),
    )),
  ];
  const self = {
    ...{ app, siteId, path, today, imports, exclusions, goals, ask, askAll },
    store: (hits: readonly Partial<ReturnType<typeof pageview>>[]) =>
      appendTo(
        app.engine,
        hits.map((hit) => ({ ...pageview(), day: today(), ...hit, siteId })),
      ),
    async add(noun: string, body: object): Promise<number> {
      const answer = await app.owner.ask('POST', `${path}/${noun}`, body);
      assert.equal(answer.status, 201, answer.text);
      return answer.body.data.id;
    },
    exclude: async (country: string, from: number, to: number | null) =>
      self.add('exclusions', {
        ...{ from: date(from), to: to === null ? null : date(to) },
        filters: { country: { is: [country] } },
      }),
    bring: (day: number, count: number, replace: boolean) =>
      app.engine.imports.add(
        siteId,
        { today: today(), texts: ['', '/i'], days: [day], readRows: () => rowsOf(count) },
        { replace },
      ),
    /** Waits for the last second of the day. */
    toEnd: () => app.clock.pass((today() + 1) * SECONDS - 1 - now()),
    /** Waits for the first minute of the next day, and does the work of the night. */
    async night(): Promise<void> {
      app.clock.pass(62);
      await app.seal();
      await app.engine.upkeep.remakeSums();
    },
    count: () => countChanges({ db: app.db, queries: app.engine.queries, clock: app.clock }),
    async changes(range = '30d') {
      const { body } = await app.owner.ask('GET', `${path}/changes?range=${range}`);
      return body.data.changes as Record<string, unknown>[];
    },
  };
  return self;
}
