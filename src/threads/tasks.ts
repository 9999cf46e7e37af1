import { listCrawls } from '../ledger/crawls.ts';
import { growth } from '../ledger/growth.ts';
import { listDue, type SiteDay } from '../ledger/open-days.ts';
import { compute } from '../ledger/seal.ts';
import { answerer } from '../stats/answer.ts';
import type { Measured } from '../stats/measure.ts';
import type { Question, Range } from '../stats/question.ts';
import type { Db } from '../store/statements.ts';

/** What a thread can be asked. It reads, over a connection of its own, and never writes. */
export function tasksOf(db: Db) {
  const { answer, measured, present, forget } = answerer(db);
  return {
    answer,
    forget,
    measure: ({ question, ranges }: { question: Question; ranges: readonly Range[] }) => measured(question, ranges),
    present: ({ question, found }: { question: Question; found: Measured }) => present(question, found),
    crawls: (question: Parameters<typeof listCrawls>[1]) => db.read(() => listCrawls(db, question)),
    growth: (today: number) => db.read(() => growth(db, today)),
    due: (before: number) => db.read(() => listDue(db, before)),
    compute: (siteDay: SiteDay) => compute(db, siteDay),
  };
}

type Tasks = ReturnType<typeof tasksOf>;
export type TaskName = keyof Tasks;
export type Input<Name extends TaskName> = Parameters<Tasks[Name]>[0];
export type Output<Name extends TaskName> = ReturnType<Tasks[Name]>;
