import { type KnownServer, listKnownServers } from '../../store/cluster/cluster-servers.ts';
import type { Db } from '../../store/db.ts';
import { listOutdone } from '../servers/late.ts';

/**
 * Lists the other servers of a shard that have everything. A server that the operator or a lost collector wants filled
 * may lack something. A server that leaves too does not count.
 */
const listComplete = (db: Db, { url, shard }: KnownServer): KnownServer[] =>
  listKnownServers(db).filter(
    (one) =>
      one.shard === shard && one.url !== url && one.state === 'complete' && one.isWanted === 0 && one.isLeaving === 0,
  );

/** Lists the servers that have all that a server has, so that it can leave the cluster. */
export function listSuccessors(db: Db, server: KnownServer): KnownServer[] {
  const others = listComplete(db, server);
  const outdone = listOutdone(db, [server, ...others], { isCommand: true });
  return others.filter(({ url }) => !outdone.has(url));
}

/** True if a server can leave the cluster, because another server of its shard has everything. */
export const isDispensable = (db: Db, server: KnownServer): boolean => listSuccessors(db, server).length > 0;
