import {
  countSealed,
  isShown,
  listSlices,
  listUncounted,
  noteRecounted,
  type Slice,
} from '../../catalog/sealed-days.ts';
import type { Recounted, RecountResult } from '../../engine/engine.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { noTotals, TOTALS } from '../../stats/measured.ts';
import type { Db } from '../../store/db.ts';
import { listSiteDomains } from '../../store/sites/sites.ts';
import { EVER } from '../query/catalog-snapshot.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { rollupsOf, totalsOfParts } from './seal.ts';

type Deps = { db: Db; nodes: Nodes };

const HASH = 'toString(sum(cityHash64(dimension, event, value, visitors, hits))) AS hash, count() AS n';

type Hashed = { hash: string; n: number };

const rollupsOn = async (nodes: Nodes, node: Node, siteId: number, { id }: Slice): Promise<string> => {
  const sql = `SELECT ${HASH} FROM tally WHERE site = ${siteId} AND part = ${id}`;
  return JSON.stringify(await nodes.askOne<Hashed>(node, sql));
};

/** Of a day with sums only it can be seen whether its replicas have the same. */
async function faultsOfSums({ nodes }: Deps, siteId: number, part: Slice): Promise<string[]> {
  const found = await nodes.askEach((node) => rollupsOn(nodes, node, siteId, part));
  const shards = [...Map.groupBy(found, ({ node }) => node.shard).values()];
  const differ = shards.filter((replicas) => new Set(replicas.map(({ result }) => result)).size > 1);
  return differ.map((replicas) => `rollups on ${replicas.map(({ node }) => node.url).join(' and ')}: differ`);
}

/** What is wrong with a sealed day: replicas that differ, totals, or rollups that are not those of its visits. */
async function faultsOf({ db, nodes }: Deps, siteId: number, part: Slice): Promise<string[]> {
  if (!isShown(db, part.id)) return [];
  if (part.hasHits === 0) return await faultsOfSums({ db, nodes }, siteId, part);
  const faults: string[] = [];
  try {
    const counted = (await totalsOfParts(nodes, [{ siteId, id: part.id }])).get(part.id) ?? noTotals();
    for (const name of TOTALS)
      if (counted[name] !== part[name]) faults.push(`${name}: ${part[name]} is stored, ${counted[name]} counted`);
  } catch (error) {
    return [(error as Error).message];
  }
  const own = `SELECT ${HASH} FROM (${rollupsOf([{ siteId, id: part.id }])})`;
  const found = await nodes.askEach(async (node) => {
    const made = JSON.stringify(await nodes.askOne<Hashed>(node, own));
    return (await rollupsOn(nodes, node, siteId, part)) === made;
  });
  for (const { node, result } of found) if (!result) faults.push(`rollups on ${node.url}: differ`);
  return faults;
}

/** Counts every sealed day again from its visits. */
export async function* recount(deps: Deps): AsyncGenerator<Recounted> {
  for (const { id: siteId, domain } of listSiteDomains(deps.db)) {
    const days = Map.groupBy(listSlices(deps.db, siteId, EVER.from, EVER.to), ({ day }) => day);
    for (const [day, parts] of days) {
      const faults: string[] = [];
      for (const part of parts) faults.push(...(await faultsOf(deps, siteId, part)));
      yield { domain, day, faults };
    }
  }
}

/** In so many nights every sealed day is counted again; a month has a few to spare. */
const NIGHTS = 25;

/** Counts some sealed days again, those first that have waited longest, and notes when they add up. */
export async function recountSome(deps: Deps, clock: Clock, stop?: AbortSignal): Promise<RecountResult> {
  const { db } = deps;
  const domains = new Map(listSiteDomains(db).map(({ id, domain }) => [id, domain]));
  const counted: RecountResult = { days: 0, faulty: [] };
  for (const { siteId, id, day } of listUncounted(db, Math.ceil(countSealed(db) / NIGHTS))) {
    if (stop?.aborted) break;
    const part = listSlices(db, siteId, day, day + 1).find((one) => one.id === id);
    const faults = part ? await faultsOf(deps, siteId, part) : [];
    counted.days++;
    if (faults.length === 0) db.write(() => noteRecounted(db, id, seconds(clock)));
    else counted.faulty.push({ domain: domains.get(siteId) ?? '', day, faults });
  }
  return counted;
}
