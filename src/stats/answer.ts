import { type Ledger, ledger } from '../ledger/days.ts';
import type { Db } from '../store/statements.ts';
import { type Measured, measure } from './measure.ts';
import { type Question, type Range, spanOf } from './question.ts';
import { type Answers, noticesOf, REPORTS, type Words } from './reports.ts';
import { visitorsBetween } from './scan.ts';
import { conditionsOf, select } from './select.ts';

const DAY = 86_400;
const LIVE_SECONDS = 300;

export type Answer = Answers[keyof Answers];

function wordsOf(db: Db, siteId: number): Words {
  const term = 'SELECT id FROM term WHERE site_id = ? AND text = ?';
  const text = 'SELECT text FROM term WHERE site_id = ? AND id = ?';
  return {
    termOf: (typed) => (typed === '' ? 0 : db.one<{ id: number }>(term, siteId, typed)?.id),
    textOf: (id) => (id === 0 ? '' : (db.one<{ text: string }>(text, siteId, id)?.text ?? '')),
  };
}

/** Different visitors of the last minutes; around midnight those of two days, because nobody is the same on both. */
function realtime(days: Ledger, words: Words, { siteId, filters, now }: Extract<Question, { report: 'realtime' }>) {
  const conditions = conditionsOf(filters, words.termOf);
  const [from, to] = [now - LIVE_SECONDS, now + 1];
  let visitors = 0;
  for (const day of days.days(siteId, Math.floor(from / DAY), Math.floor(now / DAY) + 1)) {
    const start = day.day * DAY;
    visitors += visitorsBetween(day, select(day, conditions), conditions.narrowing, [from - start, to - start]);
  }
  return { visitors };
}

/** Answers questions over one connection, on which nobody writes. Each sees the file as it was at one moment. */
export function answerer(db: Db) {
  const days = ledger(db);

  function measured(question: Question, ranges: readonly Range[]): Measured {
    days.turn();
    const { termOf } = wordsOf(db, question.siteId);
    return db.read(() => measure(days, termOf, question, ranges));
  }

  const present = (question: Question, found: Measured): Answer =>
    db.read(() => {
      if (question.report === 'realtime') return realtime(days, wordsOf(db, question.siteId), question);
      const report = REPORTS[question.report] as (question: Question, found: Measured, words: Words) => Answer;
      return { ...report(question, found, wordsOf(db, question.siteId)), ...noticesOf(found) };
    });

  return {
    measured,
    present,
    forget: days.forget,
    answer: (question: Question): Answer => db.read(() => present(question, measured(question, [spanOf(question)]))),
  };
}
