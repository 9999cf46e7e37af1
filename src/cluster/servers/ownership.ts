/*
 * Whose a cluster is, and which of its servers have everything. Both are looked at before a server is put into service, because a wrong
 * daybook.db would mix the hits of two installations, and an empty disk would answer with half of everything.
 */
import { findLastDayId } from '../../catalog/day-states.ts';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import { type KnownServer, type LackReason, listKnownServers } from '../../store/cluster/cluster-servers.ts';
import { findInstallation } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import { lastSiteId } from '../../store/sites/sites.ts';
import type { Holding } from './marks.ts';
import type { Node } from './nodes.ts';

/** A server that answers, and what it has. */
export type Held = { node: Node; holding: Holding };

const ADOPT = 'daybook cluster adopt says what would be in no answer';

/** Refuses the cluster of another installation, and one that is newer than the file. `isNew` says that the file had no cluster yet. */
export function assertOurs(db: Db, held: readonly Held[], isNew: boolean): void {
  const own = findInstallation(db)?.name;
  const [lastSite, lastDay] = [lastSiteId(db), findLastDayId(db)];
  for (const { node, holding } of held) {
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

/** The beat of this file's mark. */
const beatOf = (db: Db, { marks }: Holding): number =>
  marks.find(({ installation }) => installation === findInstallation(db)?.name)?.beat ?? 0;

/** Why a server with a mark lacks something; undefined where it does not. */
export function faultOfBeat(found: number, noted: number): LackReason | undefined {
  if (found >= noted) return undefined;
  return found === 0 ? 'empty' : 'restored';
}

/** What is wrong with a server that had no mark yet: it is empty, and another of its shard is not. */
const isLeftBehind = (one: Held, held: readonly Held[]): boolean =>
  one.holding.isEmpty && held.some(({ node, holding }) => node.shard === one.node.shard && !holding.isEmpty);

/** The servers that lack something, and why, where the file does not say so yet. */
export function listNewlyLacking(db: Db, held: readonly Held[]): { url: string; reason: LackReason }[] {
  const known = listKnownServers(db);
  const byUrl = new Map(known.map((one) => [one.url, one]));
  const named = new Set(held.map(({ node }) => node.url));
  /** What the file says of a server; of one with a new URL what it says of the one that had its place. */
  const knownOf = ({ url, shard, replica }: Node): KnownServer | undefined =>
    byUrl.get(url) ??
    known.find((one) => one.shard === shard && one.replica === replica && !named.has(one.url) && one.beat > 0);
  return held.flatMap((one) => {
    const { node, holding } = one;
    const before = knownOf(node);
    if (known.length === 0 || before?.state === 'lacking' || before?.state === 'filling') {
      return before && before.url !== node.url ? [{ url: node.url, reason: 'empty' as const }] : [];
    }
    if (!before || (before.beat === 0 && isLeftBehind(one, held))) return [{ url: node.url, reason: 'empty' as const }];
    const reason = faultOfBeat(beatOf(db, holding), before.beat);
    return reason ? [{ url: node.url, reason }] : [];
  });
}

const WHY: Record<LackReason | '', string> = {
  '': '',
  missed: 'missed something',
  empty: 'has a new disk, or was emptied',
  restored: 'has an older disk',
};

/** Refuses to go on where a shard has no server with all its hits: answers would lack them without a word. */
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
