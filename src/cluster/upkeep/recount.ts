// A recount counts the visits of sealed days again, and compares the result with their stored sums. In this way,
// damaged data is found.
//
// Invariant: a recount never changes stored sums. It only stores the time of the check. Differences are reported.
//
// Example: 40 of 1,000 sealed days are counted each night, beginning with the days whose last check is the oldest.
// After 25 nights all days have been counted. engine.ts calls recount for `daybook check`, and recountSome at night.
import {
  isShown,
  listSlices,
  listUncounted,
  noteRecounted,
  type Slice,
  type Uncounted,
} from '../../catalog/sealed-days.ts';
import type { Recounted, RecountResult } from '../../engine/engine.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { noTotals, TOTALS } from '../../stats/aggregates.ts';
import { type Breakdown, STORED_BREAKDOWNS } from '../../stats/dimensions.ts';
import type { Db } from '../../store/db.ts';
import { hasSite, listSiteDomains } from '../../store/sites/sites.ts';
import { EVER } from '../query/catalog-snapshot.ts';
import { hasRollup } from '../query/day-groups.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { selectRollups, sumSlices } from './seal.ts';

type Deps = { db: Db; nodes: Nodes };

/** Recounts every sealed day. `faults` has sentences such as "rollups on A and B: differ". */
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
 * Recounts a 25th of all sealed days, beginning with the days whose last check is the oldest. A day without differences
 * gets the time of this check.
 */
export async function recountSome(deps: Deps, clock: Clock, stop?: AbortSignal): Promise<RecountResult> {
  const { db } = deps;
  const domains = new Map(listSiteDomains(db).map(({ id, domain }) => [id, domain]));
  const counted: RecountResult = { days: 0, faulty: [] };
  const { faulty } = counted;
  for (let next: Uncounted = { skip: 0 }; next.most !== 0; ) {
    const before = faulty.length;
    for (const { siteId, id, day } of listUncounted(db, next)) {
      if (stop?.aborted) return counted;
      const slice = listSlices(db, siteId, day, day + 1).find((one) => one.id === id);
      const faults = slice ? await findFaults(deps, siteId, slice) : [];
      counted.days++;
      // A site may have been deleted during the recount. Then its visits are gone, which is no fault.
      if (faults.length === 0 || !hasSite(db, siteId)) db.write(() => noteRecounted(db, id, seconds(clock)));
      else faulty.push({ domain: domains.get(siteId) ?? '', day, faults });
    }
    next = { skip: faulty.length, most: faulty.length - before };
  }
  return counted;
}

const HASH = 'toString(sum(cityHash64(dimension, event, value, visitors, hits))) AS hash, count() AS n';

type Hashed = { hash: string; n: number };

/**
 * Makes a hash of the rollups of a day. With `breakdowns`, only the rollups of these breakdowns are hashed: the ones
 * that sealing stores. The retention stores further rollups before it deletes visits. If the retention was killed in
 * between, a day has visits and further rollups. The hash leaves the further rollups out.
 */
async function hashRollups(
  nodes: Nodes,
  node: Node,
  siteId: number,
  { id, breakdowns }: Pick<Slice, 'id'> & { breakdowns?: readonly Breakdown[] },
): Promise<string> {
  const own = breakdowns ? ` AND dimension IN (${breakdowns.map((name) => `'${name}'`).join(', ')})` : '';
  const sql = `SELECT ${HASH} FROM tally WHERE site = ${siteId} AND slice = ${id}${own}`;
  return JSON.stringify(await nodes.askOne<Hashed>(node, sql));
}

/** A totals-only day has no visits to count, so the sums of the replicas are compared. */
async function compareSums({ nodes }: Deps, siteId: number, slice: Slice): Promise<string[]> {
  const found = await nodes.askEach((node) => hashRollups(nodes, node, siteId, { id: slice.id }));
  const shards = [...Map.groupBy(found, ({ node }) => node.shard).values()];
  const differ = shards.filter((replicas) => new Set(replicas.map(({ result }) => result)).size > 1);
  return differ.map((replicas) => `rollups on ${replicas.map(({ node }) => node.url).join(' and ')}: differ`);
}

/** Recounts a sealed day. A fault is a stored sum that differs from the count, or a difference between two replicas. */
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
  const { id } = slice;
  const breakdowns = STORED_BREAKDOWNS.filter((name) => hasRollup(name, slice));
  const own = `SELECT ${HASH} FROM (${selectRollups([{ siteId, id }], breakdowns)})`;
  const found = await nodes.askEach(async (node) => {
    const made = JSON.stringify(await nodes.askOne<Hashed>(node, own));
    return (await hashRollups(nodes, node, siteId, { id, breakdowns })) === made;
  });
  for (const { node, result } of found) if (!result) faults.push(`rollups on ${node.url}: differ`);
  return faults;
}
