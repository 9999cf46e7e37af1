// The outbox is an SQLite file with batches of hits that wait for the ClickHouse servers. A batch is divided into
// pieces. A piece is one row of the outbox, with lines of JSON for one table and one shard.
//
// Invariant: a batch is on disk before it is acknowledged. The row numbers of a process always grow, even if it
// restarts and its clock was set back.
//
// Example: a batch of 500 hits and 3 requests of crawlers for two shards becomes at most four pieces: `activity` and
// `crawled` for each shard. After a shard was added, the primary decides from which day on the new shard gets hits.
// Until then, a batch with hits of an undecided day waits in the outbox without being divided (hold.ts). intake.ts
// calls buildOutbox, and shipper.ts sends the pieces.
import type { CappedKind } from '../../catalog/text-caps.ts';
import { makeCommitQueue, type QueuedBatch, type Watchers } from '../../commit/group-commit.ts';
import { type Activity, type Drop, isHit } from '../../engine/activity.ts';
import type { Batch } from '../../engine/engine.ts';
import { packScroll } from '../../engine/import-content.ts';
import { cached } from '../../lib/cache.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { watchTrouble } from '../../lib/trouble.ts';
import { PROPERTIES, TEXT_FIELDS } from '../../stats/dimensions.ts';
import { capProperties } from '../../stats/properties.ts';
import type { Outbox } from '../../store/cluster/outbox.ts';
import { addPiece, HELD, hasHeld } from '../../store/cluster/outbox-pieces.ts';
import { findSender, setSequence } from '../../store/cluster/outbox-sender.ts';
import { CLAIMED, findLowestNumber, SENDERS } from '../servers/row-numbers.ts';
import { type FindShards, findShard } from '../servers/shards.ts';
import { buildTextCaps, type TextCaps } from './text-caps.ts';

/** The ClickHouse tables for new rows: hits and heartbeats, requests of crawlers, and counts of dropped hits. */
export const KINDS = ['activity', 'crawled', 'dropped'] as const;
export type PieceKind = (typeof KINDS)[number];

/**
 * A server has received all rows with a number below `next`. These rows include all rows from before the time `until`,
 * in seconds since 1970.
 */
export type Shipped = { next: number; until: number };

type Deps = Watchers & {
  clock: Clock;
  /** Gives a function that tells among how many shards the visitors of a day are divided. */
  readDivisions(): FindShards;
  /**
   * The number of this process: 0 for the primary, 1 to 62 for a collector. Row numbers contain the process number, so
   * the row numbers of two processes are never equal.
   */
  number: number;
  siteExists(siteId: number): boolean;
  /**
   * Runs inside the transaction that writes a batch of hits. A collector counts the hits here. So after a crash, the
   * counts match the stored hits.
   */
  within?: ((activities: readonly Activity[]) => void) | undefined;
  /** Runs after the batch is on disk. Counts the hits towards the monthly limit of the site's account. */
  counted(activities: readonly Activity[]): void;
};

export function buildOutbox({ db }: Outbox, deps: Deps) {
  const { clock, readDivisions, number, siteExists, within, counted } = deps;
  const caps = buildTextCaps(db);
  const notes = watchTrouble(deps.log, clock, 'hits not counted towards plans, in all');
  const { takeNumber, findNextNumber, findLast } = buildSequence(findSender(db).seq, number, clock);

  function write(batches: readonly QueuedBatch[], dropped: readonly Drop[]): void {
    const since = { at: seconds(clock), seq: findNextNumber() };
    const { add, all } = collectPieces();
    const exists = cached(siteExists);
    const isKnown = ({ siteId }: { siteId: number }) => exists(siteId);
    const activities = batches.flatMap(({ activities }) => activities).filter(isKnown);
    within?.(activities);
    const crawls = batches.flatMap((batch) => batch.crawls).filter(isKnown);
    const drops = [...batches.flatMap((batch) => batch.drops), ...dropped].filter(isKnown);
    const findShards = readDivisions();
    const isUndecided = ({ day }: { day: number }) => findShards(day) === 0;
    // While earlier pieces are held, later pieces are held too, so that no later row is sent before an earlier one.
    const isHeld = hasHeld(db) || [activities, crawls, drops].some((rows) => rows.some(isUndecided));
    const place = (code: number, day: number) => (isHeld ? HELD : findShard(code, findShards(day)));
    for (const activity of activities) {
      const { visitor, day } = activity;
      add('activity', place(visitor, day), writeActivityLine(caps, activity, takeNumber()));
    }
    // All crawls and drops of a batch share one row number. ClickHouse merges rows that differ only in their counts, so
    // fewer rows are stored.
    const seq = crawls.length + drops.length > 0 ? takeNumber() : 0;
    for (const { siteId, day, crawler, page, requests } of crawls) {
      const kept = caps.cap(siteId, day, 'crawled', page);
      add('crawled', place(siteId, day), writeLine({ site: siteId, day, crawler, page: kept, seq, requests }));
    }
    for (const { siteId, day, reason, block = 0, hits } of drops)
      add('dropped', place(siteId, day), writeLine({ site: siteId, day, reason, block, seq, hits }));
    for (const { kind, shard, lines } of all()) addPiece(db, { kind, shard }, since, lines.join(''));
    setSequence(db, findLast());
  }

  const taker = makeCommitQueue(
    {
      write: (batches, dropped) => db.write(() => write(batches, dropped)),
      stored({ activities, alongside }) {
        // The count for the plan is in another file. A process killed before that write loses only that count.
        try {
          counted(activities);
          alongside?.();
        } catch (error) {
          const { message } = error as Error;
          notes.failed(message, 'hits stored, but not counted towards the plan of their account', { message });
        }
      },
      undone: caps.forget,
      begins: (day) => caps.removeBefore(day - 2),
    },
    deps,
  );
  return {
    ...taker,
    append: (batch: Batch) => taker.append(batch),
    /** All rows so far have this number or a lower one. Later pieces begin with a higher number. */
    findLastNumber: () => findLast() + SENDERS - 1,
    findNextNumber,
    takeNumber,
  };
}

/**
 * Builds functions that give row numbers. Each number is higher than the one before, even if the clock is set back.
 * `seq` is the last row number that was used before this process started. `number` is the number of this process, such
 * as 0 for the primary.
 */
function buildSequence(seq: number, number: number, clock: Clock) {
  let sequence = Math.floor(seq / SENDERS);
  const next = (): number => Math.max(sequence + 1, findLowestNumber(clock.now()) / SENDERS);
  return {
    takeNumber(above = 0): number {
      sequence = Math.max(next(), Math.floor(above / SENDERS) + 1);
      return sequence * SENDERS + number;
    },
    /**
     * Gives a row number that is higher than all row numbers so far. All later rows have this number or a higher one.
     */
    findNextNumber(): number {
      const first = next();
      sequence = first - 1;
      return first * SENDERS;
    },
    findLast: () => sequence * SENDERS,
  };
}

/** Empty texts and zeros are left out, because ClickHouse uses them as defaults for fields that a line lacks. */
const writeLine = (row: Record<string, string | number>): string =>
  `${JSON.stringify(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '' && value !== 0)))}\n`;

/**
 * Writes a hit or a heartbeat as a line of JSON. In the column `engaged`, 0 means a hit. A heartbeat has its visible
 * seconds plus one. `CLAIMED` is added if a browser reported the seconds and this process could not check them. The
 * depth of a heartbeat is stored as the percent plus one too, because 0 means an unknown depth.
 */
function writeActivityLine(caps: TextCaps, activity: Activity, seq: number): string {
  const { siteId, day, second, visitor } = activity;
  const row = { site: siteId, day, second, seq, visitor };
  if (!isHit(activity)) {
    const engaged = activity.engaged + 1 + (activity.isClaimed ? CLAIMED : 0);
    const { page, vitals = 0 } = activity;
    const scroll = packScroll(activity.scroll);
    return writeLine({ ...row, engaged, scroll, vitals, page: caps.cap(siteId, day, 'page', page) });
  }
  const cap = (kind: CappedKind, text: string) => caps.cap(siteId, day, kind, text);
  const texts = TEXT_FIELDS.map((field) => [
    field,
    field === PROPERTIES ? capProperties(activity.properties, cap) : cap(field, activity[field]),
  ]);
  return writeLine({ ...row, ...Object.fromEntries(texts) });
}

/** Collects the lines of a batch by table and shard. Each group becomes one row of the outbox (a piece). */
function collectPieces() {
  const byStream = new Map<string, { kind: PieceKind; shard: number; lines: string[] }>();
  return {
    add(kind: PieceKind, shard: number, line: string): void {
      const key = `${kind} ${shard}`;
      const own = byStream.get(key);
      if (own) own.lines.push(line);
      else byStream.set(key, { kind, shard, lines: [line] });
    },
    all: () => byStream.values(),
  };
}
