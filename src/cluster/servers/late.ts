// A server is late if it has not received some rows of a sender (the primary or a collector). The running daybook and
// each command ask late servers only after all other servers.
//
// Invariant: an outdone server gets no queries. A server is outdone if a replica is over a minute ahead in the rows of
// one collector. In the rows of other collectors, the server may be ahead of the replica. Then the replica must be
// ahead by more seconds in all. In the running daybook, at least one replica of each shard is not outdone, so that one
// can answer. For a command, a server may also be outdone because it lacks rows of the primary (`listOutdone`). The
// running daybook itself asks no server that lacks rows of the primary (`behind` in ask.ts).
//
// Example: server B did not respond for three minutes, and then the collector stopped. Replica A has the collector's
// hits of these minutes. B is outdone until the collector starts again and sends B these hits. If the collector is
// retired, B is not outdone any more, because only reports of present collectors are compared. connect.ts, engine.ts
// and grow/leave.ts use this file.
import { type Clock, seconds } from '../../lib/time.ts';
import { listBehind, listCollectors } from '../../store/cluster/collectors.ts';
import { findLag, LATE_SECONDS, type Progress, type Status } from '../../store/cluster/sender-status.ts';
import type { Db } from '../../store/db.ts';
import { findUpkeep, noteUpkeep } from '../../store/server/upkeep.ts';
import type { Node } from './nodes.ts';

/**
 * Notes in the database file which servers are late, so that commands ask these servers last. Never throws: on a full
 * disk the note is not written, and rows are sent nevertheless.
 */
export function noteLate(db: Db, clock: Clock, behind: Iterable<{ url: string }>): void {
  const words = [...behind].map(({ url }) => url).join(' ');
  if ((findUpkeep(db, 'behind')?.words ?? '') === words) return;
  try {
    noteUpkeep(db, 'behind', { at: seconds(clock), fine: true, words });
  } catch {
    // The list of late servers could not be written. So a command may ask a late server first, which is accepted.
  }
}

/** Lists the URLs of servers that have not received some hits of the primary. */
export const listNotedLate = (db: Db): Set<string> => new Set(findUpkeep(db, 'behind')?.words.split(' '));

export const listLate = (db: Db): Set<string> => new Set([...listBehind(db), ...listNotedLate(db)]);

type Place = Pick<Node, 'url' | 'shard'>;

/**
 * Lists the URLs of complete servers that are outdone. For a command, a server that lacks rows of the primary is
 * outdone too, if a replica has these rows. The running daybook has its own list of servers that lack its rows
 * (`behind`).
 */
export function listOutdone(db: Db, complete: readonly Place[], { isCommand }: { isCommand: boolean }): Set<string> {
  const reports = listReports(db);
  const noted = isCommand ? listNotedLate(db) : new Set<string>();
  const isAhead = (replica: Place, { url }: Place) =>
    isFurther(reports, replica.url, url) || (noted.has(url) && !noted.has(replica.url));
  const isOutdone = (node: Place) =>
    complete.some((one) => one.shard === node.shard && one.url !== node.url && isAhead(one, node));
  return new Set(complete.filter(isOutdone).map(({ url }) => url));
}

/**
 * True if `replica` has rows of a sender that are over a minute newer than the rows of the server `url`. In rows of
 * another sender, the server may be ahead of the replica. Its lag is negative then. The sum of the lags over all
 * senders must be above 0 too, so that two servers never outdo each other.
 */
export function isFurther(reports: readonly Pick<Progress, 'servers'>[], replica: string, url: string): boolean {
  const lags = reports.map((report) => findLag(report, url, replica));
  return Math.max(...lags) > LATE_SECONDS && lags.reduce((sum, lag) => sum + lag, 0) > 0;
}

/**
 * Finds by how many seconds each server lags. If a server lags behind several senders, its longest lag counts. `now` is
 * the time of a sender's last report, so the lag does not grow while a sender is silent. A server that is in no report
 * is left out.
 */
export function findLags(reports: readonly Pick<Status, 'now' | 'servers'>[]): Map<string, number> {
  const lags = new Map<string, number>();
  for (const { now, servers } of reports)
    for (const { url, until } of servers) lags.set(url, Math.max(lags.get(url) ?? 0, now - until));
  return lags;
}

/** Lists what the collectors last reported. */
export const listReports = (db: Db): Status[] => listCollectors(db).flatMap(({ status }) => status ?? []);
