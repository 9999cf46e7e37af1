import { appender, type QueuedBatch, type Watchers } from '../../commit/group-commit.ts';
import { type Activity, type Drop, isHit } from '../../engine/activity.ts';
import type { Batch } from '../../engine/engine.ts';
import { cached } from '../../lib/cache.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { trouble } from '../../lib/trouble.ts';
import { TEXT_FIELDS } from '../../stats/dimensions.ts';
import { addPiece, findSender, lastPiece, type Outbox, setSequence } from '../../store/cluster/outbox.ts';
import { CLAIMED, findLowestNumber, SENDERS } from '../servers/row-numbers.ts';
import { type Words, wordsOf } from './text-caps.ts';

/** What is sent, each to its own table. */
export const KINDS = ['activity', 'crawled', 'dropped'] as const;
export type Kind = (typeof KINDS)[number];

/** All that was taken before a moment, and has a lower number than `next`, is on every server. */
export type Shipped = { next: number; until: number };

/** The numbers of the rows of a sender, in order. `seq` is the last one of before. */
function sequenceOf(seq: number, number: number, clock: Clock) {
  let sequence = Math.floor(seq / SENDERS);
  const next = (): number => Math.max(sequence + 1, findLowestNumber(clock.now()) / SENDERS);
  return {
    numbered(): number {
      sequence = next();
      return sequence * SENDERS + number;
    },
    /** No row that comes will have a lower number, whatever the clock says then. */
    nextSequence(): number {
      const first = next();
      sequence = first - 1;
      return first * SENDERS;
    },
    /** Numbers for rows that are sent another way, in order; gives the first. */
    numbers(count: number): number {
      sequence = next() + count;
      return (sequence - count) * SENDERS + number;
    },
    last: () => sequence * SENDERS,
  };
}

type Deps = Watchers & {
  clock: Clock;
  shards: number;
  /** Which of the senders this is. */
  number: number;
  siteExists(siteId: number): boolean;
  /** Called with what is written, in the same transaction. */
  within?: ((activities: readonly Activity[]) => void) | undefined;
  /** Called with what is on the disk now. */
  counted(activities: readonly Activity[]): void;
};

/** A row as a line of JSON, without what is empty. */
const lineOf = (row: Record<string, string | number>): string =>
  `${JSON.stringify(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '' && value !== 0)))}\n`;

/** The line of an activity, whose number in the order of all is `seq`. */
function activityLine(words: Words, activity: Activity, seq: number): string {
  const { siteId, day, second, visitor } = activity;
  const row = { site: siteId, day, second, seq, visitor };
  if (!isHit(activity)) {
    const engaged = activity.engaged + 1 + (activity.isClaimed ? CLAIMED : 0);
    return lineOf({ ...row, engaged, page: words.of(siteId, day, 'page', activity.page) });
  }
  const texts = TEXT_FIELDS.map((field) => [field, words.of(siteId, day, field, activity[field])]);
  return lineOf({ ...row, ...Object.fromEntries(texts) });
}

/** Lines for each table and shard. */
function pieces() {
  const byStream = new Map<string, { kind: Kind; shard: number; lines: string[] }>();
  return {
    add(kind: Kind, shard: number, line: string): void {
      const key = `${kind} ${shard}`;
      const own = byStream.get(key);
      if (own) own.lines.push(line);
      else byStream.set(key, { kind, shard, lines: [line] });
    },
    all: () => byStream.values(),
  };
}

/** Takes batches to the disk, as lines for the tables of each shard. */
export function outboxOf({ db }: Outbox, deps: Deps) {
  const { clock, shards, number, siteExists, within, counted } = deps;
  const words = wordsOf(db);
  const notes = trouble(deps.log, clock, 'hits not counted towards plans, in all');
  const { numbered, nextSequence, numbers, last } = sequenceOf(findSender(db).seq, number, clock);

  function write(batches: readonly QueuedBatch[], dropped: readonly Drop[]): void {
    const since = { at: seconds(clock), seq: nextSequence() };
    const { add, all } = pieces();
    const exists = cached(siteExists);
    const isKnown = ({ siteId }: { siteId: number }) => exists(siteId);
    const activities = batches.flatMap(({ activities }) => activities).filter(isKnown);
    within?.(activities);
    for (const activity of activities)
      add('activity', activity.visitor % shards, activityLine(words, activity, numbered()));
    const crawls = batches.flatMap((batch) => batch.crawls).filter(isKnown);
    const drops = [...batches.flatMap((batch) => batch.drops), ...dropped].filter(isKnown);
    // One number for all that is written at once: rows with equal keys and numbers are added up.
    const seq = crawls.length + drops.length > 0 ? numbered() : 0;
    for (const { siteId, day, crawler, page, requests } of crawls) {
      const kept = words.of(siteId, day, 'crawled', page);
      add('crawled', siteId % shards, lineOf({ site: siteId, day, crawler, page: kept, seq, requests }));
    }
    for (const { siteId, day, reason, hits } of drops)
      add('dropped', siteId % shards, lineOf({ site: siteId, day, reason, seq, hits }));
    for (const { kind, shard, lines } of all()) addPiece(db, { kind, shard }, since, lines.join(''));
    setSequence(db, last());
  }

  const taker = appender(
    {
      write: (batches, dropped) => db.write(() => write(batches, dropped)),
      stored({ activities, alongside }) {
        // In another file than what is acknowledged now, so that a crash in between leaves them undone.
        try {
          counted(activities);
          alongside?.();
        } catch (error) {
          const { message } = error as Error;
          notes.failed(message, 'hits stored, but not counted towards the plan of their account', { message });
        }
      },
      undone: words.forget,
      begins: (day) => words.removeBefore(day - 2),
    },
    deps,
  );
  return {
    ...taker,
    append: (batch: Batch) => taker.append(batch),
    /** The number of the piece that was stored last. */
    lastPiece: () => lastPiece(db),
    nextSequence,
    numbers,
  };
}
