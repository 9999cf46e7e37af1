// The reach of a collector: the servers of the cluster to which it sends, and its progress with each of them.
import { type Clock, seconds } from '../../lib/time.ts';
import { listServers, type Server } from '../../store/cluster/cluster-servers.ts';
import type { Progress } from '../../store/cluster/collectors.ts';
import { findSender } from '../../store/cluster/outbox.ts';
import type { Db } from '../../store/db.ts';
import { parseAddress } from '../servers/address.ts';
import { buildNodes, type Node, type Nodes } from '../servers/nodes.ts';
import { findLowestNumber, SENDERS } from '../servers/row-numbers.ts';
import { measureProgress } from './progress.ts';

/** The servers of a cluster; `behind` has those that lack something of what waits in the outbox. */
export type Reach = { nodes: Nodes; behind: Set<Node>; listServers(): readonly Server[] };

/** Reads the servers from the tables that the primary sent to this collector. */
export function findReach(db: Db): Reach {
  const behind = new Set<Node>();
  // A server that lacks rows counts too few hits of a day, so full days would take more.
  const isComplete = ({ url }: Node) => listServers(db).find((one) => one.url === url)?.state === 'complete';
  const nodes = buildNodes(parseAddress(findSender(db).engine), listServers(db), { behind, isComplete });
  return { nodes, behind, listServers: () => listServers(db) };
}

/** The progress of a collector that has just started and has taken no hit yet. */
export function readFirstProgress(db: Db, clock: Clock): Progress {
  const next = Math.max(findSender(db).seq + SENDERS, findLowestNumber(clock.now()));
  return measureProgress(db, listServers(db), { next, until: seconds(clock) });
}
