/** Differences between two ranges, compared with the reference, for the tests of explain. */
import assert from 'node:assert/strict';
import { TODAY } from '../collect/stage.ts';
import { dataOf } from '../support/requests.ts';
import { date } from './days.ts';
import { naive } from './naive.ts';
import { type App, type openSite, searchOf } from './stage.ts';
import type { Query } from './visits.ts';

export const COUNTRIES = ['DE', 'FR', 'ES', ''];
export const SOURCES = ['', 'google.com', 'x.org', 'reddit.com'];
export type Opened = Awaited<ReturnType<typeof openSite>>;
type Figures = Record<'visitors' | 'visits' | 'pageviews', number>;
type Reason = {
  filters: Record<string, string>;
  total: number;
  previous: number;
  difference: number;
  share: number;
};

/** Asks, and compares each figure with that of the reference. Returns the filters of the reasons. */
export async function explain(app: App, { known }: Opened, asked: Query): Promise<Record<string, string>[]> {
  const url = `/sites/${known.siteId}/stats/explain`;
  const answer = await app.owner.ask('GET', `${url}?${searchOf(asked)}`);
  assert.equal(answer.status, 200, answer.text);
  const { total, previous, difference, reasons } = dataOf(answer, 'GET', url);
  const { by = 'visitors', goal, ...plain } = asked;
  const now = app.clock.now() / 1000;
  const read = <Answer>(path: string, more: Query): Answer =>
    naive(known, { path, query: { ...plain, ...more } }, now) as Answer;
  const count = (more: Query): [number, number] => {
    if (by === 'visitors' || by === 'visits' || by === 'pageviews') {
      const overview = read<Figures & { previous: Figures }>('overview', more);
      return [overview[by], overview.previous[by]];
    }
    const [from, to] = String(plain.compare).split('~');
    const countIn = (range: Query): number => {
      const { compare: _, ...own } = { ...plain, ...more, ...range };
      const { goals } = naive(known, { path: 'goals', query: own }, now) as {
        goals: { id: number; conversions: number }[];
      };
      return goals.find(({ id }) => String(id) === goal)?.conversions ?? -1;
    };
    return [countIn({}), countIn({ range: `${from}~${to}` })];
  };
  assert.deepEqual([total, previous.total], count({}), JSON.stringify(asked));
  assert.equal(difference, total - previous.total);
  for (const reason of reasons as Reason[]) {
    const filters = Object.entries(reason.filters).map(([name, value]) => [`filters[${name}]`, value]);
    assert.deepEqual(
      [reason.total, reason.previous],
      count(Object.fromEntries(filters)),
      JSON.stringify([asked, reason]),
    );
    assert.equal(reason.difference, reason.total - reason.previous);
  }
  return reasons.filter(({ certain }: { certain: boolean }) => certain).map(({ filters }: Reason) => filters);
}

export const days = (first: number, last: number): string => `${date(TODAY + first)}~${date(TODAY + last)}`;
