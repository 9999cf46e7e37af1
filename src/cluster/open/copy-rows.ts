// The primary keeps copies of some open days in a local file (followed-days.ts). This file reads the rows that a copy
// lacks from the ClickHouse servers, and stores them.
//
// Invariant: after copying, the copy of a day has exactly the rows that the servers have below the row number `taken`.
// Before new rows are copied, the rows that were copied before are counted on the servers. If the servers now have more
// or fewer of them, the copies of the site are deleted (`forget`). Then the day is copied anew.
//
// Example: `taken` is 900 and 3,000,000 rows were copied. All senders have sent their rows below number 950. The
// servers count 3,000,000 rows below 900, and 20 rows from 900 to 949. These 20 rows are copied, and `taken` becomes
// 950.
//
// The rows are read from one server of each shard, which has all rows below 950. If that server stops responding,
// another replica answers. If that replica lacks rows, the copied rows are fewer than the counted ones, and the day is
// copied anew. day-copies.ts calls `buildCopy`.
import { setTimeout as pause } from 'node:timers/promises';
import { takeTurns } from '../../catalog/one-at-a-time.ts';
import type { OpenDays } from '../../engine/open-days.ts';
import { keepHeapSmall } from '../../lib/garbage.ts';
import { type Clock, DAY } from '../../lib/time.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { findTime } from '../servers/row-numbers.ts';
import type { ClaimBounds, CopiedRow } from './bound-claims.ts';
import { countRows, readAll, readSince } from './read-rows.ts';

/**
 * `count` rows were copied: all rows with numbers below `taken`. `isReady` is false while the rows are copied for the
 * first time. `isGone` is set when the copy is about to be deleted.
 */
export type CopiedDay = {
  siteId: number;
  day: number;
  count: number;
  taken: number;
  /** When `taken` last grew, in milliseconds of `clock.tick()`. */
  takenAt: number;
  /**
   * At the last copying, the servers had this many rows that were too new to be copied. The numbers of these rows are
   * `taken` or higher. Infinity if the last copying failed.
   */
  later: number;
  isReady: boolean;
  /** True once the day has more than `MOST_ROWS` rows. Such a day is never copied. */
  isTooLarge: boolean;
  isGone: boolean;
  claims: ClaimBounds;
};

export type Copying = {
  nodes: Nodes;
  clock: Clock;
  /** Gives a row number, the horizon. All senders have sent the rows with lower numbers to these servers. */
  findHorizon(servers: readonly (Node | undefined)[]): number;
  /** Opens the local file. Undefined if the file has failed. */
  openFile(): OpenDays | undefined;
  forget(siteId: number): Promise<void>;
  /** Deletes the local file. */
  drop(reason: Error): Promise<void>;
};

/**
 * A day with more rows than this is never copied. Queries read the copy with the code of the ledger, which was measured
 * with days of up to 10 million rows.
 */
const MOST_ROWS = 10_000_000;
/** Days with more new rows than this are copied one after another. After the copying, the copy is compacted. */
const MANY_ROWS = 20_000;
const FULL = 'the disk is nearly full';
export const REPLACED = 'another program deleted or replaced the file';
/** How many rows one transaction stores at most. During a transaction, the primary accepts no hits. */
const ROWS_PER_WRITE = 1_000;
/**
 * How long a transaction may take, in milliseconds. Rows with 20 properties take 20 times as long as other rows. If the
 * rows take longer, a transaction stores fewer of them (test/cluster/open/copy-rows.test.ts).
 */
const WRITE_MS = 10;
const FEWEST_ROWS_PER_WRITE = 20;
/** The longest pause between two transactions. In this time, the primary stores the hits that wait. */
const LONGEST_PAUSE_MS = 10;

/** Reads the next portion of rows while the caller stores the current portion. */
async function* readAhead<Portion>(portions: AsyncIterable<Portion>): AsyncGenerator<Portion> {
  const source = portions[Symbol.asyncIterator]();
  let next = source.next();
  for (let portion = await next; !portion.done; portion = await next) {
    next = source.next();
    // If this portion cannot be stored, nobody waits for the next portion. An error of the next portion must not end
    // the process.
    next.catch(() => {});
    yield portion.value;
  }
}

/**
 * The times of each visitor's rows stay in memory, because they limit later heartbeats (bound-claims.ts). After each
 * portion of rows, this function gives a time, in seconds of the day. Later portions may have more rows of this
 * portion's visitors. These rows are not from before the given time, except rows that arrived late. So times from long
 * before the given time are forgotten.
 */
type FindEnd = (rows: readonly CopiedRow[]) => number;

/**
 * Finds the time before which later portions have no rows of this portion's visitors (`FindEnd`). `readSince` reads
 * rows in the order of their numbers. So the rows of the next portion are usually later than the last row of this
 * portion. This function gives the time of that last row, but at most `last`. Rows are copied up to the time `last`.
 */
const findEndOfRows =
  (last: number): FindEnd =>
  (rows) =>
    Math.min(last, rows.at(-1)?.second ?? last);

/**
 * Finds the time before which later portions have no rows of this portion's visitors (`FindEnd`). A portion of
 * `readAll` has all rows of several visitors, or some rows of one visitor. Rows are copied up to the time `last`. If a
 * portion has all rows of its visitors, their next rows come after `last`. So this function gives `last`. If the times
 * of all visitors stayed in memory, they would fill it.
 */
const findEndOfVisitors =
  (last: number): FindEnd =>
  (rows) =>
    rows[0]?.visitor === rows.at(-1)?.visitor ? findEndOfRows(last)(rows) : last;

export function buildCopy({ nodes, clock, findHorizon, openFile, forget, drop }: Copying) {
  const copying = takeTurns();
  let rowsPerWrite = ROWS_PER_WRITE;

  /** Stores rows in short transactions. Between two transactions, the primary accepts hits. */
  async function store(file: OpenDays, one: CopiedDay, rows: readonly CopiedRow[]): Promise<void> {
    for (let from = 0; from < rows.length && !one.isGone; ) {
      const start = clock.tick();
      const some = rows.slice(from, from + rowsPerWrite);
      file.append(some.map(one.claims.makeActivity));
      const took = clock.tick() - start;
      from += some.length;
      one.count += some.length;
      const fitting = Math.floor((some.length * WRITE_MS) / Math.max(took, 1));
      rowsPerWrite = Math.min(ROWS_PER_WRITE, Math.max(FEWEST_ROWS_PER_WRITE, fitting));
      if (from < rows.length || rows.length > ROWS_PER_WRITE) await pause(Math.min(took, LONGEST_PAUSE_MS));
    }
  }

  async function storeAll(file: OpenDays, one: CopiedDay, portions: AsyncIterable<CopiedRow[]>, findEnd: FindEnd) {
    for await (const rows of readAhead(portions)) {
      if (one.isGone) return;
      await store(file, one, rows);
      one.claims.forgetBefore(findEnd(rows));
    }
  }

  return async function copy(one: CopiedDay): Promise<void> {
    if (one.isGone) return;
    const { siteId, day, taken: from } = one;
    const servers = nodes.listFirst();
    const [file, until] = [openFile(), Math.max(findHorizon(servers), from)];
    if (!file) return;
    if (!file.isThere()) return await drop(new Error(REPLACED));
    const span = { siteId, day, from, until };
    const { known, fresh, later } = await countRows(nodes, span);
    // The servers in `servers` have all rows below `until`. A server that answered instead of one of them may lack some
    // of these rows. The next attempt computes `until` for that server.
    if (one.isGone || nodes.listFirst().some((server, shard) => server !== servers[shard])) {
      one.later = Number.POSITIVE_INFINITY;
      return;
    }
    const isTooLarge = known + fresh > MOST_ROWS;
    if (known !== one.count || (isTooLarge && one.isReady)) return void forget(siteId);
    one.isTooLarge = isTooLarge;
    if (isTooLarge) return;
    if (fresh > 0 && !file.hasRoomFor(fresh)) return await drop(new Error(FULL));
    const last = findTime(until) - day * DAY;
    if (fresh > MANY_ROWS)
      await copying.inTurn(async () => {
        if (one.isGone) return;
        // Other days were copied while this day waited, and the disk may be nearly full now.
        if (!file.hasRoomFor(fresh)) return await drop(new Error(FULL));
        await keepHeapSmall(() =>
          from === 0
            ? storeAll(file, one, readAll(nodes, span), findEndOfVisitors(last))
            : storeAll(file, one, readSince(nodes, span), findEndOfRows(last)),
        );
        if (!one.isGone) await file.compact();
      });
    else if (fresh > 0) await storeAll(file, one, readSince(nodes, span), findEndOfRows(last));
    if (one.isGone) return;
    // Another server may have answered during the copying, and may lack some rows. Then the day is copied anew.
    if (one.count !== known + fresh) return void forget(siteId);
    if (until > from) one.takenAt = clock.tick();
    Object.assign(one, { taken: until, later, isReady: true });
  };
}
