// An outbox holds hits whose shards are not decided yet. Before a cluster divides new days among more shards, every
// outbox must hold the hits of these days. The primary decides only after all outboxes have promised to hold them.
//
// Invariant: an outbox never divides the hits of one day in two ways. This is true even if the primary or other
// outboxes do not answer. An outbox promises { day, from }. `day` is the first day that the primary proposes to divide
// anew. `from` is this day or, if the outbox may have hits of it, the first later day without hits. The outbox holds
// all hits of day `from` and later days until the decision.
//
// Example: the primary proposes day 20523. A collector has no hits of that day, so it promises { day: 20523, from:
// 20523 }. Then the connection to the primary breaks. Day 20523 begins at midnight, and the collector holds its hits.
// An hour later the collector hears that this day is divided among three shards, and sends the held hits. Usually the
// decision comes within a second or two, long before the day begins. A held hit is on the disk, but on no server. With
// `ack=reachable` or `ack=replicas`, servers must have the hit, so its answer is 503.
//
// outbox.ts holds hits in pieces (outbox rows). shipper.ts releases pieces. Test: test/cluster/outbox/hold.test.ts.
import { setImmediate as turn } from 'node:timers/promises';
import { DAY, HOUR } from '../../lib/time.ts';
import type { Division } from '../../store/cluster/divisions.ts';
import { addPiece, hasHeld, listHeld, removePiece } from '../../store/cluster/outbox-pieces.ts';
import { findSender } from '../../store/cluster/outbox-sender.ts';
import type { Hold } from '../../store/cluster/sender-status.ts';
import type { Db } from '../../store/db.ts';
import { findTime } from '../servers/row-numbers.ts';
import { type FindShards, findShard } from '../servers/shards.ts';

/**
 * In the first time zone, a day begins 14 hours before it begins in UTC. One hour is added as a reserve, because a web
 * server may date a hit up to 60 s into the future.
 */
const EARLIEST_ZONE = 15 * HOUR;

/** Finds the first day that has not begun in any time zone at the time `now`. So no outbox has hits of this day. */
export const findFirstFreeDay = (now: number): number => Math.floor((now + EARLIEST_ZONE) / DAY) + 1;

/**
 * Gives the promise of an outbox: from which day on it holds hits. Row numbers are made from the time and never become
 * lower. So the last row number tells which days can have hits in this outbox.
 */
export function findHold(db: Db, divisions: readonly Division[]): Hold | undefined {
  const proposed = divisions.find(({ shards }) => shards === 0);
  if (!proposed) return undefined;
  return { day: proposed.day, from: Math.max(proposed.day, findFirstFreeDay(findTime(findSender(db).seq))) };
}

/**
 * Each transaction releases this many pieces. A held piece has the hits of a whole batch, which are not divided among
 * shards yet. Usually these are up to a few hundred hits.
 */
const PIECES_AT_ONCE = 20;

/**
 * Divides the hits of held pieces as soon as their shards are decided. The divided hits become new pieces, which are
 * sent like all other pieces.
 */
export async function releaseHeld(db: Db, findShards: () => FindShards): Promise<void> {
  if (!hasHeld(db)) return;
  while (db.write(() => releaseSome(db, findShards()))) await turn();
}

/**
 * Releases held pieces before an outbox begins to send. The outbox may be an older copy of the file, and servers may
 * already have the hits of its held pieces. So before the hits from this function are sent, a server is asked which of
 * them it has. Hits that are released later are sent without asking.
 */
export function releaseAtStart(db: Db, findShards: FindShards): void {
  while (db.write(() => releaseSome(db, findShards)));
}

/**
 * Releases up to 20 held pieces. Gives false if nothing more can be released. If a piece must still wait, all later
 * pieces wait too.
 */
function releaseSome(db: Db, findShards: FindShards): boolean {
  const held = listHeld(db, PIECES_AT_ONCE);
  for (const { id, kind, at, seq, lines } of held) {
    const divided = divideLines(kind, lines, findShards);
    if (!divided) return false;
    removePiece(db, id);
    for (const [shard, own] of divided) addPiece(db, { shard, kind }, { at, seq }, own.join(''));
  }
  return held.length > 0;
}

/**
 * A line of a piece, for example a hit. A line is JSON without the fields that are 0. So the line of a hit with the
 * visitor code 0 has no `visitor`.
 */
type HeldRow = { site: number; day: number; visitor?: number };

/** Gives the lines of each shard, or undefined if the shards of a day are not decided yet. */
function divideLines(kind: string, lines: string, findShards: FindShards): Map<number, string[]> | undefined {
  const rows = lines.split('\n').flatMap((line) => (line === '' ? [] : [{ line, ...(JSON.parse(line) as HeldRow) }]));
  if (rows.some(({ day }) => findShards(day) === 0)) return undefined;
  const divided = new Map<number, string[]>();
  for (const { line, site, day, visitor = 0 } of rows) {
    const shard = findShard(kind === 'activity' ? visitor : site, findShards(day));
    const own = divided.get(shard);
    if (own) own.push(`${line}\n`);
    else divided.set(shard, [`${line}\n`]);
  }
  return divided;
}
