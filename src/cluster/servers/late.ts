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
// retired with --lost, B is not outdone any more, but late until it is filled from A. connect.ts, engine.ts and
// grow/leave.ts use this file.
import { type Clock, seconds } from '../../lib/time.ts';
import { listServers } from '../../store/cluster/cluster-servers.ts';
import { listBehind, listCollectors, listLost } from '../../store/cluster/collectors.ts';
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

export const listLate = (db: Db): Set<string> => new Set([...listBehind(db), ...listNotedLate(db), ...listShort(db)]);

/**
 * Lists the URLs of servers that lack rows of a lost collector, if a replica has these rows. The replica must also have
 * all rows of lost collectors that the server has, so that two servers are never both in the list. Until such a server
 * is filled, it is late. It answers only if the replica does not (test/cluster/fill/lost-collector.test.ts).
 */
function listShort(db: Db): string[] {
  const servers = listServers(db);
  const lost = listLost(db).map((one) => new Map(one.servers.map(({ url, next }) => [url, next])));
  const compare = (replica: string, url: string) =>
    lost.flatMap((next) => (next.has(replica) && next.has(url) ? (next.get(replica) ?? 0) - (next.get(url) ?? 0) : []));
  const isAhead = (more: readonly number[]) => more.some((one) => one > 0) && more.every((one) => one >= 0);
  const isShort = ({ url, shard }: Place) =>
    servers.some((one) => one.shard === shard && one.url !== url && isAhead(compare(one.url, url)));
  return lost.length === 0 ? [] : servers.filter(isShort).map(({ url }) => url);
}

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
