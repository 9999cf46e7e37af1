// Asks every report of a site, without filters and with each of the given filters, before and after its days are sealed.
import type { TestContext } from 'node:test';
import type { Hit } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { openSite } from './stage.ts';
import type { Query, Target } from './visits.ts';

/** A report with the query that it needs. */
export type Report = [path: string, query?: Query];

const REPORTS: Report[] = [
  ['overview', { metrics: 'time_on_page' }],
  ['timeseries'],
  ['timeseries', { interval: 'hour', range: 'today' }],
  ['goals'],
  ['breakdown/pages', { metrics: 'visits,pageviews,time_on_page' }],
  ['breakdown/events', { metrics: 'count' }],
  ['breakdown/event_labels', { event: 'buy', metrics: 'count' }],
  ['breakdown/countries', { metrics: 'visits,pageviews,conversions' }],
];

type Planned = {
  hits: readonly Hit[];
  goals: readonly Target[];
  filters: readonly Query[];
  reports: readonly Report[];
};

export async function agreeOnEveryReport(t: TestContext, { hits, goals, filters, reports }: Planned): Promise<void> {
  const app = await startApp(t);
  const site = await openSite(app, { goals, funnels: [[...goals]] });
  await site.store(hits);
  const ranged: Report[] = [
    ...REPORTS,
    ...reports,
    ...site.known.funnels.flatMap(({ id }): Report[] => [
      [`funnels/${id}`],
      [`funnels/${id}`, { metrics: 'revenue', currency: 'EUR' }],
    ]),
  ];
  const questions = [{}, ...filters].flatMap((filter: Query) => [
    ...ranged.map(([path, query]) => ({ path, query: { range: '7d', ...query, ...filter } })),
    ...['realtime', 'live'].map((path) => ({ path, query: filter })),
  ]);
  await site.agree('open', questions);
  await app.seal();
  await site.agree('sealed', questions);
}
