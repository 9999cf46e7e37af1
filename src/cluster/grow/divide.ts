// Decides from which day on the visitors are divided among more shards.
//
// Invariant: a division is decided only after every sender has promised to hold the hits of its days. The division begins
// on the first day that no sender has divided already. So all hits of a visitor on a day are on one shard.
//
// Example: `daybook cluster add-shard` proposes day 20523. The primary and the collector c1 promise to hold hits from
// day 20523 on. The collector c2 answers only after midnight, when it has hits of that day. So it promises to hold hits
// from day 20524 on, and the division begins on day 20524. The held hits of day 20523 are divided as before.
// grower.ts calls `decide`. Test: test/cluster/grow/add-shard.test.ts.
import type { Log } from '../../lib/log.ts';
import { DAY, formatDay } from '../../lib/time.ts';
import { listServers } from '../../store/cluster/cluster-servers.ts';
import type { Hold } from '../../store/cluster/collectors.ts';
import { decideDivision, findUndecided } from '../../store/cluster/divisions.ts';
import type { Db } from '../../store/db.ts';

/** A primary or a collector, with its promise to hold hits. */
type Sender = { hold?: Hold | undefined };

/**
 * A promise for a later day than this cannot be right, because nobody has hits of such days. The sender may be a thief
 * with a stolen secret. Then the decision waits until the operator retires that collector.
 */
const MOST_DAYS = 30;

/** True if a sender has promised to hold hits for the division that was proposed for `day`. */
export const hasPromised = ({ hold }: Sender, day: number): boolean =>
  hold !== undefined && hold.day === day && hold.from <= day + MOST_DAYS;

/** Decides the proposed division, if there is one and all senders have promised to hold its hits. */
export function decide({ db, log }: { db: Db; log: Log }, senders: readonly Sender[]): void {
  const proposed = findUndecided(db);
  if (!proposed || !senders.every((sender) => hasPromised(sender, proposed.day))) return;
  const day = Math.max(proposed.day, ...senders.map(({ hold }) => hold?.from ?? 0));
  const shards = new Set(listServers(db).map(({ shard }) => shard)).size;
  db.write(() => decideDivision(db, { day, shards }));
  log('visitors are divided among the shards of the cluster anew', { from: formatDay(day * DAY), shards });
}
