/** The examples of docs/sql.md, and what the API answers to the question of each. */
import assert from 'node:assert/strict';
import { TODAY } from '../collect/stage.ts';
import { textOf } from '../documents/documents.ts';
import { date } from '../stats/days.ts';
import type { openSite } from '../stats/stage.ts';
import type { Query } from '../stats/visits.ts';

export type Row = Record<string, string | number | null>;
export type Site = Awaited<ReturnType<typeof openSite>>;

export const RANGE = `${date(TODAY - 200)}~${date(TODAY)}`;

/** The examples of docs/sql.md by their first words. */
export const EXAMPLES = new Map(
  [...textOf('docs/sql.md').matchAll(/^([A-Z].*):\n\n```sql\n([\s\S]*?)\n```/gm)].map(([, title = '', sql = '']) => [
    title,
    sql,
  ]),
);

/** Asks a breakdown for its values and visitors, as an example names them. */
const breakdown =
  (name: string, column: string, query: Query = {}) =>
  async (site: Site): Promise<Row[]> => {
    const { rows } = await site.ask({ path: `breakdown/${name}`, query: { range: RANGE, limit: '100', ...query } });
    return rows.map(({ value, visitors }: Row) => ({ [column]: value, visitors }));
  };

/** What the API answers to the question of each example. The rest of the row is not compared. */
export const ANSWERS: Record<string, (site: Site) => Promise<Row[]>> = {
  'Visitors, visits and pageviews, bounce rate and visit duration': async (site) => {
    const { visitors, visits, pageviews, bounce_rate, visit_duration } = await site.ask({
      path: 'overview',
      query: { range: RANGE },
    });
    return visits === 0 ? [] : [{ visitors, visits, pageviews, bounce_rate, visit_duration }];
  },
  'Visitors by day': async (site) => {
    const { points } = await site.ask({ path: 'timeseries', query: { range: RANGE, interval: 'day' } });
    return points
      .filter(({ visitors }: { visitors: number }) => visitors > 0)
      .map(({ date: day, visitors, pageviews }: Row) => ({ day, visitors, pageviews }));
  },
  'The most viewed pages': breakdown('pages', 'page'),
  'The pages on which visits began': breakdown('entry_pages', 'entry'),
  'The sources': breakdown('referrers', 'source'),
  'The channels': breakdown('channels', 'channel'),
  'The countries of visits in which somebody signed up': breakdown('countries', 'country', {
    'filters[event]': 'signup',
  }),
  'A goal, which is the event `signup`': async (site) => {
    const { goals } = await site.ask({ path: 'goals', query: { range: RANGE } });
    return goals
      .filter(({ value }: Row) => value === 'signup')
      .map(({ visitors, conversions }: Row) => ({ visitors, conversions }));
  },
  'The labels of an event': breakdown('event_labels', 'label', { event: 'signup' }),
  'The values of a property': breakdown('property_values', 'value', { property: 'plan' }),
  'Revenue by currency': async (site) => {
    const found = await Promise.all(
      ['EUR', 'JPY', 'KWD', 'USD'].map(async (currency) => {
        const query = { range: RANGE, metrics: 'revenue', currency };
        const { revenue } = await site.ask({ path: 'overview', query });
        return { currency, revenue: Number(revenue) };
      }),
    );
    return found.filter(({ revenue }) => revenue > 0);
  },
  'A funnel: visitors who viewed the home page, and later on the same day signed up': async (site) => {
    const { steps } = await site.ask({ path: `funnels/${site.known.funnels[0]?.id}`, query: { range: RANGE } });
    return [{ visitors: steps[1].visitors }];
  },
  'Requests of AI crawlers': async (site) => {
    const { crawlers } = await site.ask({ path: 'bots', query: { range: RANGE } });
    return crawlers.map(({ crawler, requests }: Row) => ({ crawler, requests }));
  },
  'Days with more than 100 hits that were not counted': async (site) => {
    const { days } = await site.ask({ path: 'days', query: { range: RANGE } } as never);
    const dropped = days.filter((one: Row) => Number(one.dropped) > 100);
    assert.deepEqual(
      dropped.map((one: Row) => one.dropped),
      [101],
    );
    return dropped.map(({ date: day, state, visitors, dropped }: Row) => ({ day, state, visitors, dropped }));
  },
};
