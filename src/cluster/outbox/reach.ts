import { type Clock, seconds } from '../../lib/time.ts';
import { listServers, type Server } from '../../store/cluster/cluster-servers.ts';
import type { Progress } from '../../store/cluster/collectors.ts';
import { findSender } from '../../store/cluster/outbox.ts';
import type { Db } from '../../store/db.ts';
import { parseAddress } from '../servers/address.ts';
import { buildNodes, type Node, type Nodes } from '../servers/nodes.ts';
import { findLowestNumber, SENDERS } from '../servers/row-numbers.ts';
import { measureProgress } from './progress.ts';

/**
 * The ClickHouse servers to which a process sends rows. `behind` has those that have not received all waiting rows.
 * They get no queries, because their answers would lack hits.
 */
export type Reach = { nodes: Nodes; behind: Set<Node>; listServers(): readonly Server[] };

/**
 * Reads the list of ClickHouse servers from the file of this collector, a machine that only takes hits. The primary
 * server sent the list earlier.
 */
export function findReach(db: Db): Reach {
  const behind = new Set<Node>();
  // A collector asks servers how many hits a day has, because a day has a maximum. A server that lacks rows would give
  // too low a number. So only complete servers are asked.
  const isComplete = ({ url }: Node) => listServers(db).find((one) => one.url === url)?.state === 'complete';
  const nodes = buildNodes(parseAddress(findSender(db).engine), listServers(db), { behind, isComplete });
  return { nodes, behind, listServers: () => listServers(db) };
}

/**
 * Says which rows of this collector (a machine that only takes hits) each ClickHouse server has received. Used for the
 * first reports after the start. Later the intake says this, but it starts only after the first answer.
 */
export function readFirstProgress(db: Db, clock: Clock): Progress {
  const next = Math.max(findSender(db).seq + SENDERS, findLowestNumber(clock.now()));
  return measureProgress(db, listServers(db), { next, until: seconds(clock) });
}
