// A command such as `daybook export` checks each server when it connects. If a server does not respond at that time, it
// is checked before its first statement. A server that stopped responding is checked again.
//
// Invariant: a command gets no answer from a server that lost rows. The running daybook would notice the loss, but it
// may be stopped. For example, it is stopped for the last step of `daybook move` back into the database file.
//
// Example: a server starts with a disk of yesterday, and responds 4 s after the command has connected. The check before
// the first query finds the old mark of the server, and the query goes to another replica. connect.ts uses this file.
// Test: test/cluster/servers/commands.test.ts.
import type { Address } from './address.ts';
import { ping } from './admission.ts';
import { endWith } from './end-with.ts';
import type { Node } from './nodes.ts';

type Deps = { address: Address; nodes: readonly Node[]; check: (node: Node) => Promise<void> };

/** Builds functions that check a server. `check` throws if the server must not be used, or does not respond. */
export function buildLateChecks({ address, nodes, check }: Deps) {
  const checked = new Set<string>();
  const running = new Map<string, Promise<void>>();

  function begin(node: Node): Promise<void> {
    const { url } = node;
    const own = ping(address, url)
      .then(() => check(node))
      .finally(() => running.delete(url));
    running.set(url, own);
    return own;
  }

  async function checkNow(url: string, signal?: AbortSignal): Promise<void> {
    const node = nodes.find((one) => one.url === url);
    if (node) await endWith(running.get(url) ?? begin(node), signal);
  }

  return {
    /** Notes that a server is checked. */
    noteChecked: ({ url }: Node): void => void checked.add(url),
    /** Checks a server that stopped responding and responds again. */
    returned: (url: string): Promise<void> => checkNow(url),
    /** Returns once a server is checked. */
    async admit(url: string, signal?: AbortSignal): Promise<void> {
      if (!checked.has(url)) await checkNow(url, signal);
    },
  };
}
