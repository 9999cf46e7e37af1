import { WORDS, type Word } from '../store/hits.ts';
import type { ColumnName } from './columns.ts';
import { type Day, startsOf } from './day.ts';
import { VISIT_GAP } from './fold.ts';

/** A hit, or with `engaged` a message of that many seconds; words are ids of terms, and visitors are numbered by day. */
export type Row = { visitor: number; second: number; engaged: number | undefined; words: Record<Word, number> };

/** The columns in which the words of a visit stand, and those of a hit. */
const OF_VISIT = ['source', 'utm_source', 'utm_medium', 'utm_campaign', 'country', 'device', 'browser', 'os'] as const;
const NOTHING = Object.fromEntries(WORDS.map((word) => [word, 0])) as Record<Word, number>;

/**
 * Makes rows of a day again, of which fold makes the same day. When somebody was active without a hit is not kept, only until
 * when: where a visit lasted over more than a gap, there are messages in between.
 */
export function* unfold(day: Day): Generator<Row> {
  const value = (name: ColumnName): ((row: number) => number) => {
    const { terms, codes } = day.column(name);
    return terms.length === 0 ? (row) => codes[row] as number : (row) => terms[codes[row] as number] as number;
  };
  const starts = startsOf(day).slice(0, day.totals.visits + 1);
  const [again, lasted] = [value('again'), value('seconds')];
  const ofVisit = OF_VISIT.map((name) => [name, value(name)] as const);
  const [page, event, label, second, engaged] = (['page', 'event', 'label', 'second', 'engaged'] as const).map(value);
  if (!page || !event || !label || !second || !engaged) return;

  let visitor = 0;
  for (let visit = 0; visit < day.totals.visits; visit++) {
    if (again(visit) === 0) visitor++;
    const begin = starts[visit] as number;
    const end = starts[visit + 1] as number;
    const over = second(begin) + lasted(visit);
    const common = Object.fromEntries(ofVisit.map(([name, read]) => [name, read(visit)]));
    for (let hit = begin; hit < end; hit++) {
      const at = second(hit);
      const words = { ...NOTHING, ...common, page: page(hit), event: event(hit), label: label(hit) };
      const message = { visitor, words: { ...NOTHING, page: page(hit) } };
      yield { visitor, second: at, engaged: undefined, words };
      if (engaged(hit) > 0) yield { ...message, second: at, engaged: engaged(hit) };
      const next = hit + 1 < end ? second(hit + 1) : over;
      for (let alive = at + VISIT_GAP; alive < next; alive += VISIT_GAP) {
        yield { ...message, second: alive, engaged: 0 };
      }
      if (hit + 1 === end && over > at) yield { ...message, second: over, engaged: 0 };
    }
  }
}
