// Sorts the hits of an import by day. Hits wait in a buffer of 32 MB. A full buffer is written to a temporary file.
//
// Hits of one day keep their order. Each text is in memory once, and a hit has only the numbers of its texts.
// ../import.ts fills the spool, and the engine reads the spool day by day.

import { dirname } from 'node:path';
import { emptyRows, type ImportContent, type ImportedRows, packScroll } from '../../engine/import-content.ts';
import { freeBytes, MIN_FREE_BYTES } from '../../lib/disk.ts';
import { Refusal } from '../../lib/errors.ts';
import { UTC } from '../../lib/zone.ts';
import { PROPERTIES, TEXT_FIELDS } from '../../stats/dimensions.ts';
import type { ParsedHit } from './file-hits.ts';
import { recordFile } from './record-file.ts';
import { block, fillRows, putRecord, RECORD_BYTES } from './records.ts';
import { textList } from './text-list.ts';

export type Spool = ReturnType<typeof spool>;

const MEMORY = 32 * 1024 * 1024;
const PROPERTY_WORD = TEXT_FIELDS.indexOf(PROPERTIES);

/**
 * Throws before the disk is full. A small compressed file may have more hits than fit on the disk. The server needs
 * some room for live hits.
 */
function assertRoom(path: string): void {
  if (freeBytes(dirname(path)) < MIN_FREE_BYTES + MEMORY)
    throw new Refusal(`${path}: ENOSPC: the disk is nearly full. Nothing was imported`);
}

export function spool(path: string, { memory = MEMORY }: { memory?: number } = {}) {
  const capacity = Math.ceil(memory / RECORD_BYTES);
  const buffer = block(capacity);
  const file = recordFile(path, capacity);
  const { texts, indexOf } = textList();
  const properties = textList();
  /** For each day, the number of its hits. Heartbeats are not hits, so they do not count here. */
  const hitsOn = new Map<number, number>();
  let buffered = 0;

  function flush(): void {
    if (buffered > 0) assertRoom(path);
    file.write(buffer, buffered);
    buffered = 0;
  }

  return {
    add({ day, second, visitor, texts: words, engaged = -1, scroll, vitals = 0 }: ParsedHit): void {
      if (buffered === capacity) flush();
      putRecord(buffer, buffered++, {
        ...{ day, second, visitor, engaged, vitals },
        scroll: packScroll(scroll),
        words: words.map((text, i) => (i === PROPERTY_WORD ? properties.indexOf(text) : indexOf(text))),
      });
      if (engaged < 0) hitsOn.set(day, (hitsOn.get(day) ?? 0) + 1);
    },
    /**
     * Lists the days with hits, earliest first. A day with only heartbeats is not listed, because heartbeats alone make
     * no visit.
     */
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
      return {
        today,
        timeZone,
        texts,
        properties: properties.texts,
        days: this.days().map(({ day }) => day),
        readRows: (day) => this.rows(day),
      };
    },
    close: file.close,
  };
}
