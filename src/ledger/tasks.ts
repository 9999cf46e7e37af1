import type { CrawlQuestion, Crawls } from '../engine.ts';
import type { Measured } from '../stats/measured.ts';
import { daysOf as daysIn, type Question, type Range } from '../stats/question.ts';
import type { Db } from '../store/statements.ts';
import { listCrawls } from './crawls.ts';
import { daysOf } from './days.ts';
import { growth, lastHit } from './growth.ts';
import { countLive, measuredOf, measurePart, type Part } from './measure.ts';
import { listDue } from './open-days.ts';
import { type Computed, compute } from './seal.ts';
import type { SiteDay } from './sealed-days.ts';
import { textsOf } from './terms.ts';

/** What may be done in a thread of its own: it reads over a connection on which nobody writes. */
export type Tasks = {
  /** Parts of the range of a question. */
  part(input: { question: Question; ranges: readonly Range[] }): Part;
  /** What such parts are together. */
  together(input: { question: Question; parts: readonly Part[] }): Measured;
  /** Both at once, over all of the range. */
  measure(question: Question): Measured;
  crawls(question: CrawlQuestion): Crawls;
  growth(input: { today: number; siteId?: number | undefined }): number;
  lastHit(input: undefined): number;
  due(before: number): SiteDay[];
  compute(siteDay: SiteDay): Computed;
};

/** Each sees the file as it was at one moment. `forget` gives back what is kept for the next question. */
export function tasksOf(db: Db): { tasks: Tasks; forget: () => void } {
  const days = daysOf(db);

  function part({ question, ranges }: { question: Question; ranges: readonly Range[] }): Part {
    days.turn();
    const { termOf } = textsOf(db, question.siteId);
    return db.read(() => measurePart(days, termOf, question, ranges));
  }

  const together = ({ question, parts }: { question: Question; parts: readonly Part[] }): Measured =>
    db.read(() => measuredOf(question, parts, textsOf(db, question.siteId)));

  function measure(question: Question): Measured {
    const parts = question.report === 'realtime' ? [] : [part({ question, ranges: [daysIn(question)] })];
    const measured = together({ question, parts });
    if (question.report !== 'realtime') return measured;
    return { ...measured, live: countLive(days, textsOf(db, question.siteId).termOf, question) };
  }

  const tasks: Tasks = {
    part,
    together,
    measure: (question) => db.read(() => measure(question)),
    crawls: (question) => db.read(() => listCrawls(db, question, textsOf(db, question.siteId).textOf)),
    growth: ({ today, siteId }) => db.read(() => growth(db, today, siteId)),
    lastHit: () => db.read(() => lastHit(db)),
    due: (before) => db.read(() => listDue(db, before)),
    compute: (siteDay) => compute(db, siteDay),
  };
  return { tasks, forget: days.forget };
}
