import type { CrawlQuestion, Crawls } from '../engine.ts';
import type { Measured } from '../stats/measured.ts';
import { daysToRead, type Question, type Range } from '../stats/question.ts';
import type { Db } from '../store/statements.ts';
import { listCrawls } from './crawls.ts';
import { dayReader } from './days.ts';
import { growth, lastHit } from './growth.ts';
import { countLive, measuredOf, measurePart, type Part } from './measure.ts';
import { listDue } from './open-days.ts';
import { type Computed, compute } from './seal.ts';
import type { SiteDay } from './sealed-days.ts';
import { textsOf } from './terms.ts';

/** The tasks of worker threads. They only read, over a connection of their own. */
export type Tasks = {
  /** Measures parts of a question's range. */
  measurePart(input: { question: Question; ranges: readonly Range[] }): Part;
  /** Merges such parts into the result. */
  merge(input: { question: Question; parts: readonly Part[] }): Measured;
  /** Measures the whole range and returns the result. */
  measure(question: Question): Measured;
  crawls(question: CrawlQuestion): Crawls;
  growth(input: { today: number; siteId?: number | undefined }): number;
  lastHit(input: undefined): number;
  due(before: number): SiteDay[];
  compute(siteDay: SiteDay): Computed;
};

/** Each task reads one snapshot of the file. `checkpoint` throws to stop the current one; `forget` frees the caches. */
export function tasksOf(db: Db, checkpoint = () => {}): { tasks: Tasks; forget: () => void } {
  const days = dayReader(db, checkpoint);

  function measurePartOf({ question, ranges }: { question: Question; ranges: readonly Range[] }): Part {
    days.nextQuery();
    const { termOf } = textsOf(db, question.siteId);
    return db.read(() => measurePart(days, termOf, question, ranges));
  }

  const merge = ({ question, parts }: { question: Question; parts: readonly Part[] }): Measured =>
    db.read(() => measuredOf(question, parts, textsOf(db, question.siteId)));

  function measure(question: Question): Measured {
    const parts = question.report === 'realtime' ? [] : [measurePartOf({ question, ranges: [daysToRead(question)] })];
    const measured = merge({ question, parts });
    if (question.report !== 'realtime') return measured;
    return { ...measured, live: countLive(days, textsOf(db, question.siteId).termOf, question) };
  }

  const tasks: Tasks = {
    measurePart: measurePartOf,
    merge,
    measure: (question) => db.read(() => measure(question)),
    crawls: (question) => db.read(() => listCrawls(db, question, textsOf(db, question.siteId).textOf)),
    growth: ({ today, siteId }) => db.read(() => growth(db, today, siteId)),
    lastHit: () => db.read(() => lastHit(db)),
    due: (before) => db.read(() => listDue(db, before)),
    compute: (siteDay) => compute(db, siteDay),
  };
  return { tasks, forget: days.forget };
}
