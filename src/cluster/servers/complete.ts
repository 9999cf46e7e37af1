// Complete servers have every row of their shard. The functions of this file run a statement on all complete servers,
// and note on which servers it failed.
//
// Invariant: if a statement succeeds on at least one server of each shard, it succeeds as a whole. A server on which
// the statement failed becomes `lacking`: it is not used until its missing rows are copied. So all complete servers of
// a shard have run the same statements.
//
// Example: a shard has the replicas A and B, and a DELETE fails on B. B becomes `lacking`, and its missing rows are
// copied to it later. If the DELETE fails on A and B, the whole statement fails. `buildNodes` calls groupServers.
import { Problem } from '../../lib/errors.ts';

/**
 * What the database file says about servers. `missed` notes a server on which a statement failed. Without `missed`, a
 * statement fails as a whole when it fails on one server.
 */
export type States<Node> = {
  isComplete: (node: Node) => boolean;
  isFilling: (node: Node) => boolean;
  /** Notes that a server did not run a statement. */
  missed: (node: Node) => void;
};

/** Builds functions that run statements on all complete servers. */
export function groupServers<Node extends { shard: number }>(
  all: readonly Node[],
  { isComplete = () => true, isFilling = () => false, missed }: Partial<States<Node>>,
) {
  const shards = new Set(all.map(({ shard }) => shard)).size;
  const listComplete = (): Node[] => all.filter((node) => isComplete(node));

  /** Gives the results of the servers that succeeded. Throws if no server of a shard succeeded. */
  async function tryEach<Result>(asked: readonly Node[], work: (node: Node) => Promise<Result>) {
    const settled = await Promise.allSettled(asked.map(work));
    const done = asked.flatMap((node, i) => {
      const one = settled[i];
      return one?.status === 'fulfilled' ? [{ node, result: one.value }] : [];
    });
    const fault: unknown = settled.find((one) => one.status === 'rejected')?.reason;
    const hasEveryShard = new Set(done.map(({ node }) => node.shard)).size === shards;
    if (!hasEveryShard) throw fault ?? makeUnavailable(new Error('a shard has no complete server'));
    return { done, fault };
  }

  /**
   * Runs a statement on every complete server and gives the results. A server on which it fails becomes `lacking` (it
   * is not used until its missing rows are copied). If a server became complete during the statement, it becomes
   * `lacking` too. With `isPatient`, one failure makes the whole statement fail.
   */
  async function onEach<Result>(
    work: (node: Node) => Promise<Result>,
    { isPatient = false }: { isPatient?: boolean } = {},
  ): Promise<{ node: Node; result: Result }[]> {
    const { done, fault } = await tryEach(listComplete(), work);
    if (fault !== undefined && (isPatient || !missed)) throw fault;
    for (const node of listComplete()) if (!done.some((one) => one.node === node)) missed?.(node);
    return done;
  }

  /**
   * Deletes rows on every complete server, like `onEach`, and also on servers that are being filled. If the deletion
   * fails on a server that is being filled, its fill (copy of missing rows) starts again.
   */
  async function removeOnEach(
    work: (node: Node) => Promise<unknown>,
    options: { isPatient?: boolean } = {},
  ): Promise<void> {
    await onEach(work, options);
    await Promise.all(all.filter(isFilling).map((node) => work(node).catch(() => missed?.(node))));
  }

  /** Sends a query to every complete server. Gives the results of the servers that answered. */
  const askEach = async <Result>(work: (node: Node) => Promise<Result>) => (await tryEach(listComplete(), work)).done;

  return {
    listComplete,
    onEach,
    removeOnEach,
    askEach,
    /** Makes a server `lacking`: it is not used until its missing rows are copied. */
    leaveOut: (node: Node): void => missed?.(node),
  };
}

export const makeUnavailable = (cause: unknown): Problem => new Problem('unavailable', { cause });
