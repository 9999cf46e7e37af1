/*
 * Fills the servers that lack something, one after the other: by itself where a server that merely missed something is back with its
 * mark, and else when daybook cluster fill asked for it, because an empty or an older disk may be a mistake.
 */
import { isAnyImported } from '../../catalog/imports.ts';
import { HOUR, seconds } from '../../lib/time.ts';
import { changeServerState, type KnownServer, listKnownServers } from '../../store/cluster/cluster-servers.ts';
import { readBeat } from '../servers/marks.ts';
import type { Node } from '../servers/nodes.ts';
import { judgeBeat } from '../servers/ownership.ts';
import { type Deps, fillServer, findSource } from './fill.ts';

const EVERY_MS = 2_000;
/** What failed is tried again after so many looks. */
const LOOKS_AFTER_FAILURE = 10;
/** An import would be refused if a server was filled beside it, so that it is waited for, unless it takes longer or was broken off. */
const IMPORT_SECONDS = HOUR;
/** A server waits so long for imports in all, because one may begin before another ends. */
const IMPORTS_MS = IMPORT_SECONDS * 1000;

/** A copy that was under way when the server stopped begins again. */
const isDue = ({ state, reason, isWanted }: KnownServer): boolean =>
  isWanted === 1 || state === 'filling' || (state === 'lacking' && reason === 'missed');

export function filler(deps: Omit<Deps, 'stop'>) {
  const { db, nodes, clock } = deps;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let resting = 0;
  /** Since when servers wait for imports, in ticks. */
  const waiting = new Map<string, number>();
  /** Servers whose last copy failed. Another copy waits for imports, even where somebody asked for one. */
  const failed = new Set<string>();

  function awaitsImport(url: string): boolean {
    if (!isAnyImported(db, seconds(clock) - IMPORT_SECONDS)) return false;
    const since = waiting.get(url) ?? clock.tick();
    waiting.set(url, since);
    return clock.tick() - since < IMPORTS_MS;
  }

  /** A complete server is copied from another, which must answer: until then it is needed for answers. */
  async function leaveOut({ url }: KnownServer, node: Node): Promise<boolean> {
    const isCopied = await findSource(deps, node).then(
      () => true,
      () => false,
    );
    if (isCopied)
      db.write(() => changeServerState(db, url, { state: 'lacking', reason: 'missed', now: seconds(clock) }));
    return isCopied;
  }

  /** Whether a server has what the file notes, but for what it missed since. */
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
