// The filler copies missing rows to servers that lack rows, one server after the other. If a server did not respond for
// a while, the fill starts automatically when it responds again. If the disk of a server is empty or has old data, the
// operator may have chosen a wrong disk. Then the fill waits for the right disk, or for the command `daybook cluster
// fill`.
//
// Invariant: a fill leaves at least one complete server of each shard in use. An operator may ask for a fill of a
// complete server. This server stays in use until another complete replica of its shard responds.
//
// Example: a server did not respond for 20 minutes at night, so a day was sealed without it. At most 2 s after the
// server responds again, the copy of that day starts. engine.ts calls startFiller.
import { isAnyImported } from '../../catalog/imports.ts';
import { HOUR, seconds } from '../../lib/time.ts';
import {
  changeServerState,
  type KnownServer,
  type LackReason,
  listKnownServers,
} from '../../store/cluster/cluster-servers.ts';
import { buildTeller } from '../servers/admission.ts';
import { hasCopiedDisk } from '../servers/copied-disks.ts';
import { assertPlace, readBeat } from '../servers/marks.ts';
import type { Node } from '../servers/nodes.ts';
import { judgeBeat } from '../servers/ownership.ts';
import { WrongPlace } from '../servers/places.ts';
import { type Deps, fillServer, findFirstSource } from './fill.ts';
import { buildLostCheck } from './last-numbers.ts';
import { assertLostCopied } from './lost-hits.ts';

const EVERY_MS = 2_000;
/**
 * The filler looks for servers that lack rows every 2 s. After a failed fill, it skips ten of these looks, so the next
 * fill begins about 20 s later.
 */
const LOOKS_AFTER_FAILURE = 10;
/**
 * A fill makes a running import fail, so the fill waits for the import. An import that began over an hour ago has
 * probably failed, and is not waited for.
 */
const IMPORT_SECONDS = HOUR;
/** A fill waits for imports for at most an hour in all, because one import may follow another. */
const IMPORTS_MS = IMPORT_SECONDS * 1000;

/** Looks for servers that lack rows, every 2 s and when `fillDue` is called. Copies the rows to them. */
export function startFiller(deps: Omit<Deps, 'stop'>) {
  const { db, nodes, clock } = deps;
  const isHarmless = buildFillCheck(deps);
  const compareLost = buildLostCheck(deps);
  const tell = buildTeller(deps.log, CANNOT);
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let resting = 0;
  /** For each server, by its URL: since when its fill waits for imports to end, in milliseconds of `clock.tick()`. */
  const waiting = new Map<string, number>();
  /**
   * The URLs of servers whose last fill has failed. A fill makes running imports fail. Still, the first fill that the
   * operator asks for does not wait for imports. If that fill fails, the next fill waits for them (`awaitsImport`).
   */
  const failed = new Set<string>();

  function awaitsImport(url: string): boolean {
    if (!isAnyImported(db, seconds(clock) - IMPORT_SECONDS)) return false;
    const since = waiting.get(url) ?? clock.tick();
    waiting.set(url, since);
    return clock.tick() - since < IMPORTS_MS;
  }

  /**
   * Takes a server out of use (state `lacking`), because the operator wants all its rows to be compared and copied.
   * Gives false and changes nothing if no complete replica responds. Without a complete server, queries would fail.
   */
  async function leaveOut({ url }: KnownServer, node: Node): Promise<boolean> {
    try {
      const source = await findFirstSource(deps, node);
      return db.write(() => {
        // Meanwhile, the source may have missed a statement.
        const isCopied = nodes.listComplete().includes(source);
        if (isCopied) changeServerState(db, url, { state: 'lacking', reason: 'missed', now: seconds(clock) });
        return isCopied;
      });
    } catch (error) {
      tell(url, error as Error);
      return false;
    }
  }

  async function look(): Promise<void> {
    await compareLost();
    for (const server of listKnownServers(db).filter(isDue)) {
      const node = nodes.all.find(({ url }) => url === server.url);
      if (!node || stopping.signal.aborted || !(await nodes.answers(node))) continue;
      const { url, state, isWanted } = server;
      if (state === 'complete' && !(await leaveOut(server, node))) continue;
      if (state === 'lacking' && (isWanted === 0 || failed.has(url)) && awaitsImport(url)) continue;
      if (state === 'lacking' && isWanted === 0 && !(await isHarmless(server, node))) continue;
      waiting.delete(url);
      failed.delete(url);
      if (await fillServer({ ...deps, stop: stopping.signal }, node)) continue;
      failed.add(url);
      resting = LOOKS_AFTER_FAILURE;
    }
  }

  function fillDue(): Promise<void> {
    running ??= look()
      .catch((error: Error) => deps.log('the servers of the cluster could not be filled', { message: error.message }))
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  const timer = setInterval(() => {
    if (resting-- <= 0) void fillDue();
  }, EVERY_MS).unref();
  return {
    fillDue,
    async close(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

const CANNOT = 'a server of the cluster cannot be filled yet';

/** Builds a function that checks before an automatic fill whether the fill could do harm. If so, the log says why. */
function buildFillCheck(deps: Omit<Deps, 'stop'>) {
  const hasMark = buildMarkCheck(deps);
  const tell = buildTeller(deps.log, CANNOT);
  return async function isHarmless(server: KnownServer, node: Node): Promise<boolean> {
    if (!(await hasMark(server, node))) return false;
    try {
      await assertLostCopied(deps, node);
      return true;
    } catch (error) {
      tell(node.url, error as Error);
      return false;
    }
  };
}

/** Builds a function that checks the mark of a server before an automatic fill. */
function buildMarkCheck({ db, nodes, clock, log }: Omit<Deps, 'stop'>) {
  const tell = buildTeller(log);
  /**
   * True if a server has its newest mark. Otherwise its disk is empty or old, which may be a mistake. Then the reason
   * is stored, and the operator must start the fill. If the name of the server leads to another server, nothing is
   * known about the disk. The log says so, and the fill starts once the name is right.
   */
  return async function hasMark({ url, beat, reason: before }: KnownServer, node: Node): Promise<boolean> {
    const reason = judgeBeat(await readBeat({ db, nodes }, node), beat);
    if (!reason) return true;
    if (before !== 'missed') return false;
    const note = (why: LackReason) =>
      db.write(() => changeServerState(db, url, { state: 'lacking', reason: why, now: seconds(clock) }));
    await assertPlace(nodes, node).then(
      () => note(reason),
      async (error: Error) => {
        const isCopy = error instanceof WrongPlace && (await hasCopiedDisk({ db, nodes }, node, error.place));
        if (isCopy) note('restored');
        else tell(url, error);
      },
    );
    return false;
  };
}

/**
 * True if a server may need a fill: the operator asked for it, an earlier fill was interrupted, or the server missed a
 * statement. Also true if the disk was empty or old, because the operator may have put the right disk back. Only the
 * right disk has the newest mark, and `hasMark` checks this. With a wrong disk, the fill waits for the operator. If
 * `beat` is 0, the database file knows no mark of the server, so no disk can be recognised as the right one.
 */
const isDue = ({ state, reason, isWanted, beat }: KnownServer): boolean =>
  isWanted === 1 || state === 'filling' || (state === 'lacking' && (reason === 'missed' || beat > 0));
