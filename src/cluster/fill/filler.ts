/*
 * Fills the servers that lack something, one after the other: by itself where a server that merely missed something is back with its
 * mark, and else when daybook cluster fill asked for it, because an empty or an older disk may be a mistake.
 */
import { isAnyBrought } from '../../catalog/imports.ts';
import { HOUR, seconds } from '../../lib/time.ts';
import { changeServerState, type KnownServer, listKnownServers } from '../../store/cluster/cluster-servers.ts';
import { readBeat } from '../servers/marks.ts';
import type { Node } from '../servers/nodes.ts';
import { faultOfBeat } from '../servers/ownership.ts';
import { type Deps, fillServer } from './fill.ts';

const EVERY_MS = 2_000;
/** What failed is tried again after so many looks. */
const LOOKS_AFTER_FAILURE = 10;
/** An import would be refused if a server was filled beside it, so that it is waited for, unless it takes longer or was broken off. */
const IMPORT_SECONDS = HOUR;

/** A copy that was under way when the server stopped begins again. */
const isDue = ({ state, reason, isWanted }: KnownServer): boolean =>
  state === 'filling' || (state === 'lacking' && (isWanted === 1 || reason === 'missed'));

export function filler(deps: Omit<Deps, 'stop'>) {
  const { db, nodes, clock } = deps;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let resting = 0;

  /** Whether a server has what the file notes, but for what it missed since. */
  async function hasMark({ url, beat }: KnownServer, node: Node): Promise<boolean> {
    const reason = faultOfBeat(await readBeat({ db, nodes }, node), beat);
    if (reason) db.write(() => changeServerState(db, url, { state: 'lacking', reason, now: seconds(clock) }));
    return reason === undefined;
  }

  async function look(): Promise<void> {
    for (const server of listKnownServers(db).filter(isDue)) {
      const node = nodes.all.find(({ url }) => url === server.url);
      if (!node || stopping.signal.aborted || !(await nodes.answers(node))) continue;
      if (server.state === 'lacking' && server.isWanted === 0) {
        if (isAnyBrought(db, seconds(clock) - IMPORT_SECONDS) || !(await hasMark(server, node))) continue;
      }
      if (!(await fillServer({ ...deps, stop: stopping.signal }, node))) resting = LOOKS_AFTER_FAILURE;
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
