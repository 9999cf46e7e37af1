// The filler fills the servers that lack rows, one after the other. A server that only missed something is filled by itself when
// it is back with its mark. An empty or an older disk may be a mistake. Such a server waits for the command `daybook cluster
// fill`.
//
// Invariant: a complete server that is to be filled stays in use until another replica of its shard answers.
//
// Example: a server was away for 20 minutes at night, so the day was sealed without it. Within 2 s of its return it is filled
// with that night.
//
// Called by engine.ts.
import { isAnyImported } from '../../catalog/imports.ts';
import { HOUR, seconds } from '../../lib/time.ts';
import { changeServerState, type KnownServer, listKnownServers } from '../../store/cluster/cluster-servers.ts';
import { readBeat } from '../servers/marks.ts';
import type { Node } from '../servers/nodes.ts';
import { judgeBeat } from '../servers/ownership.ts';
import { type Deps, fillServer, findSource } from './fill.ts';

const EVERY_MS = 2_000;
/** After a failed fill, the next ten looks are left out, which takes 20 s. */
const LOOKS_AFTER_FAILURE = 10;
/**
 * A fill would end an import that runs, so it waits for the import. An import of more than an hour ago was broken off, or takes
 * too long.
 */
const IMPORT_SECONDS = HOUR;
/** A server waits an hour for imports in all, because another import may begin before one ends. */
const IMPORTS_MS = IMPORT_SECONDS * 1000;

/** Looks for servers to fill when asked, and every 2 s until it is closed. */
export function startFiller(deps: Omit<Deps, 'stop'>) {
  const { db, nodes, clock } = deps;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let resting = 0;
  /** When servers began to wait for imports, in ticks. */
  const waiting = new Map<string, number>();
  /** Servers whose last fill failed. Their next fill waits for imports, even if it was asked for. */
  const failed = new Set<string>();

  function awaitsImport(url: string): boolean {
    if (!isAnyImported(db, seconds(clock) - IMPORT_SECONDS)) return false;
    const since = waiting.get(url) ?? clock.tick();
    waiting.set(url, since);
    return clock.tick() - since < IMPORTS_MS;
  }

  /** Notes a complete server as lacking, so that it can be filled. Before that, another complete replica must answer. */
  async function leaveOut({ url }: KnownServer, node: Node): Promise<boolean> {
    const isCopied = await findSource(deps, node).then(
      () => true,
      () => false,
    );
    if (isCopied)
      db.write(() => changeServerState(db, url, { state: 'lacking', reason: 'missed', now: seconds(clock) }));
    return isCopied;
  }

  /** Whether a server has the mark that the file notes. Without it the server is noted as emptied or restored. */
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

/** A server is due if it was asked for, if its fill was interrupted, or if it only missed something. */
const isDue = ({ state, reason, isWanted }: KnownServer): boolean =>
  isWanted === 1 || state === 'filling' || (state === 'lacking' && reason === 'missed');
