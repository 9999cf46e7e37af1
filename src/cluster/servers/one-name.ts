// Checks before a fill that the URL of a server does not lead to another server of the cluster. The mark of a server in
// use names its place, which is its shard and replica (marks.ts). But a server that lacks rows may have no mark. So the
// ids of the servers are compared.
//
// Invariant: no server is filled from itself. A fill first deletes the hits of open days on the server to be filled. If
// this server were also the source of the copy, these hits would be lost (test/cluster/grow/one-server.test.ts).
//
// Example: one:8123 lacks rows. By mistake, the host name `one` was changed in DNS and now leads to the machine of
// two:8123. Then one:8123 responds with the id of two:8123, and is not filled. engine.ts calls `assertOneName`.
import * as v from 'valibot';
import type { Address } from './address.ts';
import { ID } from './found-server.ts';
import { assertDifferent } from './places.ts';
import { buildSend, parseRows, SHORT_ANSWER } from './send.ts';

const Named = v.object({ id: v.string() });

/** How long a server may take to give its id. */
const PATIENCE_MS = 3_000;

type Server = { url: string };

/**
 * Throws if the URL of a server leads to another server of the list `all`. Servers that do not respond are not
 * compared.
 */
export async function assertOneName(address: Address, node: Server, all: readonly Server[]): Promise<void> {
  const send = buildSend({ ...address, database: 'default' });
  const ask = async ({ url }: Server) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await send(url, `SELECT ${ID} FORMAT JSONEachRow`, { signal, longest: SHORT_ANSWER });
    return { url, ...v.parse(Named, parseRows<unknown>(answer)[0]) };
  };
  const others = all.filter(({ url }) => url !== node.url);
  const [own, ...found] = await Promise.all([ask(node), ...others.map((one) => ask(one).catch(() => undefined))]);
  for (const other of found) if (other) assertDifferent([other, own]);
}
