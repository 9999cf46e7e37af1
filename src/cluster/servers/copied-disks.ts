import { findInstallation } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import { ID } from './found-server.ts';
import { assertPlace } from './marks.ts';
import type { Node, Nodes } from './nodes.ts';
import { namePlace } from './places.ts';

type Deps = { db: Db; nodes: Pick<Nodes, 'all' | 'askOne'> };

/**
 * True if the server `node` has a copy of another server's disk. `place` is the shard and replica that the mark of
 * `node` names. The owner of the disk is the server that has, or had, this place in the cluster.
 *
 * The disk is a copy if the owner was removed from the cluster. It is also a copy if the owner has its own mark, and
 * the ids of `node` and the owner differ. If the ids are equal, the host name of `node` leads to the owner. If a server
 * does not respond, the result is false. With `mayBeNew`, the owner needs no mark, because it may have a new disk.
 */
export async function hasCopiedDisk(
  { db, nodes }: Deps,
  node: Node,
  place: string,
  { mayBeNew = false } = {},
): Promise<boolean> {
  const owner = nodes.all.find((one) => one.url !== node.url && namePlace(one) === place);
  if (!owner) return true;
  const readId = (one: Node) => nodes.askOne<{ id: string }>(one, `SELECT ${ID}`);
  try {
    const isMarked = (await assertPlace(nodes, owner, findInstallation(db)?.name)) > 0;
    const [[own], [other]] = await Promise.all([readId(node), readId(owner)]);
    return (isMarked || mayBeNew) && own?.id !== other?.id;
  } catch {
    return false;
  }
}
