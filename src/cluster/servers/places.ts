// Gives places to ClickHouse servers. The place of a server is its shard and its replica, each as a number.
//
// Invariant: the place of a known server does not change, with one exception. Outboxes note by place what each server
// has received. With another place, a server would get rows twice or never. One server never has two places. The
// exception: a server may have a copy of another server's disk. If the operator accepts such a server, the command
// `daybook cluster accept` exchanges the places of the two servers.
//
// Example: replica 1 of shard 2 is removed, and ClickHouse calls the other server of this shard replica 1 now.
// `keepPlaces` leaves this server at replica 2. connect.ts and grow/new-servers.ts call these functions.
import { Refusal, UNUSABLE, USAGE } from '../../lib/errors.ts';

export type NodePlace = { shard: number; replica: number };

/** A server with its place. */
export type PlacedServer = NodePlace & { url: string };

/**
 * Gives each known server its former place. ClickHouse renumbers replicas when one is removed. But outboxes note by
 * place what each server has received. A server that is now in another shard is refused, because it has the rows of its
 * former shard. A new server gets no place that `occupied` has.
 */
export function keepPlaces(
  there: readonly PlacedServer[],
  known: readonly PlacedServer[],
  occupied: readonly NodePlace[],
): PlacedServer[] {
  const before = new Map(known.map((one) => [one.url, one]));
  const taken = new Set(occupied.map(namePlace));
  return there.map((node) => {
    const own = before.get(node.url);
    if (own && own.shard !== node.shard)
      throw new Refusal(
        `${node.url} is now in shard ${node.shard + 1}, but has the hits of shard ${own.shard + 1}. Name the shards in remote_servers in their old order`,
      );
    if (own) return { ...node, replica: own.replica };
    let { shard, replica } = node;
    while (taken.has(namePlace({ shard, replica }))) replica++;
    taken.add(namePlace({ shard, replica }));
    return { ...node, replica };
  });
}

export const namePlace = ({ shard, replica }: NodePlace): string => `${shard}/${replica}`;

/**
 * Thrown if a server has the mark of another place. The name of the server leads to another server, for example after a
 * change in DNS. The name may be corrected while daybook runs.
 */
export class WrongPlace extends Refusal {
  /** The place that the server's mark names, such as 0/1 for shard 0 and replica 1. */
  readonly place: string;
  constructor({ url, ...own }: PlacedServer, place: string) {
    const [shard = 0, replica = 0] = place.split('/').map(Number);
    const [there, here] = [{ shard, replica }, own].map(describePlace);
    super(
      `${url} leads to ${there}, and should lead to ${here}. Correct the name. If it has a copy of that server's disk, start that server too`,
      UNUSABLE,
    );
    this.place = place;
  }
}

const describePlace = ({ shard, replica }: NodePlace): string => `replica ${replica + 1} of shard ${shard + 1}`;

/**
 * Refuses a cluster with a server that the option --engine does not name, because that server would get no hits.
 * `places` are all places in the configuration of ClickHouse. `there` are the named servers that respond. `excused` are
 * known servers that do not respond, and servers that commands have added or removed.
 */
export function assertAllNamed(
  {
    places,
    there,
    excused,
  }: { places: readonly NodePlace[]; there: readonly NodePlace[]; excused: readonly NodePlace[] },
  cluster: string,
): void {
  const [found, away] = [there, excused].map((some) => new Set(some.map(namePlace)));
  const left = places.filter((place) => !found?.has(namePlace(place)));
  for (const [shard, own] of Map.groupBy(left, (place) => place.shard)) {
    if (own.length <= excused.filter((place) => place.shard === shard).length) continue;
    const { replica } = own.find((place) => !away?.has(namePlace(place))) ?? { replica: 0 };
    throw new Refusal(
      `--engine does not name replica ${replica + 1} of shard ${shard + 1} of the cluster "${cluster}"`,
    );
  }
}

/**
 * Refuses two URLs of one server. Otherwise the server would count as two replicas, and its rows would seem to have a
 * copy. A fill of one replica would delete the rows of both replicas (test/cluster/grow/one-server.test.ts).
 */
export function assertDifferent(servers: readonly { url: string; id: string }[]): void {
  const urls = new Map<string, string>();
  for (const { url, id } of servers) {
    const first = urls.get(id);
    if (first !== undefined)
      throw new Refusal(`${first} and ${url} are one server. Name it only once, as ${new URL(first).host}`, USAGE);
    urls.set(id, url);
  }
}
