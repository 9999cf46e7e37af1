// Asks the engine, and limits how many tables the engine computes at the same time. A table is the answer to a query
// with the report `table`. It may have several keys and metrics.
//
// Invariant: tables take no more memory than the machine has. One site alone cannot fill the queue of waiting tables
// (test/stats/limit-tables.test.ts).
//
// Example: a machine with 512 MB of memory computes one table at a time. Up to 8 more of each site wait. compose.ts
// calls `limitTables` and `makeAsk`.
import type { Queries } from '../engine/engine.ts';
import { limitAtOnce } from '../lib/at-once.ts';
import { followJourneys } from './journeys.ts';
import type { Of, Query } from './query.ts';
import { type Answers, present } from './reports.ts';

/** Answers a query for the API, the dashboard and the mails. The caller aborts `signal` if nobody needs the answer. */
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
 * The memory that one table may need, in bytes. If 24 tables of 240,000 rows are computed at the same time, they take
 * 610 MB. If one is computed after the other, they take 240 MB. With 512 MB of memory, computing four tables at the
 * same time ended the server. Therefore one table is computed at a time for each 512 MB of memory.
 */
const MEMORY_OF_TABLE = 512 * 1024 * 1024;
/**
 * The most tables that wait: of all sites together, and of one site. The server closes a connection on which no byte
 * was sent for 30 s. So a table that waits longer would be computed in vain. If eight tables of a site already wait,
 * its next table gets 503 immediately.
 */
const MOST_WAITING = 64;
const MOST_OF_SITE = 8;

/**
 * Limits how many tables are computed at the same time to what the memory has room for. Tables of the data
 * as it was at a past moment (`asOf`) wait in the same line.
 */
export function limitTables(queries: Queries, memory: number): Queries {
  const most = Math.max(1, Math.floor(memory / MEMORY_OF_TABLE));
  const inTurn = limitAtOnce(most, MOST_WAITING, MOST_OF_SITE);
  return wrapQueries(queries, (some) => ({
    ...some,
    measure: (query, signal) =>
      query.report === 'table' ? inTurn(() => some.measure(query, signal), query.siteId) : some.measure(query, signal),
  }));
}

/**
 * Passes the promise of each query to `count`, which learns whether the query failed. The metrics page shows how many
 * queries failed.
 */
export const countQueries = (queries: Queries, count: <Result>(asked: Promise<Result>) => Promise<Result>): Queries =>
  wrapQueries(queries, (some) => ({
    ...some,
    measure: (query, signal) => count(some.measure(query, signal)),
    measureSites: (query, signal) => count(some.measureSites(query, signal)),
  }));

type PlainQueries = Omit<Queries, 'asOf'>;

/** Wraps the queries of today's data, and the queries of the data as it was at a past moment (`asOf`). */
const wrapQueries = (queries: Queries, wrap: (some: PlainQueries) => PlainQueries): Queries => ({
  ...wrap(queries),
  asOf: (db, moment) => wrap(queries.asOf(db, moment)),
});
