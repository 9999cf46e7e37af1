// A past day is due when every server in use has all its rows. This file finds the days that are due to be sealed, and
// says why another day must wait.
//
// Invariant: no due day lacks rows on a server in use. If a server is still late 10 minutes after the day's end, it
// becomes `lacking`. It is not used until its missing rows are copied.
//
// Example: a day ends at 00:00, and at 00:01 server B has received rows only until 23:59:50. So the day is not due yet.
// At 00:11 server B still lacks rows. B becomes `lacking`, and the day is due without B. nightly.ts calls `findDue`.
import type { SiteDay } from '../../catalog/sealed-days.ts';
import type { SealResult } from '../../engine/engine.ts';
import { type Clock, DAY, formatDay, MINUTE, seconds } from '../../lib/time.ts';
import type { Progress } from '../../store/cluster/sender-status.ts';
import type { Db } from '../../store/db.ts';
import { listSiteDomains } from '../../store/sites/sites.ts';
import { makeDayFinder } from '../../store/sites/zones.ts';
import { haveEveryShard, makeShardUnavailable } from '../servers/complete.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { findLeastShipped, type LeastShipped, listLate, listProgress } from './collectors-progress.ts';

/**
 * A day of a site with rows in `activity`, the table of hits and heartbeats of open days. `rows` is the number of these
 * rows.
 */
export type WaitingDay = SiteDay & { rows: number };

type Deps = {
  db: Db;
  nodes: Nodes;
  clock: Clock;
  /** Sends waiting hits to the servers that respond. Gives the progress: which rows each server has received. */
  ship(): Promise<Progress>;
};

/**
 * Hits of a day's last second may be written up to 30 s later. So a day is sealed only when all rows until 00:00:30
 * have arrived.
 */
export const MARGIN_SECONDS = 30;

/**
 * Sealing waits for a late server until 10 minutes after the day's end. Then the server is not used until its missing
 * rows are copied.
 */
export const GRACE_SECONDS = 10 * MINUTE;

/**
 * All rows of the `due` days, up to the number `after`, have arrived at all servers in use. `waiting` says why the
 * first of the other days must wait.
 */
type DueDays = { due: WaitingDay[]; after: number; waiting: Failure | undefined };

/**
 * Finds past days whose rows have arrived at every server in use. If a server is still late 10 minutes after a day's
 * end, the server becomes `lacking`. Then the day is sealed without this server.
 */
export async function findDue({ db, nodes, clock, ship }: Deps, past: readonly WaitingDay[]): Promise<DueDays> {
  assertEveryShard(nodes, nodes.listComplete());
  const senders = listProgress(db, await ship());
  const now = seconds(clock);
  const complete = nodes.listComplete();
  assertEveryShard(nodes, complete);
  const dueBy = ({ until }: LeastShipped) => listDaysBefore(db, past, Math.min(now, until - MARGIN_SECONDS));
  let least = findLeastShipped(senders, complete);
  let due = dueBy(least);
  const late = due.length < past.length ? listLate(senders, complete) : [];
  let isWaiting = late.length > 0;
  if (isWaiting) {
    const others = findLeastShipped(
      senders,
      complete.filter((node) => !late.includes(node)),
    );
    const more = dueBy(others).filter((one) => !due.includes(one));
    if (listDaysBefore(db, more, now - GRACE_SECONDS).length > 0) {
      for (const node of late) nodes.leaveOut(node);
      [least, due, isWaiting] = [others, dueBy(others), false];
    }
  }
  const first = past.find((one) => !due.includes(one));
  const [server] = isWaiting ? late : [];
  const reason = server
    ? `the server ${new URL(server.url).host} of the cluster has not received all hits. Without it, days are sealed ${GRACE_SECONDS / MINUTE} minutes after their end`
    : least.reason;
  return { due, after: least.next - 1, waiting: first && makeFailure(db, first, reason, true) };
}

/**
 * Throws if a shard has no complete server. Days are sealed when their rows have arrived at all complete servers.
 * Without a complete server, rows of this shard may still wait in an outbox. The sealed days would lack these rows.
 */
function assertEveryShard({ shards }: Nodes, complete: readonly Node[]): void {
  if (!haveEveryShard(complete, shards)) throw makeShardUnavailable();
}

/** Lists the days that were over at `moment`. A day ends at midnight in the time zone of its site. */
export function listDaysBefore(db: Db, days: readonly WaitingDay[], moment: number): WaitingDay[] {
  const findToday = makeDayFinder(db, moment);
  return days.filter(({ siteId, day }) => day < (findToday(siteId) ?? 0));
}

export type Failure = SealResult['failed'][number];

/**
 * Describes for the operator why a day is not sealed. `waits` is true if the day only waits for rows that have not
 * arrived, which is no fault.
 */
export function makeFailure(db: Db, { siteId, day }: SiteDay, reason: string, waits: boolean): Failure {
  const domain = listSiteDomains(db).find(({ id }) => id === siteId)?.domain ?? '';
  return { domain, day: formatDay(day * DAY), reason, waits };
}
