// Commands for a cluster of ClickHouse servers. They list the servers, fill a server, accept a server, adopt a cluster,
// or count and delete rows that the database file does not know. cluster-grow.ts has the commands that add, remove or
// replace servers.
//
// `fill` only notes a request in the database file. The running primary then copies the data to the server. `accept` is
// for a shard without any complete server: the cluster goes on with the rows of one server, and all other rows of the
// shard are lost.
//
// Example: 10.0.0.2:8123 has a new disk. With `daybook cluster fill 10.0.0.2:8123`, the primary copies all days to this
// server. The command prints each step until the server is complete. commands.ts lists these commands.

import { setTimeout as pause } from 'node:timers/promises';
import { noteRemovedDays } from '../catalog/day-ids.ts';
import { setTotals } from '../catalog/day-states.ts';
import { sweepAccepted } from '../cluster/upkeep/accept.ts';
import { openAdoption, type Unknown } from '../cluster/upkeep/adopt.ts';
import { eachOnce } from '../doctor/result.ts';
import { describeGrowth, describeServer, listFaults } from '../doctor/servers.ts';
import { inEnglish } from '../lang/sentences.ts';
import { assertNoOwnHits } from '../ledger/own-hits.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { plural } from '../lib/plural.ts';
import {
  changeServerState,
  exchangePlaces,
  forgetBeat,
  type KnownServer,
  listKnownServers,
  wantFill,
} from '../store/cluster/cluster-servers.ts';
import { listLost } from '../store/cluster/collectors.ts';
import { findLag } from '../store/cluster/sender-status.ts';
import type { Db } from '../store/db.ts';
import { takeLock } from '../store/file/lock.ts';
import { listSiteDomains } from '../store/sites/sites.ts';
import { type Command, clock, type Invocation, type Io, now, withStore } from './command.ts';
import { LIST_FLAGS, printTable } from './table.ts';

/** The error message if a command needs --engine, and --engine is missing. */
export const NO_ENGINE = 'name the cluster with --engine or DAYBOOK_ENGINE, as for the primary';

const LOOK_MS = 500;

const list: Command = {
  name: 'cluster',
  args: [],
  summary: 'List the ClickHouse servers: what each has, and what to do if one lacks something',
  settings: ['db'],
  flags: LIST_FLAGS,
  async run(invocation) {
    await withStore(invocation.config, async (db) => {
      const rows = listKnownServers(db).map(async (one) => {
        const faults = listFaults({ ...one, isSilent: !(await ping(one.url)), status: undefined, now: now() });
        const says = faults.length > 0 ? faults.map((fault) => fault.says) : [describeServer(one)];
        const remedies = eachOnce(faults.map(({ remedy }) => remedy));
        const words = [...says, ...describeGrowth(db, one), ...remedies].map(inEnglish).join('. ');
        return [new URL(one.url).host, one.shard + 1, one.state, words];
      });
      printTable(invocation, ['SERVER', 'SHARD', 'STATE', 'WHAT'], await Promise.all(rows));
    });
  },
};

/** A server that takes longer to answer counts as a server that does not respond. */
const PING_MS = 2_000;

/**
 * True if a ClickHouse server answers. Only --engine contains the password of the cluster. The path /ping needs no
 * password, so `daybook cluster` needs no --engine.
 */
const ping = (url: string): Promise<boolean> =>
  fetch(new URL('ping', url), { redirect: 'error', signal: AbortSignal.timeout(PING_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Finds a server by URL, or by host and port. The host alone is enough if only one server has it. */
export function findServer(db: Db, name: string): KnownServer {
  const all = listKnownServers(db);
  const found = all.filter(({ url }) => {
    const { href, host, hostname } = new URL(url);
    return url === name || [href, host, hostname].includes(name.toLowerCase());
  });
  const [one] = found;
  if (one && found.length === 1) return one;
  const hosts = all.map(({ url }) => new URL(url).host).join(', ');
  throw new Refusal(
    `HOST: ${found.length === 0 ? 'there is no server' : 'there are several servers'} ${name}. Name one of ${hosts}`,
    USAGE,
  );
}

/** True if no daybook server runs on a database file. A running server holds the lock of the file. */
export function isIdle(path: string): boolean {
  try {
    takeLock(path, 'a server runs').close();
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** What the running primary is doing for a command, in words. If `isDone` is set, the words say the result. */
export type Step = { words: string; isDone?: true };

/**
 * Prints each step that the running primary takes for a command, until the work is done. If no primary runs, prints
 * `later` and stops waiting. Returns true if the work is done.
 */
export async function watchServer(
  { config, io }: Pick<Invocation, 'config' | 'io'>,
  later: string,
  look: () => Step,
): Promise<boolean> {
  let stopped = false;
  io.onStop(() => {
    stopped = true;
  });
  let printed = '';
  while (!stopped) {
    const { words, isDone = false } = look();
    if (isDone || isIdle(config.db)) {
      io.print(isDone ? words : later);
      return isDone;
    }
    if (words !== printed) io.explain(words);
    printed = words;
    await pause(LOOK_MS);
  }
  return false;
}

export function describeFill(db: Db, url: string): Step {
  const server = findServer(db, url);
  if (server.state === 'complete' && server.isWanted === 0) return { isDone: true, words: `${url} has everything` };
  const isFilling = server.state === 'filling';
  return { words: isFilling ? inEnglish(describeServer(server)) : `waiting for the primary to begin with ${url}` };
}

const OF_LOST = 'hits of a collector that was retired with --lost';

/** True if a server has rows of a lost collector that none of the sources of its fill has, by the last report. */
const hasOnlyLost = (db: Db, url: string, sources: readonly KnownServer[]): boolean =>
  sources.length > 0 && listLost(db).some((one) => sources.every((source) => findLag(one, source.url, url) > 0));

const fill: Command = {
  name: 'cluster fill',
  args: ['HOST'],
  summary: 'Copy everything to a server that lacks data, such as one with a new disk. The running primary does it',
  settings: ['db', 'engine'],
  async run({ args: [name = ''], config, io }) {
    await withStore(config, async (db) => {
      const { url, state, shard } = findServer(db, name);
      const others = listKnownServers(db).filter((one) => one.shard === shard && one.url !== url);
      if (state === 'complete' && !others.some((one) => one.state === 'complete'))
        return io.print(`${url} has everything already, and no other server of its shard does`);
      const sources = others.filter((one) => one.state === 'complete');
      if (hasOnlyLost(db, url, sources)) io.explain(`${url} alone has some ${OF_LOST}. The fill deletes them`);
      db.write(() => wantFill(db, url));
      await watchServer({ config, io }, `noted. The primary fills ${url} when it starts`, () => describeFill(db, url));
    });
  },
};

const accept: Command = {
  name: 'cluster accept',
  args: ['HOST'],
  summary: 'Continue with the data of a server, if no server of its shard has everything. The rest is lost',
  settings: ['db', 'engine'],
  async run({ args: [name = ''], config, io }) {
    await withStore(config, async (db) => {
      if (config.engine === undefined) throw new Refusal(NO_ENGINE, USAGE);
      const { url, shard, state } = findServer(db, name);
      if (state === 'complete') throw new Refusal(`${url} is complete. There is nothing to accept`, USAGE);
      const others = listKnownServers(db).filter((one) => one.shard === shard && one.state === 'complete');
      if (others[0])
        throw new Refusal(`${others[0].url} has everything. Run daybook cluster fill ${name} to copy it`, USAGE);
      const { corrected, owner } = await sweepAccepted(config.engine, db, clock, url);
      db.write(() => {
        if (owner) exchangePlaces(db, url, owner.url);
        for (const { id, totals } of corrected) setTotals(db, id, totals, 0);
        changeServerState(db, url, { state: 'complete', now: now() });
        forgetBeat(db, url);
        noteRemovedDays(db);
      });
      io.print(`${url} counts as complete from now on. Restart the server`);
    });
  },
};

/**
 * Prints how many rows of the cluster belong to unknown sites, or to unknown days of known sites. Returns the number of
 * these rows.
 */
function printUnknown(io: Io, db: Db, unknown: readonly Unknown[]): number {
  const domains = new Map(listSiteDomains(db).map(({ id, domain }) => [id, domain]));
  for (const { siteId, rows } of unknown) {
    const domain = domains.get(siteId);
    io.print(
      domain === undefined
        ? `site ${siteId}: ${plural(rows, 'row')}`
        : `sealed days of ${domain}: ${plural(rows, 'row')}`,
    );
  }
  return unknown.reduce((sum, { rows }) => sum + rows, 0);
}

/**
 * Prints, for each site, how many sealed days of the database file no ClickHouse server has. After the adoption,
 * reports do not count these days.
 */
function printLost(io: Io, db: Db, lost: readonly { siteId: number }[]): void {
  const domains = new Map(listSiteDomains(db).map(({ id, domain }) => [id, domain]));
  for (const [siteId, days] of Map.groupBy(lost, (one) => one.siteId))
    io.print(
      `sealed days of ${domains.get(siteId) ?? `site ${siteId}`} that were deleted: ${days.length}. They no longer count`,
    );
}

type Adoption = Awaited<ReturnType<typeof openAdoption>>;

const withAdoption = ({ config }: Invocation, work: (db: Db, adoption: Adoption) => Promise<void>): Promise<void> =>
  withStore(config, async (db) => {
    if (config.engine === undefined) throw new Refusal(NO_ENGINE, USAGE);
    assertNoOwnHits(db);
    await work(db, await openAdoption(config.engine, db, clock));
  });

const adopt: Command = {
  name: 'cluster adopt',
  args: [],
  summary:
    'Take over a cluster that is newer than this file, or whose file is lost. First prints what would be left out',
  settings: ['db', 'engine'],
  flags: { yes: { help: 'do it' } },
  run: (invocation) =>
    withAdoption(invocation, async (db, { listUnknown, listLost, adopt }) => {
      const { io, flags, config } = invocation;
      const rows = printUnknown(io, db, await listUnknown());
      printLost(io, db, await listLost());
      if (flags.yes === undefined)
        return io.print(
          `${plural(rows, 'row')} would stay, but reports would not count them. Add --yes to take the cluster over`,
        );
      if (!isIdle(config.db)) throw new Refusal('a server runs on this file. Stop it first');
      await adopt();
      io.print(
        `the cluster now belongs to this file. Reports do not count ${plural(rows, 'row')} of it. To list them, run daybook cluster unknown`,
      );
    }),
};

const unknown: Command = {
  name: 'cluster unknown',
  args: [],
  summary: 'Count the rows on the cluster that this file does not know, by site. --delete deletes them',
  settings: ['db', 'engine'],
  flags: { delete: { value: 'N', help: 'delete them, if there are exactly this many' } },
  run: (invocation) =>
    withAdoption(invocation, async (db, { listUnknown, deleteUnknown }) => {
      const { io, flags } = invocation;
      const rows = printUnknown(io, db, await listUnknown());
      if (flags.delete === undefined)
        return io.print(
          rows === 0
            ? 'the file knows all rows on the cluster'
            : `${plural(rows, 'row')} in all. Add --delete ${rows} to delete them`,
        );
      if (flags.delete !== String(rows))
        throw new Refusal(`--delete: there are ${plural(rows, 'row')}. Nothing was deleted`, USAGE);
      await deleteUnknown();
      io.print(`${plural(rows, 'row')} deleted`);
    }),
};

export const clusterCommands = [fill, accept, adopt, unknown, list];
