// The spool sorts the hits of an import by day. Hits wait in a buffer of 32 MB, which goes to a temporary file when
// it is full.
//
// Hits of one day keep their order. Texts stay in memory, each once: a hit has only their numbers. ../import.ts fills
// it, and the engine reads it day by day.

import { emptyRows, type ImportContent, type ImportedRows } from '../../engine/import-content.ts';
import { UTC } from '../../lib/zone.ts';
import type { ParsedHit } from './file-hits.ts';
import { recordFile } from './record-file.ts';
import { block, fillRows, putRecord, RECORD_BYTES } from './records.ts';
import { textList } from './text-list.ts';

export type Spool = ReturnType<typeof spool>;

const MEMORY = 32 * 1024 * 1024;

export function spool(path: string, { memory = MEMORY }: { memory?: number } = {}) {
  const capacity = Math.ceil(memory / RECORD_BYTES);
  const buffer = block(capacity);
  const file = recordFile(path, capacity);
  const { texts, indexOf } = textList();
  /** The number of hits of each day. Heartbeats are no hits. */
  const hitsOn = new Map<number, number>();
  let buffered = 0;

  function flush(): void {
    file.write(buffer, buffered);
    buffered = 0;
  }

  return {
    add({ day, second, visitor, texts: words, engaged = -1 }: ParsedHit): void {
      if (buffered === capacity) flush();
      putRecord(buffer, buffered++, { day, second, visitor, engaged, words: words.map(indexOf) });
      if (engaged < 0) hitsOn.set(day, (hitsOn.get(day) ?? 0) + 1);
    },
    /** Lists days with their hits, the earliest first. A day with heartbeats only is left out, because its visits have no hits. */
    days(): { day: number; count: number }[] {
      flush();
      return [...hitsOn].sort(([one], [other]) => one - other).map(([day, count]) => ({ day, count }));
    },
    rows(day: number): ImportedRows {
      flush();
      const rows = emptyRows(file.count(day));
      for (const { records, count } of file.read(day)) {
        fillRows(rows, rows.count, records, count);
        rows.count += count;
      }
      return rows;
    },
    content(today: number, timeZone = UTC): ImportContent {
      return { today, timeZone, texts, days: this.days().map(({ day }) => day), readRows: (day) => this.rows(day) };
    },
    close: file.close,
  };
}
