import { findInstallation } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import { ID } from './found-server.ts';
import { assertPlace } from './marks.ts';
import type { Node, Nodes } from './nodes.ts';
import { namePlace } from './places.ts';

type Deps = { db: Db; nodes: Pick<Nodes, 'all' | 'askOne'> };

/**
 * True if the server `node` has a copy of another server's disk. `place` is the place in the mark of `node`. There is a
 * copy if the server of that place was removed. There is also a copy if that server responds with its own mark and
 * another id. Otherwise the host name of `node` may lead to that server. With `mayBeNew`, that server may have a new
 * disk without a mark.
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
    const isMarked = await assertPlace(nodes, owner, findInstallation(db)?.name);
    const [[own], [other]] = await Promise.all([readId(node), readId(owner)]);
    return (isMarked || mayBeNew) && own?.id !== other?.id;
  } catch {
    return false;
  }
}
