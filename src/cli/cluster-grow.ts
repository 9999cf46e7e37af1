// Commands that change the servers of a cluster while hits come in. They add a shard or a replica, remove a server, or
// replace a server by another.
//
// Invariant: a command checks a new server and makes its tables. All other work is only noted in the database file, in
// one transaction, and the running primary does it. (If no primary runs, the command itself removes a server.) So a
// command can be killed at any moment and repeated. The mark of a removed server is deleted last. If the command or the
// primary was killed before that, the repeated command deletes the mark.
//
// Example: `daybook cluster replace one:8123 five:8123` notes five:8123 as a replica of the shard of one:8123. The
// primary fills five:8123, and compares the copied rows with the rows of a complete replica. Then the command asks the
// primary to remove one:8123. commands.ts lists these commands.

import { addShard, cancelShard, listTooFarAhead, listUnready } from '../cluster/grow/divide.ts';
import { isDispensable, listSuccessors, removeMark } from '../cluster/grow/leave.ts';
import { findUrls, isThere, prepareNewServers } from '../cluster/grow/new-servers.ts';
import { parseAddress } from '../cluster/servers/address.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { DAY, formatDay } from '../lib/time.ts';
import {
  addServer,
  countShards,
  type KnownServer,
  listKnownServers,
  listRemovedServers,
  removeServer,
  wantRemoval,
} from '../store/cluster/cluster-servers.ts';
import type { Collector } from '../store/cluster/collectors.ts';
import { type Division, findUndecided, listDivisions } from '../store/cluster/divisions.ts';
import type { Db } from '../store/db.ts';
import { describeFill, findServer, isIdle, NO_ENGINE, type Step, watchServer } from './cluster.ts';
import { type Command, type Invocation, now, withStore } from './command.ts';

const withCluster = ({ config }: Invocation, work: (db: Db, engine: string) => Promise<void>): Promise<void> =>
  withStore(config, async (db) => {
    const { engine } = config;
    if (engine === undefined) throw new Refusal(NO_ENGINE, USAGE);
    if (countShards(db) === 0)
      throw new Refusal('this file has no cluster yet. Start the server with --engine first. It remembers the servers');
    await work(db, engine);
  });

/**
 * True if a server has the URL `url`, which is in lower case. The stored URL is written as in the option --engine,
 * perhaps with capital letters.
 */
const hasUrl = (url: string) => (one: { url: string }) => one.url === url || new URL(one.url).href === url;

const findKnown = (db: Db, url: string): KnownServer | undefined => listKnownServers(db).find(hasUrl(url));

const refuseKnown = ({ url, shard }: KnownServer): Refusal =>
  new Refusal(`${url} is in shard ${shard + 1} of the cluster already. Name a server that is not`, USAGE);

/**
 * A running collector confirms a new shard within two seconds. A collector that is silent for ten seconds is probably
 * turned off.
 */
const SILENT_SECONDS = 10;

/**
 * Names the collectors that have not confirmed a new shard yet. The text also says whether the operator has to do
 * something about them.
 */
function describeUnready(db: Db, proposed: Division): string {
  const unready = listUnready(db, proposed, now());
  if (unready.length === 0) return 'waiting for the primary to confirm';
  const list = (some: readonly Collector[]): string => some.map(({ name }) => name).join(', ');
  const ahead = listTooFarAhead(unready, proposed);
  const silent = unready.filter((one) => now() - one.seenAt > SILENT_SECONDS && !ahead.includes(one));
  const remedies = [
    silent.length > 0 &&
      `No contact with: ${list(silent)}. Start each of these. If the disk of one is lost, run daybook collectors retire NAME --lost`,
    ahead.length > 0 &&
      `The clock was more than 30 days ahead on: ${list(ahead)}. Run daybook collectors retire NAME for each of these, and add new ones`,
  ];
  return [`waiting for collectors to confirm: ${list(unready)}`, ...remedies.filter(Boolean)].join('. ');
}

function describeDivision(db: Db, shard: number): Step {
  const proposed = findUndecided(db);
  if (proposed) return { words: describeUnready(db, proposed) };
  const own = listDivisions(db).find(({ shards }) => shards > shard);
  if (!own) throw new Refusal(`shard ${shard + 1} was removed. Run the command again to add it`);
  const from = formatDay(own.day * DAY);
  return {
    isDone: true,
    words: `from ${from} on, visitors are divided among ${own.shards} shards. Earlier days stay where they are`,
  };
}

const growShards: Command = {
  name: 'cluster add-shard',
  args: ['HOSTS'],
  summary: 'Divide the visitors of new days among one more shard. HOSTS are its replicas, separated by commas',
  settings: ['db', 'engine'],
  run: (invocation) =>
    withCluster(invocation, async (db, engine) => {
      const urls = [...new Set(findUrls(engine, (invocation.args[0] ?? '').split(',')))];
      const known = urls.flatMap((url) => findKnown(db, url) ?? []);
      const [first] = known;
      const [base] = listDivisions(db);
      const isRepeated = known.length === urls.length && known.every((one) => one.shard === first?.shard);
      if (first && !(isRepeated && base && first.shard >= base.shards)) throw refuseKnown(first);
      if (!first) await prepareNewServers(engine, urls, listKnownServers(db));
      const shard = first?.shard ?? addShard(db, urls, now());
      const later = 'noted. The primary divides the visitors of new days anew when it starts';
      await watchServer(invocation, later, () => describeDivision(db, shard));
    }),
};

/** Adds an empty server to a shard, unless an earlier command did so. The primary fills the server. */
async function addTo(db: Db, engine: string, { url, shard }: { url: string; shard: number }): Promise<void> {
  const isThereAlready = () => {
    const known = findKnown(db, url);
    if (known && known.shard !== shard) throw refuseKnown(known);
    return known !== undefined;
  };
  const assertFillable = () => {
    if (!listKnownServers(db).some((one) => one.shard === shard && one.state === 'complete'))
      throw new Refusal(`no server of shard ${shard + 1} has everything. daybook cluster says what to do`);
  };
  if (isThereAlready()) return;
  assertFillable();
  await prepareNewServers(engine, [url], listKnownServers(db));
  // Meanwhile, another command may have added the server, or cancelled the new shard.
  db.write(() => {
    if (isThereAlready()) return;
    assertFillable();
    addServer(db, { url, shard, state: 'lacking', now: now() });
  });
}

const addReplica: Command = {
  name: 'cluster add-replica',
  args: ['HOST'],
  summary: 'Add a replica to a shard: copy everything to it, compare it, then use it',
  settings: ['db', 'engine'],
  flags: { shard: { value: 'N', help: 'the number of the shard, as daybook cluster lists it', required: true } },
  run: (invocation) =>
    withCluster(invocation, async (db, engine) => {
      const { args, flags } = invocation;
      const [url = ''] = findUrls(engine, [args[0] ?? '']);
      const count = countShards(db);
      if (!/^\d{1,3}$/.test(flags.shard ?? '') || Number(flags.shard) < 1 || Number(flags.shard) > count)
        throw new Refusal(`--shard takes a number from 1 to ${count}. daybook cluster lists the shards`, USAGE);
      await addTo(db, engine, { url, shard: Number(flags.shard) - 1 });
      await watchServer(invocation, `noted. The primary fills ${url} when it starts`, () => describeFill(db, url));
    }),
};

/** Throws unless another server of the shard has all rows of this server, and responds. */
async function assertDispensable(db: Db, engine: string, server: KnownServer): Promise<void> {
  const { url, shard } = server;
  const others = listKnownServers(db).filter((one) => one.shard === shard && one.url !== url);
  if (others.length === 0)
    throw new Refusal(
      `${url} is the only server of shard ${shard + 1}. A shard that has hits, or gets them soon, cannot be removed, because reports would lack them. To use another server for it, run daybook cluster replace`,
    );
  const successors = listSuccessors(db, server);
  for (const one of successors) if (await isThere(engine, one.url)) return;
  const remedy =
    successors.length > 0
      ? `Start ${successors.map((one) => new URL(one.url).host).join(' or ')}`
      : 'daybook cluster says what the others lack. Wait until one is complete and has received all hits';
  throw new Refusal(`no other server of shard ${shard + 1} has everything and responds. ${remedy}`);
}

/**
 * Removes a server if another server of its shard has all rows. If the primary is running, this function only notes the
 * removal. The primary then removes the server at a time without nightly work, and the command waits for this. The only
 * server of a new shard is removed at once, if no hit was sent to that shard yet (`cancelShard`).
 */
async function removeNow(invocation: Invocation, db: Db, engine: string, server: KnownServer): Promise<void> {
  const { url } = server;
  const words = `${url} is removed. You can turn it off`;
  const isCancelled = cancelShard(db, server, now());
  if (!isCancelled) {
    await assertDispensable(db, engine, server);
    db.write(() => {
      if (!isDispensable(db, server))
        throw new Refusal('the other servers have changed just now. Run the command again');
      if (!isIdle(invocation.config.db)) return wantRemoval(db, url);
      removeServer(db, server, now());
    });
  }
  if (!findKnown(db, url)) await removeMark(parseAddress(engine), db, server);
  const look = () =>
    findKnown(db, url) ? { words: `waiting for the primary to remove ${url}` } : { isDone: true as const, words };
  await watchServer(invocation, `noted. The primary removes ${url} when it starts`, look);
}

const remove: Command = {
  name: 'cluster remove',
  args: ['HOST'],
  summary: 'Remove a server, if another server of its shard has everything',
  settings: ['db', 'engine'],
  run: (invocation) =>
    withCluster(invocation, async (db, engine) => {
      const [name = ''] = invocation.args;
      if (await repeatRemoval(db, engine, name)) return invocation.io.print(`${name} was removed already`);
      await removeNow(invocation, db, engine, findServer(db, name));
    }),
};

/**
 * Returns true if an earlier command removed the server. That command may have been killed before it deleted the
 * server's mark. So the mark is deleted again.
 */
async function repeatRemoval(db: Db, engine: string, name: string): Promise<boolean> {
  const [url = ''] = findUrls(engine, [name]);
  const removed = listRemovedServers(db).filter(hasUrl(url));
  if (findKnown(db, url) || removed.length === 0) return false;
  for (const one of removed) await removeMark(parseAddress(engine), db, one);
  return true;
}

const replace: Command = {
  name: 'cluster replace',
  args: ['OLD', 'NEW'],
  summary: 'Replace a server: copy its data to a new one, compare them, then remove the old one',
  settings: ['db', 'engine'],
  run: (invocation) =>
    withCluster(invocation, async (db, engine) => {
      const { args, io } = invocation;
      const [old = '', fresh = ''] = args;
      const [url = ''] = findUrls(engine, [fresh]);
      if (findKnown(db, url)?.state === 'complete' && (await repeatRemoval(db, engine, old)))
        return io.print(`${old} was replaced by ${fresh} already`);
      const server = findServer(db, old);
      if (hasUrl(url)(server)) throw refuseKnown(server);
      await addTo(db, engine, { url, shard: server.shard });
      const later = `noted. The primary fills ${url} when it starts. Run this command again then`;
      if (await watchServer(invocation, later, () => describeFill(db, url)))
        await removeNow(invocation, db, engine, findServer(db, server.url));
    }),
};

export const clusterGrowCommands = [growShards, addReplica, remove, replace];
