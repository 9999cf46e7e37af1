// The running daybook checks each ClickHouse server before it sends the first statement to that server. The cluster
// must belong to the database file. The marks on the servers show whether it does. A mark is a row with the name of an
// installation and a number that grows (the beat). ClickHouse servers that respond at the start are checked then.
//
// The database file may be an older copy, such as a restored backup. A higher beat on a server than in the file shows
// that. An older copy is refused if it does not know the latest sealed days. Otherwise daybook would give the ids of
// these days to other days, and visits would count twice.
//
// Invariant: no statement goes to a server that was not checked. With an older copy, daybook uses no server until all
// servers are checked. Any server may have the newest rows, which show what happened after the copy was made.
//
// Example: daybook starts with an older copy, and ClickHouse starts 5 s later. Then a server has a sealed day that the
// file does not know. So no statement is sent to this server, hits wait in the outbox, and the log says why. connect.ts
// uses this file. Test: test/cluster/servers/admission.test.ts.
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { plural } from '../../lib/plural.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { changeServerState, listServers, setServers } from '../../store/cluster/cluster-servers.ts';
import { beginBeats, findInstallation } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import type { Address } from './address.ts';
import { hasCopiedDisk } from './copied-disks.ts';
import { endWith } from './end-with.ts';
import { isOlder, listLostDays, noteDeletedVisits, SELECT_DAYS, type StoredDay } from './lost-days.ts';
import { NOTHING_HELD, readHolding } from './marks.ts';
import type { Node } from './nodes.ts';
import {
  ADOPT,
  assertOurs,
  type FoundHolding,
  findOtherPlace,
  listNewlyLacking,
  listOutdated,
  listReturned,
} from './ownership.ts';
import { WrongPlace } from './places.ts';
import { retireAgain } from './restored-collectors.ts';
import { buildSend, MOST_TEXT, parseRows, Refused, type Send, SHORT_ANSWER } from './send.ts';

/**
 * Before daybook uses a server, it makes missing tables there, and reads the marks and the highest ids. Each of these
 * statements may take 2 minutes.
 */
const PREPARED_MS = 120_000;
/**
 * The program cannot end while it waits for the marks and ids of a server, which takes up to 2 minutes. So a server is
 * asked for them only if it has answered a first query within this time.
 */
const PING_MS = 1_000;

export function buildPreparer(address: Address): Send {
  const send = buildSend(address);
  return (url, sql) => send(url, sql, { signal: AbortSignal.timeout(PREPARED_MS), longest: MOST_TEXT });
}

/**
 * Reads what a server has: a mark of each installation that has used it, and the highest ids in its rows. The ids are
 * of sites, sealed days and imports. A server with a new disk has no tables, and so no marks and no ids.
 */
export async function findHolding(address: Address, node: Node): Promise<FoundHolding> {
  const holding = await readHolding(buildPreparer(address), node.url).catch((error: Error) => {
    if (/UNKNOWN_(DATABASE|TABLE)/.test(error.message)) return NOTHING_HELD;
    throw error;
  });
  return { node, holding };
}

type OpenOptions = { canLack: (node: Node) => boolean; leaveOut: (node: Node, error: Error) => void };

/**
 * Opens servers: makes missing tables, and reads what each server has. A server may fail, for example because its disk
 * is damaged. If the database file knows that server, and another server of its shard works, the failing server is left
 * out. Otherwise its error is thrown.
 */
export async function openServers(
  there: readonly Node[],
  open: (node: Node) => Promise<FoundHolding>,
  { canLack, leaveOut }: OpenOptions,
): Promise<FoundHolding[]> {
  const tried = await Promise.allSettled(there.map(open));
  const found = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  for (const [i, one] of tried.entries()) {
    const node = there[i] as Node;
    if (one.status === 'fulfilled') continue;
    if (!canLack(node) || !found.some((other) => other.node.shard === node.shard)) throw one.reason;
    leaveOut(node, one.reason);
  }
  return found;
}

export const findLastBeat = (holdings: readonly FoundHolding[]): number =>
  Math.max(0, ...holdings.flatMap(({ holding }) => holding.marks.map(({ beat }) => beat)));

/** Thrown if the database file is an older copy and a server is not checked yet. That server may have newer rows. */
class Unchecked extends Refusal {
  constructor({ url }: Node) {
    super(
      `the file is an old backup, and ${url} could not be checked. That server may have newer data than the others. Start it, or start ClickHouse there on a new disk`,
      UNUSABLE,
    );
  }
}

/** True if the reason for a refusal may end while daybook runs. */
const mayEnd = (error: Refusal): boolean => error instanceof Unchecked || error instanceof WrongPlace;

function assertAllChecked(nodes: readonly Node[], holdings: ReadonlyMap<string, FoundHolding>): void {
  const unchecked = nodes.find(({ url }) => !holdings.has(url));
  if (unchecked) throw new Unchecked(unchecked);
}

type Deps = {
  address: Address;
  db: Db;
  clock: Clock;
  log: Log;
  /** All servers of the cluster, also those that do not respond. */
  nodes: readonly Node[];
  isComplete: (node: Node) => boolean;
};

/** Builds functions that check servers before the running daybook uses them. */
export function buildAdmission({ address, db, clock, log, nodes, isComplete }: Deps) {
  const isNew = listServers(db).length === 0;
  const tell = buildTeller(log);
  const admitted = new Set<string>();
  const checks = new Map<string, Promise<void>>();
  /** What each server had when it was checked. */
  const holdings = new Map<string, FoundHolding>();
  let isOlderCopy = false;
  let hasBegun = false;

  /** Writes the list of servers to the database file, and which of them turned out to lack rows. */
  function note(lacking: ReturnType<typeof listNewlyLacking>): void {
    setServers(db, nodes);
    for (const { url, reason } of lacking)
      changeServerState(db, url, { state: 'lacking', reason, now: seconds(clock) });
  }

  /**
   * Checks the marks and ids of servers. Until `hasBegun`, a mark with a higher beat than the database file shows that
   * the file is an older copy. Once each shard has a checked, complete server, the beat in the file is raised far above
   * all beats (`beginBeats`). A primary that still runs with a copy of the file notices that, and seals no days.
   */
  async function takeIn(found: readonly FoundHolding[], copies?: ReadonlySet<Node>): Promise<void> {
    assertOurs(db, found, isNew, copies);
    for (const one of found) holdings.set(one.node.url, one);
    const all = [...holdings.values()];
    if (!hasBegun && isOlder(db, found)) isOlderCopy = true;
    if (isOlderCopy && !hasBegun) assertAllChecked(nodes, holdings);
    useReturned({ db, clock, log }, all);
    const known = listNewlyLacking(db, all).filter(({ url }) => found.some(({ node }) => node.url === url));
    const isKnown = ({ url }: { url: string }) => known.some((one) => one.url === url);
    const lacking = [...known, ...(isOlderCopy ? listOutdated(db, all).filter((one) => !isKnown(one)) : [])];
    const isWhole = (node: Node) => isComplete(node) && !lacking.some(({ url }) => url === node.url);
    const whole = all.map(({ node }) => node).filter(isWhole);
    const isBeginning = !hasBegun && countShards(whole) === countShards(nodes);
    const stored = isBeginning && isOlderCopy ? await readStoredDays(address, whole) : undefined;
    if (stored) assertDaysThere(db, stored);
    db.write(() => {
      if (isBeginning) begin({ db, clock, log }, all);
      note(lacking);
      if (stored) noteDeletedVisits(db, stored);
    });
    hasBegun ||= isBeginning;
    for (const { node } of found) admitted.add(node.url);
  }

  /**
   * Checks a server that did not respond at the start. A `Refusal` holds until daybook starts again, unless its reason
   * may end earlier (`mayEnd`). After any other error, such as no response, the next statement checks the server again.
   */
  function check(node: Node): Promise<void> {
    const { url } = node;
    const running =
      checks.get(url) ??
      findLateHolding(address, node)
        .then(async (found) => {
          await takeIn([found], await findCopy({ address, db, nodes }, found));
          if (!isComplete(node)) throw new Error(`${url} lacks rows`);
        })
        .catch((error: Error) => {
          if (!(error instanceof Refusal) || mayEnd(error)) checks.delete(url);
          if (error instanceof Refusal) tell(url, error);
          throw error;
        });
    checks.set(url, running);
    return running;
  }

  return {
    takeIn,
    /** Returns once a server is checked, or throws if the server must not be used. */
    async admit(url: string, signal?: AbortSignal): Promise<void> {
      const node = admitted.has(url) ? undefined : nodes.find((one) => one.url === url);
      if (node) await endWith(check(node), signal);
    },
  };
}

/**
 * Makes all later marks get beats above those on the servers. Before that, collectors are retired that were retired
 * after the backup in use was made.
 */
function begin({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>, all: readonly FoundHolding[]): void {
  const name = findInstallation(db)?.name;
  const marks = all.flatMap(({ holding }) => holding.marks.filter(({ installation }) => installation === name));
  for (const collector of retireAgain(db, marks, seconds(clock)))
    log('a collector was retired after this backup was made. It stays retired', { collector });
  beginBeats(db, findLastBeat(all));
}

/**
 * A shard may have no complete server. Then the server that was complete last becomes complete again, if its own disk
 * is back (`listReturned`).
 */
function useReturned({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>, all: readonly FoundHolding[]): void {
  const returned = listReturned(db, all);
  if (returned.length === 0) return;
  db.write(() => {
    for (const url of returned) changeServerState(db, url, { state: 'complete', now: seconds(clock) });
  });
  for (const url of returned) log('a server of the cluster has its own disk again', { url });
}

type CopyDeps = Pick<Deps, 'address' | 'db' | 'nodes'>;

/**
 * Finds whether a server that did not respond at the start has a copy of another server's disk. Gives a list with this
 * server, or an empty list.
 */
async function findCopy({ address, db, nodes }: CopyDeps, found: FoundHolding): Promise<ReadonlySet<Node>> {
  const send = buildPreparer(address);
  async function askOne<Row>({ url }: Node, sql: string): Promise<Row[]> {
    await ping(address, url);
    return parseRows<Row>(await send(url, `${sql} FORMAT JSONEachRow`));
  }
  const place = findOtherPlace(found);
  const isCopy = place !== undefined && (await hasCopiedDisk({ db, nodes: { all: nodes, askOne } }, found.node, place));
  return new Set(isCopy ? [found.node] : []);
}

/** Reads what a server has, or throws if it still does not respond. */
async function findLateHolding(address: Address, node: Node): Promise<FoundHolding> {
  await ping(address, node.url);
  return await findHolding(address, node);
}

/**
 * Builds a function that says in the log why a server is not used, or why another `event` happens. A reason is not
 * logged twice in a row.
 */
export function buildTeller(log: Log, event = 'a server of the cluster is not used') {
  const told = new Map<string, string>();
  return (url: string, { message }: Error): void => {
    if (told.get(url) !== message) log(event, { url, message });
    told.set(url, message);
  };
}

/** Throws if a server does not respond within a second. A refused statement counts as a response too. */
export async function ping(address: Address, url: string): Promise<void> {
  await buildSend(address)(url, 'SELECT 1', { signal: AbortSignal.timeout(PING_MS), longest: SHORT_ANSWER }).catch(
    (error: Error) => {
      if (!(error instanceof Refused)) throw error;
    },
  );
}

const countShards = (nodes: readonly Node[]): number => new Set(nodes.map(({ shard }) => shard)).size;

/**
 * Lists the sealed days that these servers have stored. A small day may have visits on one shard only, so the servers
 * of all shards are asked.
 */
async function readStoredDays(address: Address, there: readonly Node[]): Promise<StoredDay[]> {
  const send = buildPreparer(address);
  const ask = async ({ url }: Node) => parseRows<StoredDay>(await send(url, `${SELECT_DAYS} FORMAT JSONEachRow`));
  return (await Promise.all(there.map(ask))).flat();
}

/**
 * Refuses a database file if the cluster lacks some of its sealed days. The file is then an old backup, and these days
 * were deleted after the backup was made. With this file, their totals would count without visits.
 */
function assertDaysThere(db: Db, stored: readonly StoredDay[]): void {
  const lost = listLostDays(db, stored);
  if (lost.length > 0)
    throw new Refusal(
      `the cluster lacks ${plural(lost.length, 'sealed day')} of this daybook.db. The file is an old backup, and these days were deleted since. Restore a newer backup. If there is none, ${ADOPT}`,
      UNUSABLE,
    );
}
