import type { Queries } from '../engine/engine.ts';
import { followJourneys } from './journeys.ts';
import type { Of, Query } from './query.ts';
import { type Answers, present } from './reports.ts';

/** Answers a query for the API, the dashboard and the mails. `signal` aborts when nobody needs the answer any more. */
export type Ask = <Asked extends Query>(query: Asked, signal?: AbortSignal) => Promise<Answers[Asked['report']]>;

export const makeAsk =
  ({ measure }: Pick<Queries, 'measure'>): Ask =>
  async (query, signal) => {
    if (!isOfJourneys(query)) return present(query, await measure(query, signal));
    const followed = await followJourneys(query, (step) => measure(step, signal));
    return present(followed.query, followed.measured);
  };

const isOfJourneys = <Asked extends Query>(query: Asked): query is Asked & Of<'journeys'> =>
  query.report === 'journeys';

/** Lets `count` see how each query ends. The metrics page shows how many queries failed. */
export const countQueries = (
  queries: Queries,
  count: <Result>(asked: Promise<Result>) => Promise<Result>,
): Queries => ({
  ...queries,
  measure: (query, signal) => count(queries.measure(query, signal)),
  measureSites: (query, signal) => count(queries.measureSites(query, signal)),
});
