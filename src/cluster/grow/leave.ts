import { type KnownServer, listKnownServers } from '../../store/cluster/cluster-servers.ts';
import type { Db } from '../../store/db.ts';
import { listOutdone } from '../servers/late.ts';

/**
 * Lists the other servers of a shard that have everything. A server for which a fill was requested (`isWanted`) may
 * lack rows. A server that is being removed too does not count.
 */
const listComplete = (db: Db, { url, shard }: KnownServer): KnownServer[] =>
  listKnownServers(db).filter(
    (one) =>
      one.shard === shard && one.url !== url && one.state === 'complete' && one.isWanted === 0 && one.isLeaving === 0,
  );

/** Lists the servers that have all rows of a server. If there is one, the server can be removed from the cluster. */
export function listSuccessors(db: Db, server: KnownServer): KnownServer[] {
  const others = listComplete(db, server);
  const outdone = listOutdone(db, [server, ...others], { isCommand: true });
  return others.filter(({ url }) => !outdone.has(url));
}

/** True if a server can be removed from the cluster, because another server of its shard has everything. */
export const isDispensable = (db: Db, server: KnownServer): boolean => listSuccessors(db, server).length > 0;
