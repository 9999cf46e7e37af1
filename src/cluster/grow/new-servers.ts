// Checks a server before a command adds it to the cluster, and makes its tables.
//
// Invariant: nothing is written to a server that has data. Such a server may belong to another installation of daybook,
// or be in this cluster under another name.
//
// Example: `daybook cluster add-shard three:8123` finds ClickHouse 26.7 without a database. The database and its empty
// tables are made. If the command is killed now, it can be repeated, because the tables are still empty.
// src/cli/cluster-grow.ts uses this file.
import { Refusal, UNUSABLE, USAGE } from '../../lib/errors.ts';
import { type Address, parseAddress } from '../servers/address.ts';
import { findHolding } from '../servers/admission.ts';
import { prepare } from '../servers/connect.ts';
import { askServer, assertVersion } from '../servers/found-server.ts';
import { assertDifferent } from '../servers/places.ts';

/** Makes URLs, in lower case, from hosts written as `host:port`. The URLs use TLS if the servers of --engine do. */
export function findUrls(engine: string, hosts: readonly string[]): string[] {
  const [scheme] = /^https?/.exec(parseAddress(engine).urls[0] ?? '') ?? [];
  return hosts.map((host) => {
    const url = URL.parse(`${scheme}://${host}/`);
    if (!/^[^/\\?#@,\s]+$/.test(host) || !url)
      throw new Refusal(`HOST: "${host}" is not a host with a port, such as three.example:8123`, USAGE);
    return url.href;
  });
}

/** True if a server responds. */
export const isThere = async (engine: string, url: string): Promise<boolean> =>
  !('fault' in (await askServer(parseAddress(engine), url, () => {})));

async function assertEmpty(address: Address, url: string): Promise<void> {
  const { holding } = await findHolding(address, { url, shard: 0, replica: 0 });
  if (holding.isEmpty && holding.marks.length === 0) return;
  throw new Refusal(
    `${url} has data in the database ${address.database}. Name an empty server. If nobody needs that data, run DROP DATABASE ${address.database} SYNC there`,
    UNUSABLE,
  );
}

/**
 * Checks that new servers respond, have the right version, are empty, and are not in the cluster under another name.
 * Then makes their tables. The servers stay empty until the primary writes a mark to them. So the command can be
 * repeated.
 */
export async function prepareNewServers(
  engine: string,
  urls: readonly string[],
  known: readonly { url: string }[],
): Promise<void> {
  const address = parseAddress(engine);
  const ask = (url: string) => askServer(address, url, () => {});
  const fresh = await Promise.all(urls.map(ask));
  for (const one of fresh) {
    if ('fault' in one) throw new Refusal(`${one.fault}. Start ClickHouse there, and run the command again`);
    assertVersion(one.url, one.version);
  }
  const others = await Promise.allSettled(known.map(({ url }) => ask(url)));
  const all = [...others.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])), ...fresh];
  assertDifferent(all.filter((one) => 'id' in one));
  for (const url of urls) await assertEmpty(address, url);
  await prepare(
    address,
    urls.map((url) => ({ url, shard: 0, replica: 0 })),
  );
}
