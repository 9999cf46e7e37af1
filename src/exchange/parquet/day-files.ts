// Writes the hits of a site as Parquet files, one for each day: FOLDER/example.com/2026-01-05.parquet.
//
// Invariant: a file is written under another name and then renamed. So each file that ends in `.parquet` is complete.
//
// Example: a day of 2,500,000 hits has three tables. Each becomes a group of rows in the file of the day. The command
// `daybook export` and the server's job (src/jobs/parquet.ts) call `writeDayFiles`.

import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DayTable } from '../../engine/day-table.ts';
import { DAY, formatDay } from '../../lib/time.ts';
import { makeParquet } from './file.ts';
import { LEAVES, writeChunks } from './table.ts';

const COMPLETE = '.parquet';

/** Names the unfinished file of a day. Two programs with names of their own do not disturb each other. */
export const nameUnfinished = (date: string, writer: string): string => `${date}${COMPLETE}.${writer}.tmp`;

type Target = {
  folder: string;
  domain: string;
  /** The server that writes, or a name for a command. It is in the names of unfinished files. */
  writer: string;
  /** Makes texts for the metadata of a day's file. */
  describe?(day: number): Record<string, string>;
  /** True if a file must survive a power cut. Waiting for the disk takes about as long as writing the file. */
  isSynced?: boolean;
};

export type WrittenDay = { day: number; hits: number };

/** Yields each day after its file is complete. */
export async function* writeDayFiles(tables: AsyncIterable<DayTable>, target: Target): AsyncGenerator<WrittenDay> {
  let file: ReturnType<typeof openDay> | undefined;
  try {
    for await (const table of tables) {
      // A large day has several tables.
      if (file && file.day !== table.day) {
        const done = file;
        file = undefined;
        yield done.finish();
      }
      file ??= openDay(target, table.day);
      file.add(table);
    }
    const done = file;
    file = undefined;
    if (done) yield done.finish();
  } finally {
    file?.abandon();
  }
}

function openDay({ folder, domain, writer, describe, isSynced }: Target, day: number) {
  mkdirSync(join(folder, domain), { recursive: true, mode: 0o700 });
  const date = formatDay(day * DAY);
  const unfinished = join(folder, domain, nameUnfinished(date, writer));
  // A file of an earlier run may have other permissions, or be a link to a file elsewhere.
  rmSync(unfinished, { force: true });
  const file = openSync(unfinished, 'wx', 0o600);
  let hits = 0;
  let isOpen = true;
  function close(): void {
    if (isOpen) closeSync(file);
    isOpen = false;
  }
  function abandon(): void {
    close();
    rmSync(unfinished, { force: true });
  }
  /** Does a step of writing. If the disk is full, nothing of the file is left. */
  function attempt<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      abandon();
      throw error;
    }
  }
  const parquet = attempt(() => makeParquet(LEAVES, (bytes) => writeAll(file, bytes)));
  return {
    day,
    add(table: DayTable): void {
      parquet.writeGroup(writeChunks(domain, table), table.hits);
      hits += table.hits;
    },
    finish: (): WrittenDay =>
      attempt(() => {
        parquet.finish(describe?.(day) ?? {});
        if (isSynced) fsyncSync(file);
        close();
        renameSync(unfinished, join(folder, domain, `${date}${COMPLETE}`));
        return { day, hits };
      }),
    abandon,
  };
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
}

/** Gives the bytes of the Parquet file of a day, for a zip. They are equal to the bytes of the file in a folder. */
export async function* streamDayFile(domain: string, tables: AsyncIterable<DayTable>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  const parquet = makeParquet(LEAVES, (bytes) => void waiting.push(bytes));
  function* take(): Generator<Uint8Array> {
    const bytes = Buffer.concat(waiting);
    waiting = [];
    yield bytes;
  }
  for await (const table of tables) {
    parquet.writeGroup(writeChunks(domain, table), table.hits);
    yield* take();
  }
  parquet.finish({});
  yield* take();
}
