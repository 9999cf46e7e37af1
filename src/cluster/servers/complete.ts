import { Problem } from '../../lib/errors.ts';

/** What is known of the states of servers. Without `missed` a statement that one of them does not run fails as a whole. */
export type States<Node> = {
  isComplete: (node: Node) => boolean;
  isFilling: (node: Node) => boolean;
  /** Notes that a server missed a statement. */
  missed: (node: Node) => void;
};

export const unavailable = (cause: unknown): Problem => new Problem('unavailable', { cause });

/** The servers of a cluster that have everything, and what is done on all of them. */
export function completeOnes<Node extends { shard: number }>(
  all: readonly Node[],
  { isComplete = () => true, isFilling = () => false, missed }: Partial<States<Node>>,
) {
  const shards = new Set(all.map(({ shard }) => shard)).size;
  const listComplete = (): Node[] => all.filter((node) => isComplete(node));

  /** What those that did not fail gave, one server of each shard at least. */
  async function tryEach<Result>(asked: readonly Node[], work: (node: Node) => Promise<Result>) {
    const settled = await Promise.allSettled(asked.map(work));
    const done = asked.flatMap((node, i) => {
      const one = settled[i];
      return one?.status === 'fulfilled' ? [{ node, result: one.value }] : [];
    });
    const fault: unknown = settled.find((one) => one.status === 'rejected')?.reason;
    const hasEveryShard = new Set(done.map(({ node }) => node.shard)).size === shards;
    if (!hasEveryShard) throw fault ?? unavailable(new Error('a shard has no complete server'));
    return { done, fault };
  }

  /**
   * Does something on every complete server. A server that fails lacks something from then on, if another of its shard did not
   * fail; so does one that became complete meanwhile. Gives what the others gave. While it is patient, it fails as a whole instead.
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

  /** Deletes something on every complete server as onEach, and on those that are being filled, of which one that fails is filled again. */
  async function removeOnEach(
    work: (node: Node) => Promise<unknown>,
    options: { isPatient?: boolean } = {},
  ): Promise<void> {
    await onEach(work, options);
    await Promise.all(all.filter(isFilling).map((node) => work(node).catch(() => missed?.(node))));
  }

  /** Asks every complete server; gives what those say that answer. */
  const askEach = async <Result>(work: (node: Node) => Promise<Result>) => (await tryEach(listComplete(), work)).done;

  return {
    listComplete,
    onEach,
    removeOnEach,
    askEach,
    /** Goes on without a complete server, which lacks something from then on. */
    leaveOut: (node: Node): void => missed?.(node),
  };
}
