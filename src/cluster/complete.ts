import { Problem } from '../lib/errors.ts';

/** What is known of the states of servers. Without `missed` a statement that one of them does not run fails as a whole. */
export type States<Node> = {
  isComplete: (node: Node) => boolean;
  /** Notes that a server missed a statement. */
  missed: (node: Node) => void;
};

export const unavailable = (cause: unknown): Problem => new Problem('unavailable', { cause });

/** The servers of a cluster that have everything, and what is done on all of them. */
export function completeOnes<Node extends { shard: number }>(
  all: readonly Node[],
  { isComplete = () => true, missed }: Partial<States<Node>>,
) {
  const shards = new Set(all.map(({ shard }) => shard)).size;
  const listComplete = (): Node[] => all.filter((node) => isComplete(node));

  /**
   * Does something on every complete server. A server that fails lacks something from then on, if another of its shard did not
   * fail; so does one that became complete meanwhile. Gives what the others gave.
   */
  async function onEach<Result>(work: (node: Node) => Promise<Result>): Promise<{ node: Node; result: Result }[]> {
    const asked = listComplete();
    const settled = await Promise.allSettled(asked.map(work));
    const done = asked.flatMap((node, i) => {
      const one = settled[i];
      return one?.status === 'fulfilled' ? [{ node, result: one.value }] : [];
    });
    const failed = settled.find((one) => one.status === 'rejected');
    const hasEveryShard = new Set(done.map(({ node }) => node.shard)).size === shards;
    if (failed && !(missed && hasEveryShard)) throw failed.reason;
    if (!hasEveryShard) throw unavailable(new Error('a shard has no complete server'));
    for (const node of listComplete()) if (!done.some((one) => one.node === node)) missed?.(node);
    return done;
  }

  return { listComplete, onEach };
}
