/*
 * Brings a server that lacks something up to date, from a complete replica of its shard, while hits come in.
 *
 *  1. Its tables of what arrives are made anew, and it becomes `filling`. Collectors hear of that within a second.
 *  2. Each sender confirms that it sends what comes from now on there too. One that is silent is named, and waited for.
 *  3. Once all that was taken before a moment is on both servers, they are compared, and what differs is copied (copies.ts).
 *  4. The same again in the night's turn, so that nothing is sealed or deleted meanwhile. Then they are the same: it gets its mark
 *     and is `complete`.
 *
 * A copy that fails begins again when the server answers: what is there already is not copied twice.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Turns } from '../../catalog/one-at-a-time.ts';
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
import type { Db } from '../../store/db.ts';
import { raiseMarks, readBeat } from '../servers/marks.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { copyArriving, copySealed } from './copies.ts';
import type { Sender } from './senders.ts';

export type Deps = {
  db: Db;
  nodes: Nodes;
  clock: Clock;
  log: Log;
  /** A number above those of all rows that the primary has taken. */
  nextNumber(): number;
  /** All that send rows. */
  listSenders(): Sender[];
  /** Makes the tables of a server where they are missing. */
  prepare(node: Node): Promise<void>;
  /** Does something while nothing is sealed or deleted. */
  inTurn: Turns['inTurn'];
  stop: AbortSignal;
};

const LOOK_MS = 250;
/** In the night's turn it is not waited longer for a sender. */
const TURN_MS = 20_000;

/** A sealing that was given up may still be written by the server, and would come on top of what is copied. */
const END_INSERTS = "KILL QUERY WHERE current_database = currentDatabase() AND query_kind = 'Insert' SYNC";

const ARRIVING = ['activity', 'brought', 'crawled', 'dropped', 'mark'];

/** The other complete replicas of its shard. */
const listSources = (nodes: Nodes, { url, shard }: Node): Node[] =>
  nodes.listComplete().filter((one) => one.shard === shard && one.url !== url);

/** One of them that answers. */
export async function findSource({ nodes }: Pick<Deps, 'nodes'>, node: Node): Promise<Node> {
  for (const one of listSources(nodes, node)) if (await nodes.answers(one)) return one;
  throw new Error('no complete server of the shard answers');
}

/** A server that is being filled, and the number of its copy. */
type Filling = { node: Node; number: number };

/** Ends a copy of a server that missed something meanwhile: senders keep nothing for it any more. */
function assertFilling({ db }: Deps, { node: { url }, number }: Filling): void {
  if (!listServers(db).some((one) => one.url === url && one.state === 'filling' && one.fill === number))
    throw new Error('it missed something while it was filled');
}

/** Waits until all senders are so far, and notes who is not. */
async function waitFor(
  deps: Deps,
  filling: Filling,
  isThere: (sender: Sender, all: readonly Sender[]) => boolean,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { db, listSenders, stop } = deps;
  const { url } = filling.node;
  let words = '';
  for (let waited = 0; waited <= most; waited += LOOK_MS) {
    assertFilling(deps, filling);
    const all = listSenders();
    const late = all.filter((one) => !isThere(one, all));
    if (late.length === 0) return;
    words = `waits for ${late.map(({ name }) => name).join(', ')}`;
    if (waited % 1_000 === 0) db.write(() => noteProgress(db, url, words));
    await pause(LOOK_MS, undefined, { signal: stop });
  }
  throw new Error(words);
}

/** Compares all, and copies what differs. Gives the server that it was compared with. */
async function level(
  deps: Deps,
  filling: Filling,
  { isCounted, most }: { isCounted: boolean; most?: number },
): Promise<Node> {
  const { db, nodes, nextNumber } = deps;
  const { node } = filling;
  let from = await findSource(deps, node);
  const first = nextNumber();
  // No lower than any cut, so that no row is neither sent nor copied. One of a collector that is given up meanwhile counts no more.
  const findEnd = (senders: readonly Sender[]): number =>
    Math.max(first, ...senders.map(({ cuts }) => cuts.get(node.url)?.seq ?? 0));
  let before = first;
  const hasAll = ({ reached }: Sender, all: readonly Sender[]): boolean => {
    before = findEnd(all);
    const has = (sender: Pick<Sender, 'reached'>, { url }: Node) => (sender.reached.get(url) ?? 0) >= before;
    // One that died before it had all is not waited for while another has it.
    const sources = listSources(nodes, node).filter((one) => !nodes.isAway(one));
    from = sources.find((one) => all.every((sender) => has(sender, one))) ?? sources[0] ?? from;
    if (!nodes.listComplete().includes(from)) throw new Error(`${from.url} has not everything any more`);
    return has({ reached }, node) && has({ reached }, from);
  };
  await waitFor(deps, filling, hasAll, most);
  const told = (words: string) => db.write(() => noteProgress(db, node.url, words));
  await copySealed({ nodes, from, to: node, told }, { isCounted });
  await copyArriving({ nodes, from, to: node, told }, before);
  return from;
}

/** Refuses a server without its mark: it would be found to be empty a minute later, or has an older disk and was no source. */
async function assertMarked({ db, nodes }: Deps, node: Node): Promise<void> {
  const { beat = 0 } = listKnownServers(db).find(({ url }) => url === node.url) ?? {};
  if ((await readBeat({ db, nodes }, node)) < Math.max(beat, 1)) throw new Error(`${node.url} did not take its mark`);
}

/** Makes a server complete; says whether it is. */
export async function fillServer(deps: Deps, node: Node): Promise<boolean> {
  const { db, nodes, clock, log, prepare, inTurn, stop } = deps;
  const { url } = node;
  const now = () => seconds(clock);
  try {
    await findSource(deps, node);
    await prepare(node);
    await nodes.run(node, END_INSERTS);
    for (const table of ARRIVING) await nodes.run(node, `DROP TABLE ${table} SYNC`);
    await prepare(node);
    db.write(() => {
      forgetBeat(db, url);
      changeServerState(db, url, { state: 'filling', now: now() });
    });
    const filling = { node, number: listServers(db).find((one) => one.url === url)?.fill ?? 0 };
    log('a server of the cluster is filled', { url });
    await waitFor(deps, filling, ({ cuts }) => cuts.get(url)?.fill === filling.number);
    await level(deps, filling, { isCounted: false });
    await inTurn(async () => {
      const from = await level(deps, filling, { isCounted: true, most: TURN_MS });
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
    log('a server of the cluster could not be filled; it is tried again', { url, message: (error as Error).message });
    db.write(() => {
      const { state } = listServers(db).find((one) => one.url === url) ?? {};
      if (state === 'filling') changeServerState(db, url, { state: 'lacking', reason: 'missed', now: now() });
      if (state !== 'complete') wantFill(db, url);
    });
    return false;
  }
}
