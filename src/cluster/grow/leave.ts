import { type KnownServer, listKnownServers, type ServerPlace } from '../../store/cluster/cluster-servers.ts';
import { findInstallation } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import type { Address } from '../servers/address.ts';
import { listOutdone } from '../servers/late.ts';
import { namePlace } from '../servers/places.ts';
import { buildSend, SHORT_ANSWER } from '../servers/send.ts';

/**
 * Lists the other servers of a shard that have all its rows. A server for which a fill was requested (`isWanted`) may
 * lack rows. A server that is being removed too does not count.
 */
const listComplete = (db: Db, { url, shard }: KnownServer): KnownServer[] =>
  listKnownServers(db).filter(
    (one) =>
      one.shard === shard && one.url !== url && one.state === 'complete' && one.isWanted === 0 && one.isLeaving === 0,
  );

/**
 * Lists the other servers of a shard that have all rows of `server`. If the list is not empty, `server` can be removed.
 */
export function listSuccessors(db: Db, server: KnownServer): KnownServer[] {
  const others = listComplete(db, server);
  const outdone = listOutdone(db, [server, ...others], { isCommand: true });
  return others.filter(({ url }) => !outdone.has(url));
}

/** True if a server can be removed from the cluster, because another server of its shard has all its rows. */
export const isDispensable = (db: Db, server: KnownServer): boolean => listSuccessors(db, server).length > 0;

const PATIENCE_MS = 3_000;

/**
 * Deletes our mark on a removed server. A mark is a row that names our installation (../servers/marks.ts). An older
 * copy of the database file may still list the server. With that copy, a server without a mark does not count as
 * complete (test/cluster/grow/older-file.test.ts). The mark stays on a server that is off. The mark of another
 * installation stays, because that installation may use the server now. The mark also stays if the server is in the
 * cluster again under another name. Then its mark names another place, which is a shard and a replica
 * (test/cluster/grow/one-server.test.ts).
 */
export async function removeMark(address: Address, db: Db, { url, ...place }: ServerPlace): Promise<void> {
  const { name = '' } = findInstallation(db) ?? {};
  const sql = `ALTER TABLE mark DELETE WHERE installation = '${name}' AND place = '${namePlace(place)}'
    SETTINGS mutations_sync = 1`;
  await buildSend(address)(url, sql, { signal: AbortSignal.timeout(PATIENCE_MS), longest: SHORT_ANSWER }).catch(
    () => {},
  );
}
