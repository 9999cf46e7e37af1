// Gauges are values that are read when Prometheus asks: memory, queues, file sizes, and the state of other machines.
//
// A server and a collector have gauges of their process. A server also has gauges of the database file, backups, jobs,
// collectors and the servers of a cluster. A collector also has gauges of its outbox, which contains hits that were not
// sent yet. Another gauge says for how long its primary, the daybook server, has not answered.
//
// Labels name only machines and jobs, never sites or people. `compose.ts` calls `addGauges`, and `compose-collector.ts`
// calls `addCollectorGauges`.

import { statSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Upkeep } from '../engine/engine.ts';
import type { ServerLoad, ServerStatus } from '../engine/server-status.ts';
import { type Clock, seconds } from '../lib/time.ts';
import { type KnownServer, listKnownServers } from '../store/cluster/cluster-servers.ts';
import { listCollectors } from '../store/cluster/collectors.ts';
import type { Status } from '../store/cluster/sender-status.ts';
import type { Db } from '../store/db.ts';
import { findUpkeep } from '../store/server/upkeep.ts';
import { listWaitingJobs } from '../store/server/waiting-jobs.ts';
import type { Meters } from './meters.ts';

type OfServers = Pick<Upkeep, 'listAwayServers' | 'examineServers'>;

/**
 * The values of a collector. `waiting` is the number of waiting hits, and `bytes` the size of the outbox. The servers
 * of the cluster have all hits that came more than `lag` seconds ago. The primary last answered `heardAgo` seconds ago.
 */
type OfCollector = { waiting(): number; bytes(): number; lag(): number; heardAgo(): number | undefined };

export function addGauges(
  meters: Meters,
  at: { db: Db; path: string; clock: Clock; waiting: () => number; upkeep: OfServers; streams: { count(): number } },
): void {
  const { db, path, clock, waiting, upkeep, streams } = at;
  const { gauge, gaugeBy } = meters;
  const readSize = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  addOwnGauges(meters, waiting);
  addGaugesOfCollectors(meters, db, clock);
  addGaugesOfServers(meters, db, upkeep);
  addGaugesOfLoads(meters, upkeep);
  gaugeBy('daybook_job_waiting_seconds', 'Seconds since a job of the server has been due, by job.', 'job', () =>
    listWaitingJobs(db).map(({ job, since }) => [job, seconds(clock) - since] as const),
  );
  gauge('daybook_event_streams', 'Open streams of events, such as live views.', streams.count);
  gauge('daybook_file_bytes', 'Size of the database file.', () => readSize(path));
  gauge('daybook_wal_bytes', 'Size of the write-ahead log of the database file.', () => readSize(`${path}-wal`));
  gauge('daybook_outbox_bytes', 'Size of the outbox, the file of hits that wait to be sent to a cluster.', () =>
    readSize(`${path}.outbox`),
  );
  gauge(
    'daybook_backup_age_seconds',
    'Seconds since the last backup. Missing if there is none or the last one failed.',
    () => {
      const last = findUpkeep(db, 'backup');
      return last?.fine ? seconds(clock) - last.at : undefined;
    },
  );
  gauge(
    'daybook_parquet_age_seconds',
    'Seconds since the Parquet files were last up to date. Missing without --parquet, or if the last run failed.',
    () => {
      const last = findUpkeep(db, 'parquet');
      return last?.fine ? seconds(clock) - last.at : undefined;
    },
  );
}

export function addCollectorGauges(meters: Meters, { waiting, bytes, lag, heardAgo }: OfCollector): void {
  addOwnGauges(meters, waiting);
  meters.gauge(
    'daybook_outbox_bytes',
    'Size of the outbox, the file of hits that wait to be sent to a cluster.',
    bytes,
  );
  meters.gauge('daybook_lag_seconds', 'Age of the oldest hit that is not sent yet.', lag);
  meters.gauge('daybook_primary_silence_seconds', 'Seconds since the primary last answered.', heardAgo);
}

function addOwnGauges({ gauge }: Meters, waiting: () => number): void {
  const lag = monitorEventLoopDelay();
  lag.enable();
  gauge('daybook_queue_hits', 'Hits that wait to be written.', waiting);
  gauge(
    'daybook_event_loop_lag_p99_seconds',
    'Delay of the event loop (99th percentile) since the last scrape.',
    () => {
      const late = lag.percentile(99) / 1e9;
      lag.reset();
      return late;
    },
  );
  gauge('process_resident_memory_bytes', 'Memory in use.', () => process.memoryUsage.rss());
}

/** The values that each collector last reported to this server. The label is the name of the collector. */
function addGaugesOfCollectors({ gaugeBy }: Meters, db: Db, clock: Clock): void {
  const by = (read: (one: Status, seenAt: number) => number) => () =>
    listCollectors(db).flatMap(({ name, seenAt, status }): [string, number][] =>
      status ? [[name, read(status, seenAt)]] : [],
    );
  const now = () => seconds(clock);
  gaugeBy(
    'daybook_collector_silence_seconds',
    'Seconds since the last contact with a collector.',
    'collector',
    by((_, seenAt) => now() - seenAt),
  );
  gaugeBy(
    'daybook_collector_lag_seconds',
    'Age of the oldest hit that a collector has not sent yet.',
    'collector',
    by(({ until }) => now() - until),
  );
  gaugeBy(
    'daybook_collector_outbox_bytes',
    'Size of the outbox of a collector.',
    'collector',
    by(({ bytes }) => bytes),
  );
  gaugeBy(
    'daybook_collector_closed',
    '1 if a collector takes no hits: its disk is full, its time is not known, or it is being retired.',
    'collector',
    by(({ closed }) => (closed ? 1 : 0)),
  );
}

/** Adds gauges of the servers of a cluster. The label is the URL of a server. */
function addGaugesOfServers({ gaugeBy }: Meters, db: Db, { listAwayServers }: OfServers): void {
  const by = (read: (server: KnownServer) => boolean) => () =>
    listKnownServers(db).map((one): [string, number] => [one.url, read(one) ? 1 : 0]);
  const add = (name: string, help: string, read: (server: KnownServer) => boolean) =>
    gaugeBy(name, help, 'server', by(read));
  add(
    'daybook_cluster_server_complete',
    '1 if a server of the cluster has all data.',
    ({ state }) => state === 'complete',
  );
  add(
    'daybook_cluster_server_filling',
    '1 if a server of the cluster gets a copy of its missing data.',
    ({ state }) => state === 'filling',
  );
  add('daybook_cluster_server_away', '1 if a server of the cluster did not answer last time.', ({ url }) =>
    listAwayServers().includes(url),
  );
}

/**
 * The figures that a server of a cluster gives about itself, with the names of their gauges. A figure that is null has
 * no line.
 */
const LOADS: [name: string, help: string, figure: keyof ServerLoad][] = [
  ['answer_seconds', 'Seconds that a server of the cluster took to give its figures.', 'seconds'],
  ['parts', 'Parts of the tables of daybook on a server of the cluster.', 'parts'],
  [
    'partition_parts',
    'Parts of the partition with the most parts. Above 1,000, ClickHouse slows inserts.',
    'partitionParts',
  ],
  ['mutations', 'Deletions that a server of the cluster has not done yet.', 'mutations'],
  ['mutations_failed', 'Deletions that fail on a server of the cluster.', 'failedMutations'],
  ['disk_free_bytes', 'Free space on the fullest disk of a server of the cluster.', 'diskFree'],
  ['disk_bytes', 'Size of the fullest disk of a server of the cluster.', 'diskTotal'],
  ['memory_bytes', 'Memory that a server of the cluster uses.', 'memory'],
  ['memory_limit_bytes', 'Memory that a server of the cluster may use.', 'memoryLimit'],
  ['queries', 'Statements that a server of the cluster runs now.', 'queries'],
];

/**
 * Adds gauges of what the servers of a cluster say about themselves. Each request of Prometheus asks all servers. If a
 * server hangs, this takes two seconds.
 */
function addGaugesOfLoads({ gaugeBy, prepare }: Meters, { examineServers }: OfServers): void {
  let servers: readonly ServerStatus[] = [];
  prepare(async () => {
    servers = await examineServers();
  });
  const add = (name: string, help: string, read: (server: ServerStatus) => number | null | undefined) =>
    gaugeBy(`daybook_cluster_server_${name}`, help, 'server', () =>
      servers.flatMap((one): [string, number][] => {
        const value = read(one);
        return value === undefined || value === null ? [] : [[one.url, value]];
      }),
    );
  add('up', '1 if a server of the cluster answered within two seconds.', ({ answers }) => (answers ? 1 : 0));
  add('lag_seconds', 'Seconds by which a server of the cluster is behind the outboxes.', ({ lag }) => lag);
  for (const [name, help, figure] of LOADS) add(name, help, ({ load }) => load?.[figure]);
}
