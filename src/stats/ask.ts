import type { Queries } from '../engine/engine.ts';
import type { Question } from './question.ts';
import { type Answers, present } from './reports.ts';

/** Answers a question; the API, the dashboard and the mails use it. `signal` is aborted when nobody waits for it any more. */
export type Ask = <Asked extends Question>(question: Asked, signal?: AbortSignal) => Promise<Answers[Asked['report']]>;

export const asker =
  ({ measure }: Pick<Queries, 'measure'>): Ask =>
  async (question, signal) =>
    present(question, await measure(question, signal));

/** Queries whose measurements are counted by how they end. */
export const counted = (queries: Queries, count: <Result>(asked: Promise<Result>) => Promise<Result>): Queries => ({
  ...queries,
  measure: (question, signal) => count(queries.measure(question, signal)),
  measureSites: (question, signal) => count(queries.measureSites(question, signal)),
});
