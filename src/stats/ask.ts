import type { Engine } from '../engine/engine.ts';
import type { Question } from './question.ts';
import { type Answers, present } from './reports.ts';

/** Answers a question; the API, the dashboard and the mails use it. `gone` is aborted when nobody waits for it any more. */
export type Ask = <Asked extends Question>(question: Asked, gone?: AbortSignal) => Promise<Answers[Asked['report']]>;

export const asker =
  ({ measure }: Pick<Engine, 'measure'>): Ask =>
  async (question, gone) =>
    present(question, await measure(question, gone));

type Asked = Pick<Engine, 'measure' | 'measureSites'>;

/** The same engine with its questions counted by how they end. */
export const counted = (engine: Asked, count: <Result>(asked: Promise<Result>) => Promise<Result>): Asked => ({
  measure: (question, gone) => count(engine.measure(question, gone)),
  measureSites: (question, gone) => count(engine.measureSites(question, gone)),
});
