// The filler copies missing rows to servers that lack rows. It fills one server after the other. If a server did not
// answer for a while, the copy starts automatically when it answers again. If the disk of a server is empty or old,
// that may be a mistake of the operator. Then the copy waits for the command `daybook cluster fill`.
//
// Invariant: if the operator wants to fill a complete server, the server stays in use until another replica of its
// shard answers.
//
// Example: a server did not answer for 20 minutes at night, so a day was sealed without it. At most 2 s after the
// server answers again, the copy of that day starts. engine.ts calls startFiller.
import { isAnyImported } from '../../catalog/imports.ts';
import { HOUR, seconds } from '../../lib/time.ts';
import { changeServerState, type KnownServer, listKnownServers } from '../../store/cluster/cluster-servers.ts';
import { readBeat } from '../servers/marks.ts';
import type { Node } from '../servers/nodes.ts';
import { judgeBeat } from '../servers/ownership.ts';
import { type Deps, fillServer, findSource } from './fill.ts';

const EVERY_MS = 2_000;
/**
 * After a failed fill (copy of missing rows), the next ten checks are skipped. A check runs every 2 s, so the pause
 * is 20 s.
 */
const LOOKS_AFTER_FAILURE = 10;
/**
 * A fill (copy of missing rows) would break an import that is running, so the fill waits for the import. An import
 * that began more than an hour ago has probably failed.
 */
const IMPORT_SECONDS = HOUR;
/**
 * A fill (copy of missing rows) waits for imports for at most an hour in total, because one import may follow
 * another.
 */
const IMPORTS_MS = IMPORT_SECONDS * 1000;

/** Looks for servers that lack rows, every 2 s and when `fillDue` is called, and copies the rows to them. */
export function startFiller(deps: Omit<Deps, 'stop'>) {
  const { db, nodes, clock } = deps;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let resting = 0;
  /**
   * For each server whose fill waits for imports: the time at which the waiting began, read from the monotonic timer.
   */
  const waiting = new Map<string, number>();
  /**
   * Servers whose last fill (copy of missing rows) failed. The next fill waits for running imports, even if the
   * operator asked for that fill.
   */
  const failed = new Set<string>();

  function awaitsImport(url: string): boolean {
    if (!isAnyImported(db, seconds(clock) - IMPORT_SECONDS)) return false;
    const since = waiting.get(url) ?? clock.tick();
    waiting.set(url, since);
    return clock.tick() - since < IMPORTS_MS;
  }

  /**
   * Changes the state of a complete server to `lacking` (it gets no queries and waits for a copy of rows). Gives false
   * if no other complete replica of its shard answers. Then the state does not change.
   */
  async function leaveOut({ url }: KnownServer, node: Node): Promise<boolean> {
    const isCopied = await findSource(deps, node).then(
      () => true,
      () => false,
    );
    if (isCopied)
      db.write(() => changeServerState(db, url, { state: 'lacking', reason: 'missed', now: seconds(clock) }));
    return isCopied;
  }

  /**
   * Tells whether a server has the expected mark, a number that daybook raises each minute. If not, its disk is empty
   * or old. Then its state becomes `lacking` (it waits for a copy of rows).
   */
  async function hasMark({ url, beat }: KnownServer, node: Node): Promise<boolean> {
    const reason = judgeBeat(await readBeat({ db, nodes }, node), beat);
    if (reason) db.write(() => changeServerState(db, url, { state: 'lacking', reason, now: seconds(clock) }));
    return reason === undefined;
  }

  async function look(): Promise<void> {
    for (const server of listKnownServers(db).filter(isDue)) {
      const node = nodes.all.find(({ url }) => url === server.url);
      if (!node || stopping.signal.aborted || !(await nodes.answers(node))) continue;
      const { url, state, isWanted } = server;
      if (state === 'complete' && !(await leaveOut(server, node))) continue;
      if (state === 'lacking' && (isWanted === 0 || failed.has(url)) && awaitsImport(url)) continue;
      if (state === 'lacking' && isWanted === 0 && !(await hasMark(server, node))) continue;
      waiting.delete(url);
      failed.delete(url);
      if (await fillServer({ ...deps, stop: stopping.signal }, node)) continue;
      failed.add(url);
      resting = LOOKS_AFTER_FAILURE;
    }
  }

  function fillDue(): Promise<void> {
    running ??= look()
      .catch((error: Error) => deps.log('no server could be filled', { message: error.message }))
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

/**
 * A fill of a server is due if the operator asked for it, or if an earlier fill was interrupted. It is also due if
 * the server only missed a statement.
 */
const isDue = ({ state, reason, isWanted }: KnownServer): boolean =>
  isWanted === 1 || state === 'filling' || (state === 'lacking' && reason === 'missed');
