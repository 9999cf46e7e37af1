// Complete servers have every row of their shard. Here statements run on all of them, and failures are noted.
//
// Invariant: a statement that does not fail as a whole ran on every complete server. A server on which it failed is noted as
// lacking. So complete servers of a shard always ran the same statements.
//
// Example: a shard has the replicas A and B, and a DELETE fails on B. B is noted as lacking and gets a fill. If it fails
// on both, the statement fails.
//
// Called by `buildNodes`.
import { Problem } from '../../lib/errors.ts';

/** What the file says about servers. Without `missed`, a statement that one server does not run fails as a whole. */
export type States<Node> = {
  isComplete: (node: Node) => boolean;
  isFilling: (node: Node) => boolean;
  /** Notes that a server did not run a statement. */
  missed: (node: Node) => void;
};

/** Builds functions that run something on all complete servers. */
export function groupServers<Node extends { shard: number }>(
  all: readonly Node[],
  { isComplete = () => true, isFilling = () => false, missed }: Partial<States<Node>>,
) {
  const shards = new Set(all.map(({ shard }) => shard)).size;
  const listComplete = (): Node[] => all.filter((node) => isComplete(node));

  /** Gives the results of the servers that did not fail. Throws if a shard has no such server. */
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
   * Runs a statement on every complete server and gives the results. A server that fails, or becomes complete meanwhile,
   * counts as lacking from then on. With `isPatient` one failure makes the statement fail as a whole.
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
   * Deletes something on every complete server like `onEach`, and on servers that are being filled. If one of these
   * fails, its fill begins again.
   */
  async function removeOnEach(
    work: (node: Node) => Promise<unknown>,
    options: { isPatient?: boolean } = {},
  ): Promise<void> {
    await onEach(work, options);
    await Promise.all(all.filter(isFilling).map((node) => work(node).catch(() => missed?.(node))));
  }

  /** Asks every complete server, and gives the results of those that answer. */
  const askEach = async <Result>(work: (node: Node) => Promise<Result>) => (await tryEach(listComplete(), work)).done;

  return {
    listComplete,
    onEach,
    removeOnEach,
    askEach,
    /** From now on the server counts as lacking and is not used. */
    leaveOut: (node: Node): void => missed?.(node),
  };
}

export const makeUnavailable = (cause: unknown): Problem => new Problem('unavailable', { cause });
