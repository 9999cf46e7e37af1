// Writes the hits of a site as Parquet files, one file for each day: FOLDER/example.com/2026-01-05.parquet.
//
// Invariant: a file is written under a temporary name and then renamed. Each file that ends in `.parquet` is therefore
// complete.
//
// Example: the engine passes the hits of a day in tables (`DayTable`) of at most about 1,000,000 hits. A sealed day of
// 2,500,000 hits has three tables, and each becomes a row group in the file of the day. The command `daybook export`
// and the server's job (src/jobs/parquet.ts) call `writeDayFiles`.

import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DayTable } from '../../engine/day-table.ts';
import { DAY, formatDay } from '../../lib/time.ts';
import { makeParquet } from './file.ts';
import { LEAVES, writeChunks } from './table.ts';

const COMPLETE = '.parquet';

/**
 * Names the unfinished file of a day. Each program passes its own `writer`, so that two programs never write to the
 * same file.
 */
export const nameUnfinished = (date: string, writer: string): string => `${date}${COMPLETE}.${writer}.tmp`;

type Target = {
  folder: string;
  domain: string;
  /** The name of the server or command that writes. The names of unfinished files contain it. */
  writer: string;
  /** Returns metadata for the file of a day, as names with texts. */
  describe?(day: number): Record<string, string>;
  /** True if a file must survive a power cut. Waiting for the disk then takes about as long as writing the file. */
  isSynced?: boolean;
};

export type WrittenDay = { day: number; hits: number };

/** Yields each day after its file is complete. */
export async function* writeDayFiles(tables: AsyncIterable<DayTable>, target: Target): AsyncGenerator<WrittenDay> {
  let file: ReturnType<typeof openDay> | undefined;
  try {
    for await (const table of tables) {
      // A large day has several tables. So its file is finished only when a table of another day comes.
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
  // A file with this name may exist: an unfinished one with other permissions, or a link to a file elsewhere. So it is
  // removed first.
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
  /**
   * Runs a step of writing. If the step fails, for example because the disk is full, the unfinished file is removed.
   */
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

/**
 * Yields the Parquet file of a day as bytes, for a zip. The bytes equal the file that `writeDayFiles` writes without
 * `describe`.
 */
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
