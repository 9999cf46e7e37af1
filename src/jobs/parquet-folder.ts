// Keeps a folder of Parquet files in step with the sealed days of all sites: FOLDER/example.com/2026-01-05.parquet.
//
// Invariant: after a run without a fault, each sealed day with hits has a file. The file has the day's present hits,
// and says which of them are excluded. Files of reopened days stay as they are. All other files that this server wrote
// are deleted. Files of other servers and of people are never deleted, but a file with the name of a sealed day is
// replaced.
//
// The metadata of a file contains the state of its day: a hash that changes with the day's hits and exclusions. If the
// hash in the file is not the day's present hash, the file is written again. If the exclusions of the site change while
// a file is written, the file gets a hash that no day has.
//
// Example: an import replaces 5 January. The sealed day gets a new id, and therefore a new hash. So its file is written
// again. src/worker.ts runs `mirrorDays` in a thread, and parquet.ts starts it. Test: test/jobs/parquet.test.ts.

import { createHash } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { listReopenedDays } from '../catalog/day-states.ts';
import { isAbout } from '../catalog/exclusion-days.ts';
import { listFinalDays } from '../catalog/sealed-days.ts';
import type { Queries } from '../engine/engine.ts';
import { nameUnfinished, type WrittenDay, writeDayFiles } from '../exchange/parquet/day-files.ts';
import { DAY, formatDay } from '../lib/time.ts';
import type { Range } from '../stats/query.ts';
import type { Db } from '../store/db.ts';
import { findLastExclusionChange, listExclusions } from '../store/sites/exclusions.ts';
import { listSiteDomains } from '../store/sites/sites.ts';

/** `server` is the random name of the server. Each file of the server contains this name. */
export type MirrorOrder = { folder: string; server: string };

/** `files` counts the files that are up to date. `fault` is the reason why other files are not. */
export type MirrorReport = { files: number; written: number; removed: number; fault?: string };

type ReadTables = Queries['readTables'];

/**
 * The version of the columns. After a change of the columns, a higher number makes the server write all files again.
 */
const VERSION = 1;

const FILE = /^\d{4}-\d\d-\d\d\.parquet$/;
const NOTE = 'daybook';
/** The text in the metadata of a file: the name of the server, and the day's state, a hash. */
const MARK = /daybook ([\da-f]{8}) ([\da-f]{32})/;

/** The hash in a file that was written while the exclusions of its site changed. The next run writes it again. */
const UNSURE = '0'.repeat(32);

/**
 * The files that a site should have. `states` has a hash for each sealed day. If the hits or exclusions of the day
 * change, its hash changes too. `open` has the dates of reopened days, whose files stay as they are.
 * `lastChange` is the latest change of the exclusions (`findLastExclusionChange`).
 */
type Wanted = { siteId: number; states: Map<number, string>; open: ReadonlySet<string>; lastChange: number };

export async function mirrorDays(db: Db, order: MirrorOrder, readTables: ReadTables): Promise<MirrorReport> {
  const { folder } = order;
  const report: MirrorReport = { files: 0, written: 0, removed: 0 };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const wanted = listWanted(db);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) report.removed += removeOthers(join(folder, entry.name), wanted.get(entry.name), order);
  for (const [domain, site] of wanted) {
    const lacking = listLacking(join(folder, domain), site);
    report.files += site.states.size - lacking.length;
    const isSure = () => findLastExclusionChange(db, site.siteId) === site.lastChange;
    const describe = (day: number) => ({
      [NOTE]: `daybook ${order.server} ${isSure() ? site.states.get(day) : UNSURE}`,
    });
    const write = (range: Range) =>
      writeDayFiles(readTables(site.siteId, range), { folder, domain, writer: order.server, describe, isSynced: true });
    for (const range of joinDays(lacking)) {
      const { written, fault } = await writeRange(write, range);
      report.written += written;
      // Only the first fault is reported, and the other days and sites are still written.
      if (fault !== undefined) report.fault ??= `${domain}: ${fault}`;
    }
  }
  report.files += report.written;
  return report;
}

type Write = (range: Range) => AsyncIterable<WrittenDay>;

/** Writes a range of days. If a day cannot be written, the days after it are written all the same. */
async function writeRange(write: Write, { from, to }: Range): Promise<{ written: number; fault?: string }> {
  let [written, next] = [0, from];
  try {
    for await (const { day } of write({ from, to })) {
      written++;
      next = day + 1;
    }
    return { written };
  } catch (error) {
    const fault = (error as Error).message;
    if (to - next <= 1) return { written, fault };
    const first = await writeRange(write, { from: next, to: next + 1 });
    const rest = await writeRange(write, { from: next + 1, to });
    return { written: written + first.written + rest.written, fault: first.fault ?? rest.fault ?? fault };
  }
}

function listWanted(db: Db): Map<string, Wanted> {
  return db.read(() => {
    const sites = listSiteDomains(db).map(({ id, domain }): [string, Wanted] => {
      const exclusions = listExclusions(db, id);
      const states = listFinalDays(db, id).map(({ day, ids, at }): [number, string] => {
        const own = exclusions.filter((one) => isAbout(one, day)).map((one) => [one.id, one.filters]);
        // After a restore of a backup, a day may be sealed again with the same id and with other hits. So the time
        // tells the two days apart.
        const text = JSON.stringify([VERSION, domain, ids, at, own]);
        return [day, createHash('sha256').update(text).digest('hex').slice(0, 32)];
      });
      const open = new Set(listReopenedDays(db, id).map((day) => formatDay(day * DAY)));
      return [domain, { siteId: id, states: new Map(states), open, lastChange: findLastExclusionChange(db, id) }];
    });
    return new Map(sites);
  });
}

/**
 * Removes files of this server from the folder of a domain. These are unfinished files, and files of days that now have
 * no hits. If no site has the domain now, all files of this server are removed. If the folder is empty then, the folder
 * is removed too.
 */
function removeOthers(folder: string, wanted: Wanted | undefined, { server }: MirrorOrder): number {
  const days = new Set([...(wanted?.states.keys() ?? [])].map((day) => formatDay(day * DAY)));
  let [removed, unfinished] = [0, 0];
  for (const name of listFiles(folder)) {
    const date = name.slice(0, 10);
    const isOver = FILE.test(name) && !days.has(date) && !wanted?.open.has(date);
    if (isOver && readMark(join(folder, name))?.server === server) {
      rmSync(join(folder, name));
      removed++;
    }
    // Unfinished files are removed even if their site has been deleted since.
    if (name === nameUnfinished(date, server)) {
      rmSync(join(folder, name));
      unfinished++;
    }
  }
  if (removed + unfinished > 0 && readdirSync(folder).length === 0) rmdirSync(folder);
  return removed;
}

/** Lists the files in a folder. A folder that this server cannot read, such as `lost+found`, counts as empty. */
function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [] : [entry.name]));
  } catch {
    return [];
  }
}

const listLacking = (folder: string, { states }: Wanted): number[] =>
  [...states].flatMap(([day, state]) =>
    readMark(join(folder, `${formatDay(day * DAY)}.parquet`))?.state === state ? [] : [day],
  );

/** Joins neighbouring days to ranges. A range is read in one go, which is faster. */
function joinDays(days: readonly number[]): Range[] {
  const ranges: { from: number; to: number }[] = [];
  for (const day of days.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last?.to === day) last.to = day + 1;
    else ranges.push({ from: day, to: day + 1 });
  }
  return ranges;
}

/** A Parquet file ends with these bytes: the length of the footer in four bytes, and the word PAR1. */
const END = 8;
const WORD = 'PAR1';

/**
 * Reads which server wrote a Parquet file, and the hash of its day's hits and exclusions (`state`). Returns undefined
 * for any file that no server of daybook wrote, and for a folder.
 */
function readMark(path: string): { server: string; state: string } | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(file);
    const end = readAt(file, size - END, END);
    if (end.subarray(4).toString('latin1') !== WORD) return undefined;
    const length = end.readUInt32LE(0);
    if (length > size - END) return undefined;
    const [, server = '', state = ''] = MARK.exec(readAt(file, size - END - length, length).toString('latin1')) ?? [];
    return server === '' ? undefined : { server, state };
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (at >= 0) readSync(file, bytes, 0, length, at);
  return bytes;
}
