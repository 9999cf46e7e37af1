import { hiddenFile } from './hidden-file.ts';
import { type Block, block, copyRecord, dayAt, RECORD_BYTES } from './records.ts';

/** So many records go to the file and come from it at once. */
const AT_ONCE = 8_192;

/** Records of one day that stand together in the file: the place of the first, and how many. */
type Part = { from: number; count: number };

/** The places of records by day, the earliest day first, and within a day in their order. */
function sortedByDay(held: Block, count: number): { day: number; places: number[] }[] {
  const days = new Map<number, number[]>();
  for (let i = 0; i < count; i++) {
    const day = dayAt(held, i);
    const places = days.get(day);
    if (places) places.push(i);
    else days.set(day, [i]);
  }
  return [...days].sort(([one], [other]) => one - other).map(([day, places]) => ({ day, places }));
}

/** Records on the disk, from which those of a day are read without the others. */
export function recordFile(path: string, room: number) {
  const step = Math.min(room, AT_ONCE);
  const shuttle = block(step);
  const parts = new Map<number, Part[]>();
  let file: ReturnType<typeof hiddenFile> | undefined;
  let written = 0;

  return {
    /** Writes the first records of a block. */
    write(held: Block, count: number): void {
      if (count === 0) return;
      file ??= hiddenFile(path);
      const order: number[] = [];
      for (const { day, places } of sortedByDay(held, count)) {
        parts.set(day, [...(parts.get(day) ?? []), { from: written + order.length, count: places.length }]);
        for (const place of places) order.push(place);
      }
      for (let start = 0; start < count; start += step) {
        const records = Math.min(step, count - start);
        for (let i = 0; i < records; i++) copyRecord(held, order[start + i] as number, shuttle, i);
        file.write(shuttle.bytes, records * RECORD_BYTES, written * RECORD_BYTES);
        written += records;
      }
    },
    count: (day: number): number => (parts.get(day) ?? []).reduce((sum, { count }) => sum + count, 0),
    /** The records of a day in blocks, whose memory is used again for the next. */
    *read(day: number): Generator<{ records: Block; count: number }> {
      for (const { from, count } of parts.get(day) ?? []) {
        for (let done = 0; done < count; done += step) {
          const records = Math.min(step, count - done);
          file?.read(shuttle.bytes, records * RECORD_BYTES, (from + done) * RECORD_BYTES);
          yield { records: shuttle, count: records };
        }
      }
    },
    close(): void {
      file?.close();
      file = undefined;
    },
  };
}
