import type { Engine } from '../engine/engine.ts';
import { plural } from '../lib/plural.ts';
import { iso } from '../lib/time.ts';
import { type KnownServer, listKnownServers } from '../store/cluster/cluster-servers.ts';
import type { Db } from '../store/db.ts';
import { bad, fine, type Result } from './result.ts';

const LACKS: Record<KnownServer['reason'], string> = {
  '': 'lacks something',
  missed: 'missed something',
  empty: 'has a new disk, or was emptied',
  restored: 'has an older disk',
};

/** What a server has, in words. */
export function describeServer({ state, reason, since, progress }: KnownServer): string {
  if (state === 'complete') return 'complete';
  if (state === 'filling') return `filling since ${iso(since)}${progress === '' ? '' : `: ${progress}`}`;
  return `lacking since ${iso(since)}: it ${LACKS[reason]}, and is left out`;
}

/** What to do about a server; undefined where that is nothing. */
export function remedyOf({ url, state, reason, isWanted }: KnownServer): string | undefined {
  if (state === 'complete') return undefined;
  if (state === 'filling') return 'nothing; it is put into service when it has everything';
  if (isWanted === 1 || reason === 'missed') return 'start it; then it is filled by itself, after imports';
  return `daybook cluster fill ${new URL(url).host} copies everything to it; or bring its disk back and restart the primary`;
}

/** Whether the servers that keep the hits answer, and have everything. */
export async function serversFound(db: Db, engine: Pick<Engine, 'listSilent'>): Promise<Result> {
  const servers = listKnownServers(db);
  if (servers.length === 0) return fine('Off (no --engine)');
  const silent = new Set(await engine.listSilent());
  const faulty = servers.filter((one) => silent.has(one.url) || one.state !== 'complete');
  if (faulty.length === 0) return fine(`${plural(servers.length, 'server')}, all answer and have everything`);
  const says = faulty.map((one) => {
    const words = [
      ...(silent.has(one.url) ? ['does not answer'] : []),
      ...(one.state === 'complete' ? [] : [describeServer(one)]),
    ];
    return `${one.url} ${words.join('; ')}`;
  });
  const remedies = faulty.map((one) => remedyOf(one) ?? 'start it, or look why it does not answer');
  return bad(says.join('. '), [...new Set(remedies)].join('. '));
}
