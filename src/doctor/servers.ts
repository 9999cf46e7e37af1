import type { Upkeep } from '../engine/engine.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { readCoded } from '../lib/http/fault.ts';
import { iso } from '../lib/time.ts';
import { type KnownServer, listKnownServers } from '../store/cluster/cluster-servers.ts';
import type { Db } from '../store/db.ts';
import { eachOnce, fine, type Result } from './result.ts';

export function describeServer({ state, reason, since: at, progress }: KnownServer): Coded {
  const since = iso(at);
  if (state === 'complete') return coded('server_complete');
  if (state === 'lacking') return coded(`server_${reason || 'lacks'}`, { since });
  return progress === ''
    ? coded('server_filling', { since })
    : coded('server_filling_step', { since, step: [readCoded(progress)] });
}

export function findRemedy({ url, state, reason, isWanted }: KnownServer): Coded | undefined {
  if (state === 'complete') return undefined;
  if (state === 'filling') return coded('wait_for_fill');
  if (isWanted === 1 || reason === 'missed') return coded('start_server');
  return coded('fill_server', { host: new URL(url).host });
}

export async function checkServers(db: Db, upkeep: Pick<Upkeep, 'listSilentServers'>): Promise<Result> {
  const servers = listKnownServers(db);
  if (servers.length === 0) return fine(coded('engine_off'));
  const silent = new Set(await upkeep.listSilentServers());
  const faulty = servers.filter((one) => silent.has(one.url) || one.state !== 'complete');
  if (faulty.length === 0) return fine(coded('servers_fine', { count: servers.length }));
  const says = faulty.map((one) => {
    const state = [
      ...(silent.has(one.url) ? [coded('server_silent')] : []),
      ...(one.state === 'complete' ? [] : [describeServer(one)]),
    ];
    return coded('server_state', { url: one.url, state });
  });
  const remedies = faulty.map((one) => findRemedy(one) ?? coded('start_or_look'));
  return { fine: false, says, remedies: eachOnce(remedies) };
}
