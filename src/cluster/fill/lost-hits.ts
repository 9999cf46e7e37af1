// Before a server is filled automatically, this file checks whether only this server has some hits of a lost collector.
// A collector is lost if it was retired with --lost. A lost collector does not send its hits again, and a fill deletes
// the hits of open days on the server. So a server that alone has hits of a lost collector is filled only if the
// operator asks for it.
//
// Example: a collector sent its hits of 10:00 to 10:08 only to server B, because replica A hung. B then missed a
// deletion and is `lacking`. The disk of the collector is lost. So only B has the hits of these minutes. filler.ts
// calls `assertLostCopied`. Test: test/cluster/fill/lost-hits.test.ts.
import { listSlices } from '../../catalog/sealed-days.ts';
import { listLost, listRetiredNumbers } from '../../store/cluster/collectors.ts';
import { findLag, LATE_SECONDS } from '../../store/cluster/sender-status.ts';
import type { Db } from '../../store/db.ts';
import { hasSite } from '../../store/sites/sites.ts';
import type { Node } from '../servers/nodes.ts';
import { findLowestNumber, SENDERS } from '../servers/row-numbers.ts';
import { type Deps, findFirstSource } from './fill.ts';

/** The last row of a collector for a site and a day. */
type LastRow = { siteId: number; day: number; sender: number; last: number };

const makeKey = ({ siteId, day, sender }: LastRow): string => `${siteId} ${day} ${sender}`;

/**
 * Throws if a server has hits of a lost collector that the source of its fill lacks. A collector sends its hits to all
 * servers in one order. So the last row of a day tells which server has more of them.
 */
export async function assertLostCopied({ db, nodes }: Pick<Deps, 'db' | 'nodes'>, node: Node): Promise<void> {
  const numbers = listRetiredNumbers(db, { isLost: true });
  if (numbers.length === 0) return;
  const source = await findFirstSource({ db, nodes }, node);
  const sql = `SELECT site AS siteId, day, seq % ${SENDERS} AS sender, max(seq) AS last FROM activity
    WHERE import = 0 AND seq % ${SENDERS} IN (${numbers.join()}) GROUP BY siteId, day, sender`;
  const [own = [], there = []] = await Promise.all([node, source].map((one) => nodes.askOne<LastRow>(one, sql)));
  const copied = new Map(there.map((row) => [makeKey(row), row.last]));
  const ends = findEnds(db, node, source);
  // On the source, a sealed day has visits instead of rows. So rows from before the sealing are not lost.
  const findSealed = ({ siteId, day, sender }: LastRow): number =>
    ends.get(sender) ??
    Math.max(0, ...listSlices(db, siteId, day, day + 1).map(({ at }) => findLowestNumber((at + 1) * 1000)));
  const isOnlyHere = (row: LastRow): boolean =>
    row.last > Math.max(copied.get(makeKey(row)) ?? 0, findSealed(row)) && hasSite(db, row.siteId);
  if (own.some(isOnlyHere))
    throw new Error(
      `only ${node.url} has some hits of a collector that was retired with --lost. A fill would delete them. To fill this server anyway, run daybook cluster fill ${new URL(node.url).host}`,
    );
}

/**
 * A day may have been sealed while only one server had some of its hits. Then the last report of the collector says
 * which rows the source has. Gives the number of the last one for each collector that had sent over a minute more to
 * the server.
 */
const findEnds = (db: Db, { url }: Node, source: Node): ReadonlyMap<number, number> =>
  new Map(
    listLost(db)
      .filter((one) => findLag(one, source.url, url) > LATE_SECONDS)
      .map(({ number, servers }) => [number, (servers.find((one) => one.url === source.url)?.next ?? 0) - 1]),
  );
