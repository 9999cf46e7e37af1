import { emptyRows, type ImportContent, type Rows } from '../../engine/import-content.ts';
import { UTC } from '../../lib/zone.ts';
import type { ParsedHit } from './file-hits.ts';
import { recordFile } from './record-file.ts';
import { block, fillRows, putRecord, RECORD_BYTES } from './records.ts';
import { textList } from './text-list.ts';

export type Spool = ReturnType<typeof spool>;

const MEMORY = 32 * 1024 * 1024;

/**
 * Sorts the hits of an import by day; hits of one day stay in their order. They are buffered in memory and written to a
 * temporary file when the buffer is full or the hits are read. Their texts stay in memory, each once.
 */
export function spool(path: string, { memory = MEMORY }: { memory?: number } = {}) {
  const capacity = Math.ceil(memory / RECORD_BYTES);
  const buffer = block(capacity);
  const file = recordFile(path, capacity);
  const { texts, indexOf } = textList();
  /** The number of hits by day, without engagement. */
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
    /** The earliest first. A day with engagement only is left out: engagement belongs to a visit, and a visit has hits. */
    days(): { day: number; count: number }[] {
      flush();
      return [...hitsOn].sort(([one], [other]) => one - other).map(([day, count]) => ({ day, count }));
    },
    rows(day: number): Rows {
      flush();
      const rows = emptyRows(file.count(day));
      for (const { records, count } of file.read(day)) {
        fillRows(rows, rows.count, records, count);
        rows.count += count;
      }
      return rows;
    },
    content(today: number, timeZone = UTC): ImportContent {
      return { today, timeZone, texts, days: this.days().map(({ day }) => day), rowsOf: (day) => this.rows(day) };
    },
    close: file.close,
  };
}
