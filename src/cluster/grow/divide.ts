// Decides from which day on the visitors are divided among more shards.
//
// Invariant: a division is decided only after every sender has promised to hold its hits from some day on, until the
// decision. The sender has sent no hits of that day or of later days to a shard. The division begins on the latest of
// these days. So all hits of a visitor on a day are on one shard.
//
// Example: `daybook cluster add-shard` proposes day 20523. The primary and the collector c1 promise to hold hits from
// day 20523 on. The collector c2 answers only after day 20523 has begun, when it already has hits of that day. So c2
// promises to hold hits from day 20524 on, and the division begins on day 20524. Day 20523 is still divided among the
// old number of shards, and so are its held hits. grower.ts calls `decide`. Test: test/cluster/grow/add-shard.test.ts.
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { DAY, formatDay } from '../../lib/time.ts';
import { addServer, countShards, listServers, removeServer, type Server } from '../../store/cluster/cluster-servers.ts';
import { type Collector, listCollectors } from '../../store/cluster/collectors.ts';
import { addDivision, type Division, decideDivision, findUndecided } from '../../store/cluster/divisions.ts';
import type { Hold } from '../../store/cluster/sender-status.ts';
import type { Db } from '../../store/db.ts';
import { computeLeap, findTrustedDay } from '../../store/server/clock-trust.ts';
import { findFirstFreeDay } from '../outbox/hold.ts';

/**
 * Adds empty servers as a new shard, and proposes to divide the visitors of new days among one more shard. Gives the
 * number of the shard, counted from 0. Throws if another shard is being added.
 */
export const addShard = (db: Db, urls: readonly string[], now: number): number =>
  db.write(() => {
    assertClock(db, now);
    if (findUndecided(db))
      throw new Refusal('another shard is being added. Wait until that command is done, and run this one again');
    const taken = listServers(db).find(({ url }) => urls.includes(url));
    if (taken) throw new Refusal(`another command has just added ${taken.url} to shard ${taken.shard + 1}`);
    const before = countShards(db);
    for (const url of urls) addServer(db, { url, shard: before, state: 'complete', now });
    addDivision(db, { day: findFirstFreeDay(now), shards: 0 }, before);
    return before;
  });

/**
 * Throws if the clock may be wrong. If the clock is years ahead, the proposed day is years ahead too. A decided
 * division cannot be taken back.
 */
function assertClock(db: Db, now: number): void {
  if (computeLeap(db, Math.floor(now / DAY)) === 0) return;
  const seen = formatDay((findTrustedDay(db) ?? 0) * DAY);
  throw new Refusal(
    `this machine says it is ${formatDay(now)}, but the last day seen is ${seen}. Set the clock. If it is right, run daybook seal --trust-clock`,
  );
}

/**
 * Removes a shard and its only server, if the division for this shard is not decided yet. No hit was sent to such a
 * shard. Gives false and changes nothing if the division is decided, or if the shard has several servers.
 */
export const cancelShard = (db: Db, { shard }: Pick<Server, 'shard'>, now: number): boolean =>
  db.write(() => {
    const proposed = findUndecided(db);
    const own = listServers(db).filter((one) => one.shard === shard);
    if (!proposed || shard !== countShards(db) - 1 || own.length > 1) return false;
    decideDivision(db, { day: proposed.day, shards: shard });
    for (const one of own) removeServer(db, one, now);
    return true;
  });

/**
 * Lists the collectors that have not yet promised to hold hits for the proposed division. To hold hits means to keep
 * them in the outbox until the division is decided.
 */
export const listUnready = (db: Db, { day }: Division, now: number): Collector[] =>
  listCollectors(db).filter(({ status }) => status && !hasPromised(status, day, now));

/** A primary or a collector, with its promise to hold hits. */
type Sender = { hold?: Hold | undefined };

/**
 * A promise for a day more than 30 days ahead cannot be right, because nobody has hits of such days. The sender may be
 * a thief with a stolen secret. With such a promise, the decision waits until the operator retires that collector.
 *
 * The 30 days begin today, or on the proposed day if that is later. So a collector may come back 40 days after the
 * proposal. It then promises a day about 40 days after the proposed one, and this promise is still accepted.
 */
const MOST_DAYS = 30;

/**
 * True if a sender has promised to hold hits for the division that was proposed for `day`. A promise for a day too far
 * ahead (`MOST_DAYS`) does not count.
 */
const hasPromised = ({ hold }: Sender, day: number, now: number): boolean =>
  hold !== undefined && hold.day === day && hold.from <= Math.max(day, findFirstFreeDay(now)) + MOST_DAYS;

/**
 * Lists the collectors whose promise is for a day too far ahead (`MOST_DAYS`). `unready` comes from `listUnready`, so
 * its collectors have no valid promise. If one of them has a promise for this division, the promised day is too far
 * ahead. The collector cannot promise an earlier day: its row numbers are made from the time, and never become lower.
 */
export const listTooFarAhead = (unready: readonly Collector[], { day }: Division): Collector[] =>
  unready.filter(({ status }) => status?.hold?.day === day);

/** Decides the proposed division, if there is one and all senders have promised to hold its hits. */
export function decide({ db, log, now }: { db: Db; log: Log; now: number }, senders: readonly Sender[]): void {
  const proposed = findUndecided(db);
  if (!proposed || !senders.every((sender) => hasPromised(sender, proposed.day, now))) return;
  const day = Math.max(proposed.day, ...senders.map(({ hold }) => hold?.from ?? 0));
  const shards = countShards(db);
  db.write(() => decideDivision(db, { day, shards }));
  log('visitors are divided among the shards of the cluster anew', { from: formatDay(day * DAY), shards });
}
