import { countSealed, isShown, listParts, listUncounted, noteRecounted, type Part } from '../catalog/sealed-days.ts';
import type { Recounted, Recounts } from '../engine.ts';
import { type Clock, seconds } from '../lib/time.ts';
import { noTotals, TOTALS } from '../stats/measured.ts';
import { listSiteDomains } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { EVER } from './catalog.ts';
import type { Nodes } from './nodes.ts';
import { rollupsOf, totalsOfParts } from './seal.ts';

type Deps = { db: Db; nodes: Nodes };

const HASH = 'toString(sum(cityHash64(dimension, event, value, visitors, hits))) AS hash, count() AS n';

/** What is wrong with a sealed day: replicas that differ, totals, or rollups that are not those of its visits. */
async function faultsOf({ db, nodes }: Deps, siteId: number, part: Part): Promise<string[]> {
  if (!isShown(db, part.id) || part.hasHits === 0) return [];
  const faults: string[] = [];
  try {
    const counted = (await totalsOfParts(nodes, [{ siteId, id: part.id }])).get(part.id) ?? noTotals();
    for (const name of TOTALS)
      if (counted[name] !== part[name]) faults.push(`${name}: ${part[name]} is stored, ${counted[name]} counted`);
  } catch (error) {
    return [(error as Error).message];
  }
  for (const node of nodes.all) {
    type Hashed = { hash: string; n: number };
    const [stored, made] = await Promise.all([
      nodes.askOne<Hashed>(node, `SELECT ${HASH} FROM tally WHERE site = ${siteId} AND part = ${part.id}`),
      nodes.askOne<Hashed>(node, `SELECT ${HASH} FROM (${rollupsOf([{ siteId, id: part.id }])})`),
    ]);
    if (stored[0]?.hash !== made[0]?.hash || stored[0]?.n !== made[0]?.n) faults.push(`rollups on ${node.url}: differ`);
  }
  return faults;
}

/** Counts every sealed day again from its visits. */
export async function* recount(deps: Deps): AsyncGenerator<Recounted> {
  for (const { id: siteId, domain } of listSiteDomains(deps.db)) {
    const days = Map.groupBy(listParts(deps.db, siteId, EVER.from, EVER.to), ({ day }) => day);
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
export async function recountSome(deps: Deps, clock: Clock, stop?: AbortSignal): Promise<Recounts> {
  const { db } = deps;
  const domains = new Map(listSiteDomains(db).map(({ id, domain }) => [id, domain]));
  const counted: Recounts = { days: 0, faulty: [] };
  for (const { siteId, id, day } of listUncounted(db, Math.ceil(countSealed(db) / NIGHTS))) {
    if (stop?.aborted) break;
    const part = listParts(db, siteId, day, day + 1).find((one) => one.id === id);
    const faults = part ? await faultsOf(deps, siteId, part) : [];
    counted.days++;
    if (faults.length === 0) db.write(() => noteRecounted(db, id, seconds(clock)));
    else counted.faulty.push({ domain: domains.get(siteId) ?? '', day, faults });
  }
  return counted;
}
