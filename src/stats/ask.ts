import type { Engine } from '../engine.ts';
import type { Question } from './question.ts';
import { type Answers, present } from './reports.ts';

/** Answers a question; the API, the dashboard and the mails use it. */
export type Ask = <Asked extends Question>(question: Asked) => Promise<Answers[Asked['report']]>;

export const asker =
  ({ measure }: Pick<Engine, 'measure'>): Ask =>
  async (question) =>
    present(question, await measure(question));
