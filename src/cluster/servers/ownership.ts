// Before ClickHouse servers are used, their marks are compared with the database file. A mark is a row with the name
// of an installation and a number. This shows whether the servers belong to this installation, and which of them have
// all their rows.
//
// Invariant: a cluster of another installation is never used, because the hits of two installations would be mixed. A
// cluster is not used either if no server of a shard has all its rows: answers would lack hits.
//
// Example: the database file notes that the marks of two servers should have the beat (number) 70. Server A has beat 70
// and is complete. Server B has beat 40, because its disk is older. So B becomes `lacking` (not used until rows are
// copied), with the reason `restored`. connect.ts uses this file.
import { findLastDayId } from '../../catalog/day-states.ts';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import { type KnownServer, type LackReason, listKnownServers } from '../../store/cluster/cluster-servers.ts';
import { findInstallation } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import { findLastSiteId } from '../../store/sites/sites.ts';
import type { Holding } from './marks.ts';
import type { Node } from './nodes.ts';

/** A ClickHouse server that answers, and what it has: its marks (rows that name the installation) and newest ids. */
export type FoundHolding = { node: Node; holding: Holding };

export const ADOPT = 'daybook cluster adopt says what would be in no answer';

/**
 * Refuses a cluster of another installation, because the hits of both would be mixed. Also refuses a cluster with sites
 * or stored past days that the database file does not know: the file is then an old backup. `isNew` is true if the file
 * had no cluster before.
 */
export function assertOurs(db: Db, holdings: readonly FoundHolding[], isNew: boolean): void {
  const own = findInstallation(db)?.name;
  const [lastSite, lastDay] = [findLastSiteId(db), findLastDayId(db)];
  for (const { node, holding } of holdings) {
    const isOther = holding.marks.some(({ installation }) => installation !== own);
    if (isOther || (isNew && holding.marks.length === 0 && !holding.isEmpty))
      throw new Refusal(
        `${node.url} has the hits of another daybook.db; name that file with --db, or another database in --engine; where it is lost, ${ADOPT}`,
        UNUSABLE,
      );
    const site = Math.max(holding.site, ...holding.marks.map((mark) => mark.site));
    const day = Math.max(holding.day, ...holding.marks.map((mark) => mark.day));
    if (site > lastSite || day > lastDay)
      throw new Refusal(
        `${node.url} has sites or sealed days that this daybook.db does not know: it is an older copy; restore a newer one, or where there is none, ${ADOPT}`,
        UNUSABLE,
      );
  }
}

/** Gives the number (beat) of this installation's mark on a server. It grows each minute. 0: there is no mark. */
const readOwnBeat = (db: Db, { marks }: Holding): number =>
  marks.find(({ installation }) => installation === findInstallation(db)?.name)?.beat ?? 0;

/**
 * Compares the beat of a server, a number that grows each minute, with the beat that the database noted for it. A lower
 * beat shows an older or empty disk, which lacks rows. Gives undefined if the server has all rows.
 */
export function judgeBeat(found: number, noted: number): LackReason | undefined {
  if (found >= noted) return undefined;
  return found === 0 ? 'empty' : 'restored';
}

/**
 * True if a server is empty although another server of its shard, which should be equal, has rows. Then the empty
 * server lacks these rows.
 */
const isLeftBehind = (one: FoundHolding, holdings: readonly FoundHolding[]): boolean =>
  one.holding.isEmpty && holdings.some(({ node, holding }) => node.shard === one.node.shard && !holding.isEmpty);

/**
 * Lists the servers that turn out to lack rows, with the reason. Servers that the database already notes as lacking
 * rows are not listed again, so their reason stays.
 */
export function listNewlyLacking(db: Db, holdings: readonly FoundHolding[]): { url: string; reason: LackReason }[] {
  const known = listKnownServers(db);
  const byUrl = new Map(known.map((one) => [one.url, one]));
  const named = new Set(holdings.map(({ node }) => node.url));
  /**
   * Finds a server in the database by its URL. A server may get a new URL. Then the known server with the same shard
   * and replica is taken, unless the option --engine still names that server's URL.
   */
  const findKnown = ({ url, shard, replica }: Node): KnownServer | undefined =>
    byUrl.get(url) ??
    known.find((one) => one.shard === shard && one.replica === replica && !named.has(one.url) && one.beat > 0);
  return holdings.flatMap((one) => {
    const { node, holding } = one;
    const before = findKnown(node);
    if (known.length === 0 || before?.state === 'lacking' || before?.state === 'filling') {
      return before && before.url !== node.url ? [{ url: node.url, reason: 'empty' as const }] : [];
    }
    if (!before || (before.beat === 0 && isLeftBehind(one, holdings)))
      return [{ url: node.url, reason: 'empty' as const }];
    const reason = judgeBeat(readOwnBeat(db, holding), before.beat);
    return reason ? [{ url: node.url, reason }] : [];
  });
}

const WHY: Record<LackReason | '', string> = {
  '': '',
  missed: 'missed something',
  empty: 'has a new disk, or was emptied',
  restored: 'has an older disk',
};

/**
 * Refuses a cluster if no server of a shard has all its rows. A shard is a group of servers with the same rows. Answers
 * would lack these hits.
 */
export function assertEveryShard(db: Db): void {
  for (const [shard, own] of Map.groupBy(listKnownServers(db), (one) => one.shard)) {
    if (own.some(({ state }) => state === 'complete')) continue;
    const all = own.map(({ url, reason }) => `${url} ${WHY[reason]}`).join(', ');
    throw new Refusal(
      `no server of shard ${shard + 1} has all its hits: ${all}; bring one of their disks back, or see daybook cluster accept`,
      UNUSABLE,
    );
  }
}
