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
 * The servers to which a process sends rows. `behind` has the servers that have not received everything in the
 * outbox.
 */
export type Reach = { nodes: Nodes; behind: Set<Node>; listServers(): readonly Server[] };

/** Reads the servers from the outbox file. The primary server sent their list to this collector. */
export function findReach(db: Db): Reach {
  const behind = new Set<Node>();
  // Only complete servers are asked how many hits a day has. A server that lacks rows would give too low a number. Then the day
  // would get more hits than allowed.
  const isComplete = ({ url }: Node) => listServers(db).find((one) => one.url === url)?.state === 'complete';
  const nodes = buildNodes(parseAddress(findSender(db).engine), listServers(db), { behind, isComplete });
  return { nodes, behind, listServers: () => listServers(db) };
}

/** Gives the progress of a collector that has just started and has not received any hit yet. */
export function readFirstProgress(db: Db, clock: Clock): Progress {
  const next = Math.max(findSender(db).seq + SENDERS, findLowestNumber(clock.now()));
  return measureProgress(db, listServers(db), { next, until: seconds(clock) });
}
