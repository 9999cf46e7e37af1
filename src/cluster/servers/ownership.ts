// Before servers are used, their marks are compared with the database file. The marks show whether the servers belong
// to this installation, and which of them have all their rows. A mark also names the place of its server: the shard and
// the replica.
//
// Invariant: a cluster of another installation is never used, because the hits of two installations would be mixed. A
// cluster is not used either if no server of a shard has all its rows: answers would lack hits.
//
// Example: the database file notes beat 70 (the number of a mark) for two servers. Server A has beat 70 and is
// complete. Server B has beat 40, because its disk is older. So B becomes `lacking`, with the reason `restored`.
// connect.ts and admission.ts use this file.
import { findLastDayId } from '../../catalog/day-ids.ts';
import { findLastImportId } from '../../catalog/imports.ts';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import {
  type KnownServer,
  type LackReason,
  listKnownServers,
  listRemovedServers,
} from '../../store/cluster/cluster-servers.ts';
import { findInstallation } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import { findLastSiteId } from '../../store/sites/sites.ts';
import { REASONS } from './lack-reasons.ts';
import type { Holding } from './marks.ts';
import type { Node } from './nodes.ts';
import { namePlace, WrongPlace } from './places.ts';

/** A server that responds, with its marks and the highest ids of its rows. */
export type FoundHolding = { node: Node; holding: Holding };

export const ADOPT = 'run daybook cluster adopt, which first lists the hits that reports would not count';

/**
 * Refuses a cluster of another installation. Also refuses a cluster with shards, sites, imports or sealed days that the
 * database file does not know. Then the file is an old backup. For example, the next import would get an id that rows
 * on the cluster have already, and these rows would count too.
 *
 * The mark of a server in use may name the place of another server. If the host name leads to that other server, the
 * server is refused. If the server only has a copy of the other server's disk (`isCopyOf`), it is not refused here.
 * `copies` are servers with a copied disk that the caller already knows. `isNew` is true if the file had no cluster
 * before.
 */
export function assertOurs(
  db: Db,
  holdings: readonly FoundHolding[],
  isNew: boolean,
  copies: ReadonlySet<Node> = new Set(),
): void {
  const own = findInstallation(db)?.name;
  // The shards of removed servers count too, because the marks may be from before the removal.
  const shards = new Set([...listKnownServers(db), ...listRemovedServers(db)].map(({ shard }) => shard)).size;
  const [lastSite, lastDay, lastImport] = [findLastSiteId(db), findLastDayId(db), findLastImportId(db)];
  const inUse = new Set(listKnownServers(db).flatMap(({ url, state }) => (state === 'lacking' ? [] : [url])));
  for (const { node, holding } of holdings) {
    const isOther = holding.marks.some(({ installation }) => installation !== own);
    if (isOther || (isNew && holding.marks.length === 0 && !holding.isEmpty))
      throw new Refusal(
        `${node.url} has the hits of another daybook.db. Name that file with --db, or another database in --engine. If that file is lost, ${ADOPT}`,
        UNUSABLE,
      );
    const other = findOtherPlace({ node, holding });
    if (other !== undefined && inUse.has(node.url) && !copies.has(node) && !isCopyOf(db, holdings, node, other))
      throw new WrongPlace(node, other);
    const marked = Math.max(0, ...holding.marks.map((mark) => mark.shards));
    if (shards > 0 && marked > shards)
      throw new Refusal(
        `${node.url} belongs to a cluster of ${marked} shards, but this daybook.db knows ${shards}. The file is an old backup. Restore a backup from after the shard was added. If there is none, name all servers in --engine and in remote_servers, and ${ADOPT}`,
        UNUSABLE,
      );
    const site = Math.max(holding.site, ...holding.marks.map((mark) => mark.site));
    const day = Math.max(holding.day, ...holding.marks.map((mark) => mark.day));
    if (site > lastSite || day > lastDay || holding.importId > lastImport)
      throw new Refusal(
        `${node.url} has sites, imports or sealed days that this daybook.db does not know. The file is an old backup. Restore a newer backup. If there is none, ${ADOPT}`,
        UNUSABLE,
      );
  }
}

/** Gives the place that the mark of a server names, if this is not the server's own place. */
export const findOtherPlace = ({ node, holding: { marks } }: FoundHolding): string | undefined =>
  marks.find(({ beat, place }) => beat > 0 && place !== namePlace(node))?.place;

/**
 * True if the server `node` has a copy of another server's disk, for example from a backup. The mark of `node` names
 * the `place` of that other server, the owner. The disk is a copy if the owner was removed. The disk is also a copy if
 * the owner responds, and has its own mark or a new disk. If the host names of two servers were exchanged, each mark
 * names the place of the other server. Then there is no copy (test/cluster/servers/copied-disks.test.ts).
 */
function isCopyOf(db: Db, holdings: readonly FoundHolding[], node: Node, place: string): boolean {
  if (!listKnownServers(db).some((one) => namePlace(one) === place)) return true;
  const owner = holdings.find((one) => one.node.url !== node.url && namePlace(one.node) === place);
  return owner !== undefined && findOtherPlace(owner) === undefined;
}

/** Gives the beat of the mark that this installation wrote for the place of a server. Gives 0 if there is none. */
const readOwnBeat = (db: Db, { node, holding: { marks } }: FoundHolding): number =>
  marks.find(({ installation, place }) => installation === findInstallation(db)?.name && place === namePlace(node))
    ?.beat ?? 0;

/**
 * Compares the beat of a server with the beat that the database file notes for it. A lower beat shows an older or empty
 * disk, which lacks rows. Gives undefined if the server has all rows.
 */
export function judgeBeat(found: number, noted: number): LackReason | undefined {
  if (found >= noted) return undefined;
  return found === 0 ? 'empty' : 'restored';
}

/**
 * True if a server has a new or an older disk. Then its mark is missing, or its beat is below `noted`. `noted` is the
 * beat that the database file stores for this server.
 */
export const isOutdated = (db: Db, found: FoundHolding, noted: number): boolean =>
  judgeBeat(readOwnBeat(db, found), noted) !== undefined;

/** Gives the beat that the database file notes for a server, or 0 if it notes none. */
export const findNotedBeat = (db: Db, { url }: Node): number =>
  listKnownServers(db).find((one) => one.url === url)?.beat ?? 0;

/** True if a server is empty although a replica of it has rows. */
const isLeftBehind = (one: FoundHolding, holdings: readonly FoundHolding[]): boolean =>
  one.holding.isEmpty && holdings.some(({ node, holding }) => node.shard === one.node.shard && !holding.isEmpty);

/**
 * Lists the servers that turn out to lack rows, with the reason. A server that is already `lacking` or `filling` is
 * listed only if its URL is new. Otherwise its state and reason stay. If the database file knows no servers yet, none
 * is listed.
 */
export function listNewlyLacking(db: Db, holdings: readonly FoundHolding[]): { url: string; reason: LackReason }[] {
  const known = listKnownServers(db);
  const byUrl = new Map(known.map((one) => [one.url, one]));
  const named = new Set(holdings.map(({ node }) => node.url));
  /**
   * A known server may have a new URL. So if no known server has this URL, the known server with this shard and replica
   * is returned. If a server still answers at the old URL, the two are different servers. Then nothing is returned.
   */
  const findKnown = ({ url, shard, replica }: Node): KnownServer | undefined =>
    byUrl.get(url) ??
    known.find((one) => one.shard === shard && one.replica === replica && !named.has(one.url) && one.beat > 0);
  return holdings.flatMap((one) => {
    const { node } = one;
    const before = findKnown(node);
    if (known.length === 0 || before?.state === 'lacking' || before?.state === 'filling') {
      return before && before.url !== node.url ? [{ url: node.url, reason: 'empty' as const }] : [];
    }
    if (!before || (before.beat === 0 && isLeftBehind(one, holdings)))
      return [{ url: node.url, reason: 'empty' as const }];
    if (findOtherPlace(one) !== undefined) return [{ url: node.url, reason: 'restored' as const }];
    const reason = judgeBeat(readOwnBeat(db, one), before.beat);
    return reason ? [{ url: node.url, reason }] : [];
  });
}

/**
 * Lists the URLs of servers that have all their rows again, because their own disk is back. Only shards without a
 * complete server are searched. In such a shard, the server that was complete last lacks nothing. Later rows wait for
 * this server in the outboxes.
 */
export function listReturned(db: Db, holdings: readonly FoundHolding[]): string[] {
  const found = new Map(holdings.map((one) => [one.node.url, one]));
  return [...Map.groupBy(listKnownServers(db), ({ shard }) => shard).values()].flatMap((own) => {
    if (own.some(({ state }) => state === 'complete')) return [];
    const beat = Math.max(...own.map((one) => one.beat));
    const newest = own.filter((one) => one.beat === beat);
    const since = Math.max(...newest.map((one) => one.since));
    return newest.flatMap((one) => {
      const holding = found.get(one.url);
      const hasOwnDisk = holding !== undefined && beat > 0 && readOwnBeat(db, holding) >= beat;
      return one.since === since && one.reason !== 'missed' && one.state === 'lacking' && hasOwnDisk ? [one.url] : [];
    });
  });
}

/**
 * Lists complete servers whose mark is older than the mark of a replica. If the database file is a backup, a server may
 * have been taken out of use after the backup. The file does not know that, and hits may be missing on that server.
 */
export function listOutdated(db: Db, holdings: readonly FoundHolding[]): { url: string; reason: LackReason }[] {
  const states = new Map(listKnownServers(db).map(({ url, state }) => [url, state]));
  return [...Map.groupBy(holdings, ({ node }) => node.shard).values()].flatMap((own) => {
    const newest = Math.max(...own.map((one) => readOwnBeat(db, one)));
    return own
      .filter((one) => states.get(one.node.url) === 'complete' && readOwnBeat(db, one) < newest)
      .map(({ node }) => ({ url: node.url, reason: 'missed' as const }));
  });
}

/** Refuses a cluster if no server of a shard has all its rows, because answers would lack hits. */
export function assertEveryShard(db: Db): void {
  for (const [shard, own] of Map.groupBy(listKnownServers(db), (one) => one.shard)) {
    if (own.some(({ state }) => state === 'complete')) continue;
    const all = own.map(({ url, reason }) => `${url} ${REASONS[reason]}`).join(', ');
    throw new Refusal(
      `no server of shard ${shard + 1} has all its hits: ${all}. Put their own disks back, and start daybook again. Or run daybook cluster accept HOST for the server with the newest data`,
      UNUSABLE,
    );
  }
}
