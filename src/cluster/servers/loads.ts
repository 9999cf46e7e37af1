// Asks each ClickHouse server for figures about itself: its disk, memory, queries, parts and mutations. ClickHouse
// stores a table in files, the parts. A mutation is a change of stored rows, such as a DELETE.
//
// Invariant: the figures of a server cost one request, which is aborted after two seconds. Figures are used again for
// five seconds. So neither /metrics nor an open page keeps servers busy. A server that hangs delays an answer by two
// seconds.
//
// Example: one of four servers hangs. After two seconds, the other three have figures. The fourth one is shown as a
// server that does not answer. The request does not count as a failed query, so queries still use the server. engine.ts
// calls `buildLoads`. Test: test/cluster/servers/loads.test.ts.
import * as v from 'valibot';
import type { ServerStatus } from '../../engine/server-status.ts';
import type { Clock } from '../../lib/time.ts';
import type { Address } from './address.ts';
import { buildSend, parseRows, Refused, SHORT_ANSWER } from './send.ts';

const PATIENCE_MS = 2_000;
const FRESH_MS = 5_000;

const Figure = v.pipe(v.number(), v.finite(), v.minValue(0));

/** Another program may be behind the URL. Without this check, its texts would be lines of /metrics. */
const Figures = v.strictObject({
  ...{ parts: Figure, partitionParts: Figure, mutations: Figure, failedMutations: Figure, queries: Figure },
  ...{ diskFree: v.nullable(Figure), diskTotal: v.nullable(Figure), memory: Figure, memoryLimit: v.nullable(Figure) },
});

type Load = Pick<ServerStatus, 'url' | 'answers' | 'load'>;

/** ClickHouse's own tables with these figures. The user of daybook needs the right to read them (rights.ts). */
export const LOAD_TABLES = ['parts', 'mutations', 'disks', 'metrics', 'server_settings'] as const;

/**
 * Of several disks, the one with the smallest free share counts. Cloud storage has no size, so it is left out. A memory
 * limit of 0 means that there is no limit.
 */
const selectLoad = (database: string): string => `WITH
  own_parts AS (SELECT count() AS n FROM system.parts WHERE active AND database = '${database}' GROUP BY table, partition),
  waiting AS (SELECT latest_fail_reason AS fault FROM system.mutations
    WHERE NOT is_done AND NOT is_killed AND database = '${database}'),
  local AS (SELECT free_space, total_space FROM system.disks WHERE NOT is_remote AND total_space > 0)
  SELECT
    (SELECT toUInt64(sum(n)) FROM own_parts) AS parts,
    (SELECT toUInt64(max(n)) FROM own_parts) AS partitionParts,
    (SELECT toUInt64(count()) FROM waiting) AS mutations,
    (SELECT toUInt64(countIf(fault <> '')) FROM waiting) AS failedMutations,
    (SELECT if(count() = 0, NULL, argMin(free_space, free_space / total_space)) FROM local) AS diskFree,
    (SELECT if(count() = 0, NULL, argMin(total_space, free_space / total_space)) FROM local) AS diskTotal,
    (SELECT greatest(toInt64(sum(value)), 0) FROM system.metrics WHERE metric = 'MemoryTracking') AS memory,
    (SELECT nullIf(toUInt64(anyLast(value)), 0) FROM system.server_settings WHERE name = 'max_server_memory_usage') AS memoryLimit,
    (SELECT greatest(toInt64(sum(value)) - 1, 0) FROM system.metrics WHERE metric = 'Query') AS queries
  FORMAT JSONEachRow`;

/** `list` gives the servers of the cluster, which may change while daybook runs. */
export function buildLoads(address: Address, list: () => readonly { url: string }[], clock: Clock) {
  // Tables of ClickHouse itself are read. So this also works without daybook's database, for example on a new disk.
  const send = buildSend({ ...address, database: 'default' });
  const sql = selectLoad(address.database);
  let latest: { at: number; loads: Promise<Load[]> } | undefined;

  async function readLoad(url: string): Promise<Load> {
    const start = clock.tick();
    try {
      const text = await send(url, sql, { signal: AbortSignal.timeout(PATIENCE_MS), longest: SHORT_ANSWER });
      const [row] = parseRows<unknown>(text);
      const seconds = (clock.tick() - start) / 1000;
      return { url, answers: true, load: row ? { ...v.parse(Figures, row), seconds } : undefined };
    } catch (error) {
      return { url, answers: error instanceof Refused, load: undefined };
    }
  }

  return function readLoads(): Promise<Load[]> {
    if (!latest || clock.tick() - latest.at >= FRESH_MS)
      latest = { at: clock.tick(), loads: Promise.all(list().map(({ url }) => readLoad(url))) };
    return latest.loads;
  };
}
