// A fill copies missing rows to a ClickHouse server while hits are received. The rows come from a replica: another
// server of the same shard.
//
// 1. The tables for new rows are made anew. The server becomes `filling`, and the collectors learn this.
// 2. Each sender reports that it sends new rows to the server too. The fill waits for all senders.
// 3. The fill takes a row number for each sender, and waits until both servers have all rows of the sender below this
//    number. Then all rows below it that the server lacks are copied (copies.ts).
// 4. Step 3 is repeated once. Meanwhile no day can be sealed. Then the server gets a new mark (a row that names its
//    installation), and is `complete`.
//
// Invariant: a complete server has every row of its shard. A fill that failed starts again. Sealed days that the failed
// fill has copied are not copied again.
//
// Example: a server with a new disk gets 300 GB. Step 3 takes an hour. Step 4 copies only rows of the last minute, so
// sealing waits for a few seconds. filler.ts calls fillServer.
import { setTimeout as pause } from 'node:timers/promises';
import type { Turns } from '../../catalog/one-at-a-time.ts';
import { type Coded, coded } from '../../lang/coded.ts';
import { inEnglish } from '../../lang/sentences.ts';
import { writeCoded } from '../../lib/http/fault.ts';
import type { Log } from '../../lib/log.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import {
  changeServerState,
  forgetBeat,
  listKnownServers,
  listServers,
  noteProgress,
  wantFill,
} from '../../store/cluster/cluster-servers.ts';
import { listRetiredNumbers } from '../../store/cluster/collectors.ts';
import type { Db } from '../../store/db.ts';
import { hasCopiedDisk } from '../servers/copied-disks.ts';
import { listOutdone } from '../servers/late.ts';
import { assertOnlyPrimary, assertPlace, raiseMarks, readBeat, tryWriting } from '../servers/marks.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { WrongPlace } from '../servers/places.ts';
import { findLowestNumber, PRIMARY } from '../servers/row-numbers.ts';
import { Refused } from '../servers/send.ts';
import { copyArriving, copySealed } from './copies.ts';
import { findLastNumber } from './last-numbers.ts';
import type { FillSender } from './senders.ts';

export type Deps = {
  db: Db;
  nodes: Nodes;
  clock: Clock;
  log: Log;
  /**
   * Gives a row number that is higher than all row numbers of the primary so far, and higher than `above`. Rows of the
   * primary with lower numbers are copied. The primary sends all later rows to the server.
   */
  nextNumber(above: number): number;
  listSenders(): FillSender[];
  prepare(node: Node): Promise<void>;
  /**
   * Throws if a server has hits of another installation, or is another server of the cluster under a second URL. A fill
   * would drop these hits (test/cluster/grow/one-server.test.ts).
   */
  assertOwn(node: Node): Promise<void>;
  /**
   * Runs work while no day is sealed and no rows are deleted. Otherwise rows would change while two servers are
   * compared, and the servers would seem to differ.
   */
  inTurn: Turns['inTurn'];
  stop: AbortSignal;
};

const LOOK_MS = 250;
/** How often a waiting fill checks whether the server can store rows. */
const TRY_MS = 5_000;
/**
 * In step 4, a fill waits until all rows have arrived at both servers. Meanwhile no day can be sealed. So the fill
 * waits for at most 20 s. Then it fails, and starts again.
 */
const TURN_MS = 20_000;

/**
 * Stops inserts that the server is still running. For example, sealing a day may have failed on another server, while
 * this server still inserts visits. Otherwise the server would have the rows of these inserts and also their copies,
 * and they would count twice.
 */
const END_INSERTS = "KILL QUERY WHERE current_database = currentDatabase() AND query_kind = 'Insert' SYNC";

const ARRIVING = ['activity', 'brought', 'crawled', 'dropped', 'mark'];

/**
 * Copies all missing rows to a server. Gives true if the server has all rows after that. If the fill fails after it has
 * dropped tables, the database file notes that the server must be filled again.
 */
export async function fillServer(deps: Deps, node: Node): Promise<boolean> {
  const { db, nodes, clock, log, prepare, inTurn, stop } = deps;
  const { url } = node;
  const now = () => seconds(clock);
  let hasBegun = false;
  try {
    await findFirstSource(deps, node);
    await assertOwnDisk(deps, node);
    await assertOnlyPrimary({ db, nodes });
    await prepare(node);
    await nodes.run(node, END_INSERTS);
    await tryWriting({ db, nodes }, node);
    // One of the dropped tables is `mark`. The mark has a number (the beat), and the database file knows the last beat
    // of each server. The file forgets that beat first. Otherwise the server would seem to have an old disk.
    db.write(() => forgetBeat(db, url));
    hasBegun = true;
    for (const table of ARRIVING) await nodes.run(node, `DROP TABLE ${table} SYNC`);
    await prepare(node);
    db.write(() => changeServerState(db, url, { state: 'filling', now: now() }));
    const filling = { node, number: listServers(db).find((one) => one.url === url)?.fill ?? 0 };
    log('a server of the cluster is being filled', { url });
    await waitFor(deps, filling, ({ cuts }) => cuts.get(url)?.fill === filling.number);
    await levelTables(deps, filling, { isCounted: false });
    await inTurn(async () => {
      const from = await levelTables(deps, filling, { isCounted: true, most: TURN_MS });
      await raiseMarks({ db, nodes }, [...nodes.listComplete(), node]);
      for (const one of [from, node]) await assertMarked(deps, one);
      db.write(() => {
        assertFilling(deps, filling);
        changeServerState(db, url, { state: 'complete', now: now() });
      });
    });
    log('a server of the cluster has everything', { url });
    return true;
  } catch (error) {
    if (stop.aborted) return false;
    log('a server of the cluster could not be filled. The server tries again', {
      url,
      message: (error as Error).message,
    });
    db.write(() => {
      const { state } = listServers(db).find((one) => one.url === url) ?? {};
      if (state === 'filling') changeServerState(db, url, { state: 'lacking', reason: 'missed', now: now() });
      if (hasBegun && state !== 'complete') wantFill(db, url);
    });
    return false;
  }
}

/**
 * Lists the servers from which missing rows can be copied to a server: the complete replicas of that server's shard.
 */
const listSources = (nodes: Nodes, { url, shard }: Node): Node[] =>
  nodes.listComplete().filter((one) => one.shard === shard && one.url !== url);

async function findSource({ nodes }: Pick<Deps, 'nodes'>, node: Node): Promise<Node> {
  for (const one of listSources(nodes, node)) if (await nodes.answers(one)) return one;
  throw new Error(NO_SOURCE);
}

const NO_SOURCE = 'no complete server of the shard answers';

/**
 * Finds a source for a fill that begins now. The fill drops the hits of open days on the server. So every hit that a
 * collector sent there must be on the source too. Otherwise the hit would be lost if the outbox of that collector is
 * lost (test/cluster/fill/fill-sources.test.ts).
 */
export async function findFirstSource({ db, nodes }: Pick<Deps, 'db' | 'nodes'>, node: Node): Promise<Node> {
  const sources = listSources(nodes, node);
  const hasBegun = listServers(db).some(({ url, state }) => url === node.url && state === 'filling');
  const outdone = hasBegun ? new Set<string>() : listOutdone(db, [node, ...sources], { isCommand: false });
  const able = sources.filter(({ url }) => !outdone.has(url));
  if (sources.length > 0 && able.length === 0)
    throw new Error(
      `only ${node.url} has some hits of a collector. Start all collectors, or run daybook collectors retire NAME --lost`,
    );
  for (const one of able) if (await nodes.answers(one)) return one;
  throw new Error(NO_SOURCE);
}

/**
 * Throws if a server may be another server of the cluster under a second URL. A fill would drop that server's hits of
 * open days (test/cluster/grow/names.test.ts).
 */
async function assertOwnDisk(deps: Deps, node: Node): Promise<void> {
  const { nodes, assertOwn } = deps;
  await assertOwn(node);
  await assertPlace(nodes, node).catch(async (error: Error) => {
    if (!(error instanceof WrongPlace && (await hasCopiedDisk(deps, node, error.place)))) throw error;
  });
}

/**
 * A server that is being filled. `number` is the number of this fill. A sender may still report the cut of an earlier
 * fill of this server. The number tells the two cuts apart.
 */
type Filling = { node: Node; number: number };

/**
 * Throws if the server is not being filled any more. If a statement fails on the server, the server becomes `lacking`.
 * Then senders keep no rows for the server any more, so this fill could not make it complete.
 */
function assertFilling({ db }: Deps, { node: { url }, number }: Filling): void {
  if (!listServers(db).some((one) => one.url === url && one.state === 'filling' && one.fill === number))
    throw new Error('it missed something while it was filled');
}

/**
 * Waits until a condition holds for all senders, or throws after `most` milliseconds. Meanwhile the database file notes
 * the sender for which the fill waits, so that `daybook cluster` can name it.
 */
async function waitFor(
  deps: Deps,
  filling: Filling,
  isThere: (sender: FillSender, all: readonly FillSender[]) => boolean,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { db, nodes, listSenders, stop } = deps;
  const { url } = filling.node;
  const note = (one: Coded) => db.write(() => noteProgress(db, url, writeCoded(one)));
  let step: Coded | undefined;
  for (let waited = 0; waited <= most; waited += LOOK_MS) {
    assertFilling(deps, filling);
    const all = listSenders();
    const late = all.filter((one) => !isThere(one, all));
    if (late.length === 0) return;
    step = coded('fill_waits', { senders: late.map(({ name }) => name) });
    if (waited % 1_000 === 0) note(step);
    if (waited % TRY_MS === 0) await assertStoresRows({ db, nodes }, filling.node);
    await pause(LOOK_MS, undefined, { signal: stop });
  }
  throw new Error(step && inEnglish(step));
}

/** Compares all tables of a server with a complete replica, and copies what differs. Gives the replica. */
async function levelTables(
  deps: Deps,
  filling: Filling,
  { isCounted, most }: { isCounted: boolean; most?: number },
): Promise<Node> {
  const { db, nodes, clock, nextNumber } = deps;
  const { node } = filling;
  let from = await findSource(deps, node);
  // The primary may have lost its outbox while its clock was ahead. Then the source has rows of the primary with
  // numbers that the present outbox has not reached (test/cluster/fill/fill-numbers.test.ts).
  const first = nextNumber(await findLastNumber(nodes, from));
  const others = findLowestNumber(clock.now());
  // Each sender has an end, which is a row number. Its rows with lower numbers are copied. Each sender also has a cut.
  // From its cut on, it sends its rows to the new server. If a cut were above the end, the rows in between would be
  // neither sent nor copied. So an end is at least the cut.
  //
  // If the cut is below the end, the rows in between are both sent and copied. They count once: before a day is copied,
  // its rows below the end are deleted on the new server.
  const findEnd = ({ number, cuts }: FillSender): number =>
    Math.max(number === PRIMARY ? first : others, cuts.get(node.url)?.seq ?? 0);
  let senders: readonly FillSender[] = [];
  const hasAll = (own: FillSender, all: readonly FillSender[]): boolean => {
    senders = all;
    const has = (sender: FillSender, { url }: Node) => (sender.reached.get(url) ?? 0) >= findEnd(sender);
    // The source may stop responding while the fill waits. Then another complete replica is chosen.
    const sources = listSources(nodes, node).filter((one) => !nodes.isAway(one));
    from = sources.find((one) => all.every((sender) => has(sender, one))) ?? sources[0] ?? from;
    if (!nodes.listComplete().includes(from)) throw new Error(`${from.url} has not everything any more`);
    return has(own, node) && has(own, from);
  };
  await waitFor(deps, filling, hasAll, most);
  // A retired collector may still run, and does not learn of the fill. After this step, the marks of the source and of
  // the new server tell it to send nothing. Otherwise rows would count twice (test/cluster/fill/retired-sender.test.ts).
  if (listRetiredNumbers(db).length > 0) {
    const beat = await raiseMarks({ db, nodes }, nodes.listComplete());
    if ((await readBeat({ db, nodes }, from)) < beat) throw new Error(`${from.url} did not take its mark`);
    await tryWriting({ db, nodes }, node);
  }
  const report = (step: Coded) => db.write(() => noteProgress(db, node.url, writeCoded(step)));
  await copySealed({ nodes, from, to: node, report }, { isCounted });
  const ends = senders.map((sender) => [sender.number, findEnd(sender)] as const);
  // A retired collector sends no rows any more. So all its rows are copied, also those with higher numbers. A collector
  // may have been retired while the fill waited for it.
  const retired = listRetiredNumbers(db).map((number) => [number, Number.MAX_SAFE_INTEGER] as const);
  await copyArriving(
    { nodes, from, to: node, report },
    { bySender: new Map([[PRIMARY, first], ...retired, ...ends]), others },
  );
  return from;
}

/**
 * Throws if a server responds, but refuses to store rows, for example because its disk is full. Otherwise the senders
 * would store rows for this server until their own disks are full. A server that does not respond may only be
 * restarting, so the fill goes on.
 */
const assertStoresRows = (deps: Pick<Deps, 'db' | 'nodes'>, node: Node): Promise<void> =>
  tryWriting(deps, node).catch((error: Error) => {
    if (error instanceof Refused) throw error;
  });

/**
 * Throws if a server lacks its newest mark. Without a mark, the next check would take a filled server for empty. If the
 * source of the copy lacks its newest mark, the source has an older disk and lacks rows too.
 */
async function assertMarked({ db, nodes }: Deps, node: Node): Promise<void> {
  const { beat = 0 } = listKnownServers(db).find(({ url }) => url === node.url) ?? {};
  if ((await readBeat({ db, nodes }, node)) < Math.max(beat, 1)) throw new Error(`${node.url} did not take its mark`);
}
