// Keeps hits as records of fixed size in a temporary file. The hits can be read day by day.
//
// Each call of `write` sorts its records by day. The records of a day are therefore in a few runs. A run is several
// records of one day, one after the other in the file.
//
// Example: 30 million hits, with 500,000 in each call, make at most 60 runs for a day. Records of one day keep their
// order. spool.ts writes and reads the file.

import { hiddenFile } from './hidden-file.ts';
import { type Block, block, copyRecord, dayAt, RECORD_BYTES } from './records.ts';

const BATCH = 8_192;

/** Neighbouring records of one day in the temporary file. `from` is the index of the first record. */
type Run = { from: number; count: number };

/**
 * Makes a temporary file of records. A record is a hit in fixed size. A call of `write` passes at most `capacity`
 * records.
 */
export function recordFile(path: string, capacity: number) {
  const batch = Math.min(capacity, BATCH);
  const buffer = block(batch);
  const runs = new Map<number, Run[]>();
  let file: ReturnType<typeof hiddenFile> | undefined;
  let written = 0;

  return {
    write(unsorted: Block, count: number): void {
      if (count === 0) return;
      file ??= hiddenFile(path);
      const order: number[] = [];
      for (const { day, indexes } of sortByDay(unsorted, count)) {
        runs.set(day, [...(runs.get(day) ?? []), { from: written + order.length, count: indexes.length }]);
        for (const index of indexes) order.push(index);
      }
      for (let start = 0; start < count; start += batch) {
        const records = Math.min(batch, count - start);
        for (let i = 0; i < records; i++) copyRecord(unsorted, order[start + i] as number, buffer, i);
        file.write(buffer.bytes, records * RECORD_BYTES, written * RECORD_BYTES);
        written += records;
      }
    },
    count: (day: number): number => (runs.get(day) ?? []).reduce((sum, { count }) => sum + count, 0),
    /**
     * Reads the records of a day in batches. All batches share one buffer, so the caller must use a batch before asking
     * for the next one.
     */
    *read(day: number): Generator<{ records: Block; count: number }> {
      for (const { from, count } of runs.get(day) ?? []) {
        for (let done = 0; done < count; done += batch) {
          const records = Math.min(batch, count - done);
          file?.read(buffer.bytes, records * RECORD_BYTES, (from + done) * RECORD_BYTES);
          yield { records: buffer, count: records };
        }
      }
    },
    close(): void {
      file?.close();
      file = undefined;
    },
  };
}

/** Groups the records by day. Records of one day keep their order. */
function sortByDay(records: Block, count: number): { day: number; indexes: number[] }[] {
  const days = new Map<number, number[]>();
  for (let i = 0; i < count; i++) {
    const day = dayAt(records, i);
    const indexes = days.get(day);
    if (indexes) indexes.push(i);
    else days.set(day, [i]);
  }
  return [...days].sort(([one], [other]) => one - other).map(([day, indexes]) => ({ day, indexes }));
}
