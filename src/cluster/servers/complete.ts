// A ClickHouse server is complete if it has every row of its shard, a group of servers with the same rows. The
// functions of this file run a statement on all complete servers, and note on which servers it failed.
//
// Invariant: if a statement succeeds on at least one server of each shard, it succeeds as a whole. A server on which
// the statement failed becomes `lacking`: it is not used until its missing rows are copied. So all complete servers of
// a shard have run the same statements.
//
// Example: a shard has the replicas A and B, and a DELETE fails on B. B becomes `lacking`, and its missing rows are
// copied to it later. If the DELETE fails on A and B, the whole statement fails. `buildNodes` calls groupServers.
import { Problem } from '../../lib/errors.ts';

/**
 * What the database file says about servers: they are complete (have all rows) or filling (rows are being copied to
 * them). Without `missed`, a statement that fails on one server fails as a whole.
 */
export type States<Node> = {
  isComplete: (node: Node) => boolean;
  isFilling: (node: Node) => boolean;
  /** Notes that a statement failed on a server. The server is then not used until its missing rows are copied. */
  missed: (node: Node) => void;
};

/** Builds functions that run a statement on all complete servers, those that have all rows of their shard. */
export function groupServers<Node extends { shard: number }>(
  all: readonly Node[],
  { isComplete = () => true, isFilling = () => false, missed }: Partial<States<Node>>,
) {
  const shards = new Set(all.map(({ shard }) => shard)).size;
  const listComplete = (): Node[] => all.filter((node) => isComplete(node));

  /**
   * Runs `work` on servers and gives the results of those that succeeded. A shard is a group of servers with the same
   * rows. Throws if all servers of a shard failed, because then its rows would be missing.
   */
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
   * Runs a statement on every server in use (complete). A server on which it fails is not used until its missing rows
   * are copied (`missed`). The same happens to a server that became complete meanwhile, because it did not run the
   * statement. With `isPatient`, one failure makes the whole statement fail, and it can be tried again.
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
   * Deletes rows on every server in use, and on servers to which rows are being copied (`isFilling`). If deleting fails
   * on one of the latter, the copy starts again. Otherwise the deleted rows would stay there.
   */
  async function removeOnEach(
    work: (node: Node) => Promise<unknown>,
    options: { isPatient?: boolean } = {},
  ): Promise<void> {
    await onEach(work, options);
    await Promise.all(all.filter(isFilling).map((node) => work(node).catch(() => missed?.(node))));
  }

  /**
   * Sends a query to every server in use, for comparing their answers. Servers that fail are left out. Throws only if
   * all servers with the same rows fail.
   */
  const askEach = async <Result>(work: (node: Node) => Promise<Result>) => (await tryEach(listComplete(), work)).done;

  return {
    listComplete,
    onEach,
    removeOnEach,
    askEach,
    /** Stops using a server because it lacks rows. Its state becomes `lacking`, until the rows are copied to it. */
    leaveOut: (node: Node): void => missed?.(node),
  };
}

export const makeUnavailable = (cause: unknown): Problem => new Problem('unavailable', { cause });
