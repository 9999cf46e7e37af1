import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { type Content, emptyRows, type Rows } from '../engine.ts';
import { Refusal } from '../lib/errors.ts';
import { WORDS } from '../stats/dimensions.ts';
import type { ReadHit } from './file-hits.ts';

export type Spool = ReturnType<typeof spool>;

/** A record holds its visitor in 8 bytes, then day, second, words and engaged, in this order, in 4 each. */
const DAY = 2;
const SECOND = 3;
const FIRST_WORD = SECOND + 1;
const ENGAGED = FIRST_WORD + WORDS.length;
const DOUBLES = Math.ceil((ENGAGED + 1) / 2);
const INTS = DOUBLES * 2;
const RECORD = DOUBLES * 8;

const MEMORY = 32 * 1024 * 1024;
/** So many go to the file and come from it at once. */
const AT_ONCE = 8_192;

/** Hits of one day that stand together in the file: the place of the first, and how many. */
type Part = { from: number; count: number };

/** Room for so many hits. */
function block(records: number) {
  const bytes = new Uint8Array(records * RECORD);
  return { bytes, ints: new Int32Array(bytes.buffer), doubles: new Float64Array(bytes.buffer) };
}

/** A file that only its owner can open, and on most systems not even they, because its name is gone at once. */
function hiddenFile(path: string) {
  function explained<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new Refusal(`${path}: ${(error as Error).message}`);
    }
  }

  // Fails where something is already, so that a link cannot lead elsewhere.
  const file = explained(() => openSync(path, 'wx+', 0o600));
  let isNamed = true;
  const forget = (): void => {
    if (isNamed) rmSync(path);
    isNamed = false;
  };
  try {
    forget();
  } catch {
    // This system does not let go of the name of an open file.
  }

  /** One call may move less than it was asked to. */
  function whole(length: number, move: (done: number) => number): void {
    for (let done = 0, moved = 0; done < length; done += moved) {
      moved = explained(() => move(done));
      if (moved === 0) throw new Refusal(`${path}: it is cut off`);
    }
  }

  return {
    write: (bytes: Uint8Array, length: number, at: number): void =>
      whole(length, (done) => writeSync(file, bytes, done, length - done, at + done)),
    read: (bytes: Uint8Array, length: number, at: number): void =>
      whole(length, (done) => readSync(file, bytes, done, length - done, at + done)),
    close(): void {
      closeSync(file);
      forget();
    },
  };
}

/**
 * Takes hits in any order and gives them back a day at a time, in the order in which they came. Few are kept in memory: when
 * it is full, and when somebody asks, they go to a file, sorted by day. Their texts stay in memory, each once.
 */
export function spool(path: string, { memory = MEMORY }: { memory?: number } = {}) {
  const room = Math.ceil(memory / RECORD);
  const held = block(room);
  const shuttle = block(Math.min(room, AT_ONCE));
  const step = shuttle.bytes.length / RECORD;
  const parts = new Map<number, Part[]>();
  const hitsOn = new Map<number, number>();
  const numbers = new Map<string, number>();
  const texts = [''];
  let file: ReturnType<typeof hiddenFile> | undefined;
  let waiting = 0;
  let written = 0;

  function numberOf(text: string): number {
    if (text === '') return 0;
    const known = numbers.get(text);
    if (known !== undefined) return known;
    // A copy, because a part of a longer text keeps all of that in memory.
    const own = Buffer.from(text).toString();
    numbers.set(own, texts.length);
    return texts.push(own) - 1;
  }

  const dayAt = (record: number): number => held.ints[record * INTS + DAY] as number;

  /** The places of what is held, sorted by day; notes where in the file that will be. */
  function sorted(): Uint32Array {
    const counts = new Map<number, number>();
    for (let i = 0; i < waiting; i++) counts.set(dayAt(i), (counts.get(dayAt(i)) ?? 0) + 1);
    const next = new Map<number, number>();
    let from = 0;
    for (const [day, count] of [...counts].sort(([one], [other]) => one - other)) {
      const part = { from: written + from, count };
      const before = parts.get(day);
      if (before) before.push(part);
      else parts.set(day, [part]);
      next.set(day, from);
      from += count;
    }
    const order = new Uint32Array(waiting);
    for (let i = 0; i < waiting; i++) {
      const place = next.get(dayAt(i)) as number;
      order[place] = i;
      next.set(dayAt(i), place + 1);
    }
    return order;
  }

  function spill(): void {
    if (waiting === 0) return;
    file ??= hiddenFile(path);
    const order = sorted();
    for (let start = 0; start < waiting; start += step) {
      const records = Math.min(step, waiting - start);
      for (let i = 0; i < records; i++) {
        const from = (order[start + i] as number) * INTS;
        for (let n = 0; n < INTS; n++) shuttle.ints[i * INTS + n] = held.ints[from + n] as number;
      }
      file.write(shuttle.bytes, records * RECORD, written * RECORD);
      written += records;
    }
    waiting = 0;
  }

  /** Puts the first records of the shuttle into rows. */
  function fill(rows: Rows, row: number, records: number): void {
    const { ints, doubles } = shuttle;
    const columns = [rows.second, ...WORDS.map((word) => rows.words[word]), rows.engaged];
    for (let i = 0; i < records; i++) rows.visitor[row + i] = doubles[i * DOUBLES] as number;
    for (const [c, column] of columns.entries()) {
      for (let i = 0; i < records; i++) column[row + i] = ints[i * INTS + SECOND + c] as number;
    }
  }

  const countOf = (day: number): number => (parts.get(day) ?? []).reduce((sum, { count }) => sum + count, 0);

  return {
    add({ day, second, visitor, texts: words, engaged = -1 }: ReadHit): void {
      if (waiting === room) spill();
      const ints = waiting * INTS;
      held.doubles[waiting * DOUBLES] = visitor;
      held.ints[ints + DAY] = day;
      held.ints[ints + SECOND] = second;
      for (let w = 0; w < WORDS.length; w++) held.ints[ints + FIRST_WORD + w] = numberOf(words[w] as string);
      held.ints[ints + ENGAGED] = engaged;
      if (engaged < 0) hitsOn.set(day, (hitsOn.get(day) ?? 0) + 1);
      waiting++;
    },
    /** The days that have hits, the earliest first; where there are only messages nobody was. */
    days(): { day: number; count: number }[] {
      spill();
      return [...hitsOn].sort(([one], [other]) => one - other).map(([day, count]) => ({ day, count }));
    },
    rows(day: number): Rows {
      spill();
      const rows = emptyRows(countOf(day));
      rows.count = countOf(day);
      let row = 0;
      for (const { from, count } of parts.get(day) ?? []) {
        for (let done = 0; done < count; done += step) {
          const records = Math.min(step, count - done);
          file?.read(shuttle.bytes, records * RECORD, (from + done) * RECORD);
          fill(rows, row, records);
          row += records;
        }
      }
      return rows;
    },
    /** All of it, as an engine takes it. */
    content(today: number): Content {
      return { today, texts, days: this.days().map(({ day }) => day), rowsOf: (day) => this.rows(day) };
    },
    close(): void {
      file?.close();
      file = undefined;
    },
  };
}
