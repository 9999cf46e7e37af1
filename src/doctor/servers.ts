// Checks the ClickHouse servers of a cluster, for `daybook doctor`. The result of a check is called a finding.
// examine.ts calls `checkServers`. The page "Cluster" of the dashboard shows the faults of each server
// (src/api/cluster.ts).
//
// Invariant: if a server does not answer, nothing is known about its disk, memory and tables. Then none of their faults
// is listed.
//
// Example: a server lacks rows, and its disk has 2 GB of 100 GB free. The finding names both faults, each with its
// remedy.

import type { Upkeep } from '../engine/engine.ts';
import type { ServerLoad, ServerStatus } from '../engine/server-status.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { readCoded } from '../lib/http/fault.ts';
import { DAY, formatDay, iso, MINUTE } from '../lib/time.ts';
import { type KnownServer, listKnownServers } from '../store/cluster/cluster-servers.ts';
import { findUndecided, listDivisions } from '../store/cluster/divisions.ts';
import type { Db } from '../store/db.ts';
import { eachOnce, fine, type Result } from './result.ts';

/** A server whose rows lag by more seconds than this needs attention. */
const LATE = 5 * MINUTE;
/** The smallest share of a disk that must be free, and the largest share of memory that may be used. */
const LEAST_FREE = 0.1;
const MOST_MEMORY = 0.9;
/**
 * A partition with more parts (files of rows) is reported, in time for a remedy. From 1,000 parts on, ClickHouse slows
 * inserts. From 3,000 on, it refuses them.
 */
const MOST_PARTS = 500;

type Examined = KnownServer & { isSilent: boolean; status: ServerStatus | undefined; now: number };
type Fault = { says: Coded; remedy: Coded };

export async function checkServers(
  db: Db,
  upkeep: Pick<Upkeep, 'listSilentServers' | 'examineServers'>,
  now: number,
): Promise<Result> {
  const servers = listKnownServers(db);
  if (servers.length === 0) return fine(coded('engine_off'));
  const [silent, statuses] = await Promise.all([upkeep.listSilentServers(), upkeep.examineServers()]);
  const faulty = servers.flatMap((one) => {
    const status = statuses.find(({ url }) => url === one.url);
    const faults = listFaults({ ...one, isSilent: silent.includes(one.url), status, now });
    return faults.length > 0 ? [{ url: one.url, faults }] : [];
  });
  const waiting = findUndecided(db);
  const divided = waiting ? [coded('division_waits', { from: formatDay(waiting.day * DAY) })] : [];
  if (faulty.length + divided.length === 0) return fine(coded('servers_fine', { count: servers.length }));
  return {
    fine: false,
    says: [
      ...faulty.map(({ url, faults }) => coded('server_state', { url, state: faults.map(({ says }) => says) })),
      ...divided,
    ],
    remedies: [
      ...eachOnce(faulty.flatMap(({ faults }) => faults.map(({ remedy }) => remedy))),
      ...(waiting ? [coded('see_division')] : []),
    ],
  };
}

export function describeServer({ state, reason, since: at, progress }: KnownServer): Coded {
  const since = iso(at);
  if (state === 'complete') return coded('server_complete');
  if (state === 'lacking') return coded(`server_${reason || 'lacks'}`, { since });
  return progress === ''
    ? coded('server_filling', { since })
    : coded('server_filling_step', { since, step: [readCoded(progress)] });
}

/**
 * Describes changes of the cluster that concern a server. If the server's shard was added when the cluster grew, says
 * from which day on the shard gets hits. If that day is not decided yet, says so. Also says whether the server is being
 * removed.
 */
export function describeGrowth(db: Db, { shard, isLeaving }: KnownServer): Coded[] {
  const divisions = listDivisions(db);
  const own = divisions.find(({ shards }) => shards > shard);
  const from = own ? coded('server_from', { from: formatDay(own.day * DAY) }) : coded('server_undecided');
  const isLater = shard >= (divisions[0]?.shards ?? Number.POSITIVE_INFINITY);
  return [...(isLater ? [from] : []), ...(isLeaving === 1 ? [coded('server_leaves')] : [])];
}

function findRemedy({ url, state, reason, isWanted, isSilent }: Examined): Coded | undefined {
  if (state === 'complete') return undefined;
  if (state === 'filling') return coded(isSilent ? 'start_server' : 'wait_for_fill');
  if (isWanted === 1 || reason === 'missed') return coded('start_server');
  return coded('fill_server', { host: findHost(url) });
}

const findHost = (url: string): string => new URL(url).host;

/**
 * Lists what is wrong with a server, each with its remedy. A silent server that lacks rows has one remedy for both
 * faults.
 */
export function listFaults(server: Examined): Fault[] {
  const { isSilent, status, now, url } = server;
  const remedy = findRemedy(server);
  const faults: Fault[] = [];
  if (isSilent) faults.push({ says: coded('server_silent'), remedy: remedy ?? coded('start_or_look') });
  if (remedy) faults.push({ says: describeServer(server), remedy });
  if (isSilent) return faults;
  if (server.state === 'complete' && status?.isAway)
    faults.push({ says: coded('server_unused'), remedy: coded('see_why_unused', { host: findHost(url) }) });
  const lag = status?.lag ?? 0;
  if (server.state === 'complete' && lag > LATE)
    faults.push({
      says: coded('server_late', { time: iso(now - lag) }),
      remedy: coded('see_why_late', { host: findHost(url) }),
    });
  if (status?.answers && !status.load) return [...faults, { says: coded('server_no_figures'), remedy: GRANT }];
  return status?.load ? [...faults, ...listLoadFaults(status.load, findHost(url))] : faults;
}

const GRANT = coded('grant_system_tables');

function listLoadFaults(load: ServerLoad, host: string): Fault[] {
  const { diskFree, diskTotal, memory, memoryLimit, partitionParts, failedMutations } = load;
  const faults: Fault[] = [];
  if (diskFree !== null && diskTotal !== null && diskFree < diskTotal * LEAST_FREE)
    faults.push({
      says: coded('server_disk', { free: diskFree, total: diskTotal }),
      remedy: coded('make_room_on_server', { host }),
    });
  if (memoryLimit !== null && memory > memoryLimit * MOST_MEMORY)
    faults.push({
      says: coded('server_memory', { used: memory, limit: memoryLimit }),
      remedy: coded('see_memory', { host }),
    });
  if (partitionParts > MOST_PARTS)
    faults.push({ says: coded('server_parts', { count: partitionParts }), remedy: coded('see_merges', { host }) });
  if (failedMutations > 0)
    faults.push({
      says: coded('server_mutations', { count: failedMutations }),
      remedy: coded('see_mutations', { host }),
    });
  return faults;
}
