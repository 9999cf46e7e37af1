import type { Queries } from '../engine/engine.ts';
import type { Question } from './question.ts';
import { type Answers, present } from './reports.ts';

/** Answers a query, for the API, the dashboard and the mails. `signal` is aborted when nobody waits for the answer any more. */
export type Ask = <Asked extends Question>(question: Asked, signal?: AbortSignal) => Promise<Answers[Asked['report']]>;

export const makeAsk =
  ({ measure }: Pick<Queries, 'measure'>): Ask =>
  async (question, signal) =>
    present(question, await measure(question, signal));

/** Wraps queries so that `count` sees how each ends. Metrics are made of this. */
export const countQueries = (
  queries: Queries,
  count: <Result>(asked: Promise<Result>) => Promise<Result>,
): Queries => ({
  ...queries,
  measure: (question, signal) => count(queries.measure(question, signal)),
  measureSites: (question, signal) => count(queries.measureSites(question, signal)),
});
