import { Problem } from '../lib/errors.ts';
import type { ServerState } from '../store/servers.ts';
import type { Node } from './nodes.ts';

export type States = {
  /** What each server has, by its URL, as the file says now; one that it does not name is complete. */
  states: () => ReadonlyMap<string, ServerState>;
  /** Notes that a server missed a statement. Without it such a statement fails as a whole. */
  missed: (url: string) => void;
};

export const unavailable = (cause: unknown): Problem => new Problem('unavailable', { cause });

/** The servers of a cluster that have everything, and what is done on all of them. */
export function completeOnes(all: readonly Node[], { states = () => new Map(), missed }: Partial<States>) {
  const shards = new Set(all.map(({ shard }) => shard)).size;

  function listComplete(): Node[] {
    const known = states();
    return all.filter(({ url }) => (known.get(url) ?? 'complete') === 'complete');
  }

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
    for (const node of listComplete()) if (!done.some((one) => one.node === node)) missed?.(node.url);
    return done;
  }

  return { listComplete, onEach };
}
