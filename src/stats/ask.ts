import type { Queries } from '../engine/engine.ts';
import { limitAtOnce } from '../lib/at-once.ts';
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

/**
 * Tables of 240,000 rows took 610 MB when 24 were asked at once, and 240 MB one after the other. With 512 MB of memory,
 * four at once ended the server. So one table is computed at a time for each 512 MB.
 */
const MEMORY_OF_TABLE = 512 * 1024 * 1024;
/**
 * With more waiting tables, the last one would wait too long: a connection without any byte would be closed earlier.
 */
const MOST_WAITING = 8;

/** Lets only as many tables be computed at once as the memory has room for. Tables as of a past day wait with the others. */
export function limitTables(queries: Queries, memory: number): Queries {
  const inTurn = limitAtOnce(Math.max(1, Math.floor(memory / MEMORY_OF_TABLE)), MOST_WAITING);
  return wrapQueries(queries, (some) => ({
    ...some,
    measure: (query, signal) =>
      query.report === 'table' ? inTurn(() => some.measure(query, signal)) : some.measure(query, signal),
  }));
}

/** Lets `count` see how each query ends. The metrics page shows how many queries failed. */
export const countQueries = (queries: Queries, count: <Result>(asked: Promise<Result>) => Promise<Result>): Queries =>
  wrapQueries(queries, (some) => ({
    ...some,
    measure: (query, signal) => count(some.measure(query, signal)),
    measureSites: (query, signal) => count(some.measureSites(query, signal)),
  }));

type PlainQueries = Omit<Queries, 'asOf'>;

/** Wraps the queries of the present, and those as of a past day. */
const wrapQueries = (queries: Queries, wrap: (some: PlainQueries) => PlainQueries): Queries => ({
  ...wrap(queries),
  asOf: (db, moment) => wrap(queries.asOf(db, moment)),
});
