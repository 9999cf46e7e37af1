// Counts the stored visits of past days again, and compares the result with their stored sums. So damaged data is
// found.
//
// Invariant: a recount never changes stored sums. It only stores the time of the check. Differences are reported.
//
// Example: 40 of 1,000 stored days are counted each night, beginning with those that were not checked for the longest
// time. After 25 nights all 1,000 days have been counted.
//
// engine.ts calls recount for `daybook check`, and recountSome at night.
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
import { noTotals, TOTALS } from '../../stats/aggregates.ts';
import type { Db } from '../../store/db.ts';
import { listSiteDomains } from '../../store/sites/sites.ts';
import { EVER } from '../query/catalog-snapshot.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { selectRollups, sumSlices } from './seal.ts';

type Deps = { db: Db; nodes: Nodes };

/** Counts the visits of every stored day again. `faults` says in words where a stored sum differs, as after damage. */
export async function* recount(deps: Deps): AsyncGenerator<Recounted> {
  for (const { id: siteId, domain } of listSiteDomains(deps.db)) {
    const days = Map.groupBy(listSlices(deps.db, siteId, EVER.from, EVER.to), ({ day }) => day);
    for (const [day, slices] of days) {
      const faults: string[] = [];
      for (const slice of slices) faults.push(...(await findFaults(deps, siteId, slice)));
      yield { domain, day, faults };
    }
  }
}

/**
 * Each past day is counted again once in 25 nights, not 30. So each day is still checked within a month if the server
 * is off for a few nights.
 */
const NIGHTS = 25;

/**
 * Counts a twenty-fifth of all stored past days again, beginning with those that were not checked for the longest time.
 * A day without differences gets the time of this check.
 */
export async function recountSome(deps: Deps, clock: Clock, stop?: AbortSignal): Promise<RecountResult> {
  const { db } = deps;
  const domains = new Map(listSiteDomains(db).map(({ id, domain }) => [id, domain]));
  const counted: RecountResult = { days: 0, faulty: [] };
  for (const { siteId, id, day } of listUncounted(db, Math.ceil(countSealed(db) / NIGHTS))) {
    if (stop?.aborted) break;
    const slice = listSlices(db, siteId, day, day + 1).find((one) => one.id === id);
    const faults = slice ? await findFaults(deps, siteId, slice) : [];
    counted.days++;
    if (faults.length === 0) db.write(() => noteRecounted(db, id, seconds(clock)));
    else counted.faulty.push({ domain: domains.get(siteId) ?? '', day, faults });
  }
  return counted;
}

const HASH = 'toString(sum(cityHash64(dimension, event, value, visitors, hits))) AS hash, count() AS n';

type Hashed = { hash: string; n: number };

const hashRollups = async (nodes: Nodes, node: Node, siteId: number, { id }: Slice): Promise<string> => {
  const sql = `SELECT ${HASH} FROM tally WHERE site = ${siteId} AND slice = ${id}`;
  return JSON.stringify(await nodes.askOne<Hashed>(node, sql));
};

/** Checks a day of which only sums are stored. Without visits to count, the sums of two servers are compared. */
async function compareSums({ nodes }: Deps, siteId: number, slice: Slice): Promise<string[]> {
  const found = await nodes.askEach((node) => hashRollups(nodes, node, siteId, slice));
  const shards = [...Map.groupBy(found, ({ node }) => node.shard).values()];
  const differ = shards.filter((replicas) => new Set(replicas.map(({ result }) => result)).size > 1);
  return differ.map((replicas) => `rollups on ${replicas.map(({ node }) => node.url).join(' and ')}: differ`);
}

/**
 * Counts the stored visits of a past day again and gives the faults in words. A fault is a stored sum that differs from
 * the count, or a difference between two servers with the same rows.
 */
async function findFaults({ db, nodes }: Deps, siteId: number, slice: Slice): Promise<string[]> {
  if (!isShown(db, slice.id)) return [];
  if (slice.hasHits === 0) return await compareSums({ db, nodes }, siteId, slice);
  const faults: string[] = [];
  try {
    const counted = (await sumSlices(nodes, [{ siteId, id: slice.id }])).get(slice.id) ?? noTotals();
    for (const name of TOTALS)
      if (counted[name] !== slice[name]) faults.push(`${name}: ${slice[name]} is stored, ${counted[name]} counted`);
  } catch (error) {
    return [(error as Error).message];
  }
  const own = `SELECT ${HASH} FROM (${selectRollups([{ siteId, id: slice.id }])})`;
  const found = await nodes.askEach(async (node) => {
    const made = JSON.stringify(await nodes.askOne<Hashed>(node, own));
    return (await hashRollups(nodes, node, siteId, slice)) === made;
  });
  for (const { node, result } of found) if (!result) faults.push(`rollups on ${node.url}: differ`);
  return faults;
}
