// The state of a cluster, for the page "Cluster" of the dashboard. An answer has the ClickHouse servers, the senders,
// and the copies of open days. These copies are in a file of the primary, and answer queries instead of the servers.
//
// Invariant: an answer takes about two seconds at most, even if a server hangs. Such a server has `answers: false` and
// no figures. Only the owner of the first account gets an answer, because URLs and sites of all accounts are in it.
//
// Example: of four servers one is `filling`. Its finding says "getting its data since …" and names a remedy, like the
// findings of `daybook doctor`.

import * as v from 'valibot';
import { eachOnce, tell } from '../doctor/result.ts';
import { describeGrowth, listFaults } from '../doctor/servers.ts';
import { COPY_STATES, type ServerLoad } from '../engine/server-status.ts';
import { coded } from '../lang/coded.ts';
import { Day } from '../lib/http/fields.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { listKnownServers, SERVER_STATES } from '../store/cluster/cluster-servers.ts';
import { CLOSINGS } from '../store/cluster/sender-status.ts';
import { listSiteDomains } from '../store/sites/sites.ts';
import { Count } from './answers.ts';
import type { Call } from './route.ts';
import { Finding } from './server.ts';

const Figure = v.nullable(Count);

/**
 * A ClickHouse server. `lag` says by how many seconds the server is behind its senders. `figures` is null if the server
 * does not give its figures.
 */
const ClusterServer = v.strictObject({
  ...{ url: v.string(), shard: Count, replica: Count },
  state: v.picklist(SERVER_STATES),
  answers: v.boolean(),
  lag: Figure,
  figures: v.nullable(
    v.strictObject({
      ...{ parts: Count, partition_parts: Count, mutations: Count, failed_mutations: Count, queries: Count },
      ...{ disk_free: Figure, disk_total: Figure, memory: Count, memory_limit: Figure },
    }),
  ),
  finding: Finding,
});

/**
 * A sender: the primary (with the name null) or a collector. `silence` says for how many seconds the primary has heard
 * nothing from a collector. `lag` is the age of the oldest hit that waits to be sent, in seconds. `bytes` is the size
 * of the outbox, which has the waiting hits. `closed` says why a collector refuses hits. Otherwise `closed` is null.
 */
const ClusterSender = v.strictObject({
  ...{ name: v.nullable(v.string()), silence: Figure, lag: Figure, bytes: Figure },
  closed: v.nullable(v.picklist(CLOSINGS)),
});

const DayCopy = v.strictObject({ site: v.string(), day: Day, rows: Count, state: v.picklist(COPY_STATES) });

/**
 * Without a cluster, all lists are empty. `copies` has only the largest copies of open days. `copy_count` is the number
 * of all copies.
 */
export const Cluster = v.strictObject({
  servers: v.array(ClusterServer),
  senders: v.array(ClusterSender),
  copies: v.array(DayCopy),
  copy_count: Count,
});
export type Cluster = v.InferOutput<typeof Cluster>;

const MOST_COPIES = 50;

export async function show({ api, db, now }: Call): Promise<Cluster> {
  const { upkeep } = api;
  const statuses = await upkeep.examineServers();
  const servers = listKnownServers(db).map((one): Cluster['servers'][number] => {
    const { url, state, shard, replica } = one;
    const status = statuses.find((other) => other.url === url);
    const answers = status?.answers ?? false;
    const faults = listFaults({ ...one, isSilent: !answers, status, now });
    const isFine = faults.length === 0;
    return {
      ...{ url, state, answers, shard: shard + 1, replica: replica + 1, lag: status?.lag ?? null },
      figures: status?.load ? nameFigures(status.load) : null,
      finding: {
        name: 'cluster',
        ...tell({
          fine: isFine,
          says: [...(isFine ? [coded('server_complete')] : faults.map(({ says }) => says)), ...describeGrowth(db, one)],
          remedies: eachOnce(faults.map(({ remedy }) => remedy)),
        }),
      },
    };
  });
  const domains = new Map(listSiteDomains(db).map(({ id, domain }) => [id, domain]));
  const copies = upkeep.listDayCopies().sort((one, other) => other.rows - one.rows);
  return {
    servers,
    senders: upkeep.listSenders(),
    copies: copies
      .slice(0, MOST_COPIES)
      .map(({ siteId, day, ...rest }) => ({ site: domains.get(siteId) ?? '', day: formatDay(day * DAY), ...rest })),
    copy_count: copies.length,
  };
}

const nameFigures = (load: ServerLoad): NonNullable<Cluster['servers'][number]['figures']> => ({
  ...{ parts: load.parts, partition_parts: load.partitionParts },
  ...{ mutations: load.mutations, failed_mutations: load.failedMutations, queries: load.queries },
  ...{ disk_free: load.diskFree, disk_total: load.diskTotal, memory: load.memory, memory_limit: load.memoryLimit },
});
