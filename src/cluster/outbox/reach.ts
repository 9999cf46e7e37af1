// The reach of a process is the list of ClickHouse servers to which it sends rows, with what it needs to send them. This
// file makes the reach of a collector from the list that the primary sent. engine.ts makes the reach of the primary.
//
// Invariant: before each parcel, a collector reads the mark of the server. It sends nothing to a server with an older or
// empty disk, or of another place. Once a mark says that the collector is retired, it sends nothing to any server.
//
// Example: the operator has retired a collector whose machine seemed lost. The machine comes back, but cannot reach the
// primary. The collector finds its number in the mark of a server, and stops. touch.ts and compose-collector.ts use this
// file.
import { type Clock, seconds } from '../../lib/time.ts';
import { listServers, type Server } from '../../store/cluster/cluster-servers.ts';
import { type Division, listDivisions } from '../../store/cluster/divisions.ts';
import { findInstallationName } from '../../store/cluster/installation.ts';
import { findSender } from '../../store/cluster/outbox-sender.ts';
import type { Progress } from '../../store/cluster/sender-status.ts';
import type { Db } from '../../store/db.ts';
import { parseAddress } from '../servers/address.ts';
import { readNewestMark } from '../servers/marks.ts';
import { buildNodes, type Node, type Nodes } from '../servers/nodes.ts';
import { SENDERS } from '../servers/row-numbers.ts';
import { watchBeats } from '../servers/seen-beats.ts';
import { measureProgress } from './progress.ts';

/**
 * The ClickHouse servers to which a process sends rows. `behind` has the servers that have not received all waiting
 * rows. Servers in `behind` get no queries, because their answers would lack hits. `changed` is called when `behind`
 * has changed.
 */
export type Reach = {
  nodes: Nodes;
  behind: Set<Node>;
  listServers(): readonly Server[];
  listDivisions(): readonly Division[];
  changed?: () => void;
  /** True if the mark of a server said that this collector is retired. The primary may not respond at that time. */
  isRetired?: () => boolean;
};

/** Reads the list of servers from the file of this collector. The primary sent the list earlier. */
export function findReach(db: Db): Reach {
  const behind = new Set<Node>();
  const judge = watchBeats();
  let isRetired = false;
  // A collector asks servers how many hits a day has. A server that lacks rows would give too low a number, so only
  // complete servers are asked.
  const isComplete = ({ url }: Node) => listServers(db).find((one) => one.url === url)?.state === 'complete';
  const isFilling = ({ url }: Node) => listServers(db).find((one) => one.url === url)?.state === 'filling';
  const nodes: Nodes = buildNodes(parseAddress(findSender(db).engine), listServers(db), {
    ...{ behind, isComplete, isFilling },
    async returned(url) {
      const node = nodes.all.find((one) => one.url === url);
      if (node) await nodes.assertPlace(node);
    },
    async checkMark(node) {
      const own = { installation: findInstallationName(db), sender: findSender(db).number };
      const mark = await readNewestMark(nodes, node, own);
      // A server without a mark says nothing of this collector, unless it is being filled.
      isRetired = mark.isRetired || (isRetired && mark.beat === 0);
      // The rows of a retired collector were copied from one server to another. This collector may not know that. If it
      // sent its rows too, they would count twice (test/cluster/fill/retired-sender.test.ts).
      if (isRetired) throw new Error(`${node.url} says that this collector is retired`);
      return judge(node.url, mark.beat);
    },
  });
  return {
    nodes,
    behind,
    isRetired: () => isRetired,
    listServers: () => listServers(db),
    listDivisions: () => listDivisions(db),
  };
}

/**
 * Reports which rows of this collector each server has received. Later reports come from the intake, which starts only
 * after the primary has answered the first report.
 */
export function readFirstProgress(db: Db, clock: Clock): Progress {
  // Before the first answer of the primary, the clock may be ahead. So the row number `next` is not made from the time.
  return measureProgress(db, listServers(db), { next: findSender(db).seq + SENDERS, until: seconds(clock) });
}
