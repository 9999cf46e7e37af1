import { Refusal } from '../../lib/errors.ts';
import type { Node } from './nodes.ts';

type Place = Pick<Node, 'shard' | 'replica'>;

export const placeName = ({ shard, replica }: Place): string => `${shard}/${replica}`;

/** Refuses a cluster of which a server is neither there nor known. `silent` are known ones that do not answer. */
export function assertAllNamed(
  { places, there, silent }: { places: readonly Place[]; there: readonly Place[]; silent: readonly Place[] },
  cluster: string,
): void {
  const [found, away] = [there, silent].map((some) => new Set(some.map(placeName)));
  const left = places.filter((place) => !found?.has(placeName(place)));
  for (const [shard, own] of Map.groupBy(left, (place) => place.shard)) {
    if (own.length <= silent.filter((place) => place.shard === shard).length) continue;
    const { replica } = own.find((place) => !away?.has(placeName(place))) ?? { replica: 0 };
    throw new Refusal(
      `--engine does not name replica ${replica + 1} of shard ${shard + 1} of the cluster "${cluster}"`,
    );
  }
}

/**
 * Each server that is known keeps its number, by which outboxes know what it has: ClickHouse counts anew when a replica before it is
 * removed. Another shard's rows are not those that it has, so that is refused.
 */
export function keepPlaces(there: readonly Node[], known: readonly Node[], urls: readonly string[]): Node[] {
  const before = new Map(known.map((one) => [one.url, one]));
  const taken = new Set(known.filter(({ url }) => urls.includes(url)).map(placeName));
  return there.map((node) => {
    const own = before.get(node.url);
    if (own && own.shard !== node.shard)
      throw new Refusal(
        `${node.url} is of shard ${node.shard + 1} now, and has the hits of shard ${own.shard + 1}; name the shards in remote_servers in the order of before`,
      );
    if (own) return { ...node, replica: own.replica };
    let { shard, replica } = node;
    while (taken.has(placeName({ shard, replica }))) replica++;
    taken.add(placeName({ shard, replica }));
    return { ...node, replica };
  });
}
