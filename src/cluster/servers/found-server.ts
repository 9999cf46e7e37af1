// Asks a ClickHouse server for its version, its id and its configuration, before daybook connects to the server.
//
// Invariant: `askServer` throws if a server refuses a statement, or if the user lacks a right there. If a server does
// not respond, or is no ClickHouse server, the result is a `SilentServer`. Other servers may then stand in for it.
//
// Example: `askServer` returns the version, an id that is equal for all URLs of the server, and the servers of the
// cluster in its configuration. connect.ts and grow/new-servers.ts call `askServer`. one-name.ts asks only for the id.
import * as v from 'valibot';
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { Address } from './address.ts';
import { checkRights } from './rights.ts';
import { buildSend, parseRows, Refused, SHORT_ANSWER } from './send.ts';

/** The oldest version of ClickHouse that is allowed. The tests run with this version. */
const LEAST_VERSION = [26, 7] as const;

/** When daybook connects, a server that does not respond within 3 s counts as away. */
const FOUND_MS = 3_000;

type ClusterRow = { shard: number; replica: number; isLocal: number };

/**
 * `id` is equal for all URLs of a server. A second server with a copy of the disk has an equal UUID. So `id` also
 * contains the host and the port.
 */
const Self = v.object({ version: v.string(), id: v.string() });
type Self = v.InferOutput<typeof Self>;
export const ID = "concat(hostName(), ' ', toString(tcpPort()), ' ', toString(serverUUID())) AS id";
const SELECT_SELF = `SELECT version() AS version, ${ID} FORMAT JSONEachRow`;

/**
 * What a ClickHouse server says about itself. `listed` has the servers that its configuration names for the cluster.
 */
export type FoundServer = Self & { url: string; listed: ClusterRow[] };
type SilentServer = { url: string; fault: string };

export const readFirstLine = (error: unknown): string => (error as Error).message.split('\n')[0]?.slice(0, 300) ?? '';

export async function askServer(address: Address, url: string, log: Log): Promise<FoundServer | SilentServer> {
  const send = buildSend({ ...address, database: 'default' });
  const listing = `SELECT shard_num AS shard, replica_num AS replica, is_local AS isLocal FROM system.clusters
    WHERE cluster = '${address.cluster}' FORMAT JSONEachRow`;
  try {
    const signal = AbortSignal.timeout(FOUND_MS);
    const self = await send(url, SELECT_SELF, { signal, longest: SHORT_ANSWER });
    const listed = send(url, listing, { signal });
    // This query fails if a right is missing. Then `checkRights` fails too, with a clearer error.
    listed.catch(() => {});
    await checkRights({ send, address, url, log, signal: AbortSignal.timeout(FOUND_MS) });
    const found = v.safeParse(Self, parseRows<unknown>(self)[0]);
    if (!found.success) throw new Error(`${new URL(url).origin}: what answers is no ClickHouse server`);
    return { url, ...found.output, listed: parseRows<ClusterRow>(await listed) };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof Refused) throw new Refusal(`${url}: ${readFirstLine(error)}`);
    const { hostname, protocol } = new URL(url);
    const usual = protocol === 'https:' ? 8443 : 8123;
    // The class `URL` removes the usual ports 80 and 443, even if the operator wrote them.
    const hint = /:\d+\/$/.test(url) ? '' : `. Write the HTTP port too, such as ${hostname}:${usual}`;
    return { url, fault: readFirstLine(error) + hint };
  }
}

export function assertVersion(url: string, version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST_VERSION;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw new Refusal(`${url} is ClickHouse ${version}. daybook needs ${LEAST_VERSION.join('.')} or newer`);
}
