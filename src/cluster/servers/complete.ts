// A server is complete if it has every row of its shard. The functions of this file run a statement on all complete
// servers, and note on which servers it failed.
//
// Invariant: all complete servers of a shard have run the same statements. If a statement fails on a server but
// succeeds on a replica, the server becomes `lacking`. Such a server is not used until its missing rows are copied.
// With `isPatient`, the server stays complete, and the caller must run the statement again on all servers.
//
// Example: a shard has the replicas A and B, and a DELETE fails on B. B becomes `lacking`, and its missing rows are
// copied to it later. If the DELETE fails on A and B, the whole statement fails. `buildNodes` calls groupServers.
import { Problem } from '../../lib/errors.ts';

/** What is known about servers. Without `missed`, a statement fails as soon as it fails on one server. */
export type States<Node> = {
  isComplete: (node: Node) => boolean;
  isFilling: (node: Node) => boolean;
  /** Notes that a statement failed on a server. The server is then not used until its missing rows are copied. */
  missed: (node: Node) => void;
  /** True if a server stopped responding. */
  isAway: (node: Node) => boolean;
};

/** True if the servers include at least one of each shard. */
export const haveEveryShard = (nodes: readonly { shard: number }[], shards: number): boolean =>
  new Set(nodes.map(({ shard }) => shard)).size === shards;

export const makeShardUnavailable = () => makeUnavailable(new Error('a shard has no complete server'));

/** Builds functions that run a statement on all complete servers. */
export function groupServers<Node extends { shard: number }>(
  all: readonly Node[],
  { isComplete = () => true, isFilling = () => false, isAway = () => false, missed }: Partial<States<Node>>,
) {
  const listComplete = (): Node[] => all.filter((node) => isComplete(node));

  /**
   * Runs `work` on servers and gives the results of those that succeeded. Throws if all servers of a shard failed,
   * because the rows of that shard would be missing.
   */
  async function tryEach<Result>(asked: readonly Node[], work: (node: Node) => Promise<Result>) {
    const shards = new Set(all.map(({ shard }) => shard)).size;
    const settled = await Promise.allSettled(asked.map(work));
    const done = asked.flatMap((node, i) => {
      const one = settled[i];
      return one?.status === 'fulfilled' ? [{ node, result: one.value }] : [];
    });
    const fault: unknown = settled.find((one) => one.status === 'rejected')?.reason;
    const answered = done.map(({ node }) => node);
    if (!haveEveryShard(answered, shards)) throw fault ?? makeShardUnavailable();
    return { done, fault };
  }

  /**
   * Runs a statement on every complete server. A server that fails, or becomes complete while the statement runs, lacks
   * the effect of the statement. Such a server is not used until its missing rows are copied (`missed`). With
   * `isPatient`, one failure makes the whole statement fail, so that the caller can try again.
   */
  async function onEach<Result>(
    work: (node: Node) => Promise<Result>,
    { isPatient = false }: { isPatient?: boolean } = {},
  ): Promise<{ node: Node; result: Result }[]> {
    const asked = listComplete();
    const { done, fault } = await tryEach(asked, work);
    if (fault !== undefined && (isPatient || !missed)) throw fault;
    for (const node of listComplete()) {
      // A shard that was added while the statement ran is empty, so its servers missed nothing.
      const isOfNewShard = !asked.some(({ shard }) => shard === node.shard);
      if (!isOfNewShard && !done.some((one) => one.node === node)) missed?.(node);
    }
    return done;
  }

  /**
   * Deletes rows on every complete server, and on servers that are being filled (`isFilling`). If deleting fails on a
   * filling server, its fill starts again. Otherwise the deleted rows would stay there.
   */
  async function removeOnEach(
    work: (node: Node) => Promise<unknown>,
    options: { isPatient?: boolean } = {},
  ): Promise<void> {
    await onEach(work, options);
    await Promise.all(all.filter(isFilling).map((node) => work(node).catch(() => missed?.(node))));
  }

  /**
   * Sends a query to every complete server, for comparing their answers. Servers that fail are left out. Throws if all
   * servers of a shard fail. A server that hangs is not asked if another server of its shard responds. Otherwise each
   * query would wait 7 s (test/cluster/upkeep/recount.test.ts).
   */
  async function askEach<Result>(work: (node: Node) => Promise<Result>) {
    const complete = listComplete();
    const there = new Set(complete.filter((node) => !isAway(node)).map(({ shard }) => shard));
    const asked = complete.filter((node) => !isAway(node) || !there.has(node.shard));
    return (await tryEach(asked, work)).done;
  }

  return {
    listComplete,
    onEach,
    removeOnEach,
    askEach,
    /** Stops using a server that lacks rows, until the rows are copied to it. */
    leaveOut: (node: Node): void => missed?.(node),
  };
}

export const makeUnavailable = (cause: unknown): Problem => new Problem('unavailable', { cause });
