import { type Content, emptyRows, type Rows } from '../engine.ts';
import type { ReadHit } from './file-hits.ts';
import { recordFile } from './record-file.ts';
import { block, fillRows, putRecord, RECORD_BYTES } from './records.ts';
import { textList } from './text-list.ts';

export type Spool = ReturnType<typeof spool>;

const MEMORY = 32 * 1024 * 1024;

/**
 * Takes hits in any order and gives them back a day at a time, in the order in which they came. Few are kept in memory: when
 * it is full, and when somebody asks, they go to a file, sorted by day. Their texts stay in memory, each once.
 */
export function spool(path: string, { memory = MEMORY }: { memory?: number } = {}) {
  const room = Math.ceil(memory / RECORD_BYTES);
  const held = block(room);
  const file = recordFile(path, room);
  const { texts, placeOf } = textList();
  /** How many hits each day has; signs of life are none. */
  const hitsOn = new Map<number, number>();
  let waiting = 0;

  function spill(): void {
    file.write(held, waiting);
    waiting = 0;
  }

  return {
    add({ day, second, visitor, texts: words, engaged = -1 }: ReadHit): void {
      if (waiting === room) spill();
      putRecord(held, waiting++, { day, second, visitor, engaged, words: words.map(placeOf) });
      if (engaged < 0) hitsOn.set(day, (hitsOn.get(day) ?? 0) + 1);
    },
    /** The days that have hits, the earliest first; where there are only signs of life nobody was. */
    days(): { day: number; count: number }[] {
      spill();
      return [...hitsOn].sort(([one], [other]) => one - other).map(([day, count]) => ({ day, count }));
    },
    rows(day: number): Rows {
      spill();
      const rows = emptyRows(file.count(day));
      for (const { records, count } of file.read(day)) {
        fillRows(rows, rows.count, records, count);
        rows.count += count;
      }
      return rows;
    },
    /** All of it, as an engine takes it. */
    content(today: number): Content {
      return { today, texts, days: this.days().map(({ day }) => day), rowsOf: (day) => this.rows(day) };
    },
    close: file.close,
  };
}
