/*
 * How far a sender is with each server of the cluster. A sender is the primary or a collector, with an outbox.
 *
 * Invariant: all that a sender took before `until`, and that has a lower number than `next`, is on the server. No row that the sender
 * writes later has a lower number than a `next` that it has told.
 *
 * Example: the server one has everything, and two lacks the pieces from 7 on, which came at 10:00. Then one is at { until: now }, two is at
 * { until: 10:00 }, and the sender as a whole is at 10:00 too.
 */

import type { Server } from '../../store/cluster/cluster-servers.ts';
import type { Cuts, Progress } from '../../store/cluster/collectors.ts';
import {
  findCut,
  findReceipt,
  findSender,
  firstAfter,
  firstWaiting,
  leastDone,
  setCut,
  setReceipt,
} from '../../store/cluster/outbox.ts';
import type { Db } from '../../store/db.ts';
import { SENDERS } from '../servers/row-numbers.ts';
import { KINDS, type Kind, type Shipped } from './outbox.ts';

type Place = Pick<Server, 'shard' | 'replica'>;

/** The first piece that a server lacks. */
export function firstLacking(db: Db, { shard, replica }: Place) {
  const waiting = KINDS.flatMap((kind) => {
    const { done } = findReceipt(db, { shard, replica, kind });
    return firstAfter(db, { shard, kind }, done) ?? [];
  });
  return waiting.sort((one, other) => one.id - other.id)[0];
}

/** How far a sender is with each server that does not lack anything, and as a whole with those that are complete; `now` is where it is itself. */
export function measureProgress(db: Db, servers: readonly Server[], now: Shipped): Progress {
  const told = servers
    .filter(({ state }) => state !== 'lacking')
    .map(({ url, state, ...place }) => {
      const first = firstLacking(db, place);
      return { url, state, ...place, ...(first ? { next: first.seq, until: first.at } : now) };
    });
  const complete = told.filter(({ state }) => state === 'complete');
  const shards = new Set(servers.map(({ shard }) => shard));
  const isWhole = shards.size > 0 && [...shards].every((one) => complete.some(({ shard }) => shard === one));
  const waiting = isWhole ? undefined : firstWaiting(db);
  const all: Shipped[] = [now, ...complete, ...(waiting ? [{ next: waiting.seq, until: waiting.at }] : [])];
  return {
    next: Math.min(...all.map(({ next }) => next)),
    until: Math.min(...all.map(({ until }) => until)),
    servers: told.map(({ url, next, until }) => ({ url, next, until })),
  };
}

/**
 * Fixes for a server that is being filled where its part begins: after the last piece that all complete replicas of its shard have. What
 * was before is copied from one of them. A cut is made once for each copy; without a complete replica it waits.
 */
export function takeCut(db: Db, server: Server, servers: readonly Server[]): void {
  const { shard, replica, fill } = server;
  const sources = servers.filter((one) => one.shard === shard && one.state === 'complete').map((one) => one.replica);
  if (sources.length === 0) return;
  db.write(() => {
    for (const kind of KINDS) {
      const receiver = { shard, replica, kind };
      if (findCut(db, receiver)?.fill === fill) continue;
      const done = leastDone(db, receiver, sources);
      const seq = firstAfter(db, receiver, done)?.seq ?? findSender(db).seq + SENDERS;
      setReceipt(db, receiver, { done, sending: null });
      setCut(db, receiver, { fill, seq });
    }
  });
}

/** The cuts of the servers that are being filled. */
export function listCuts(db: Db, servers: readonly Server[]): Cuts {
  return servers
    .filter(({ state }) => state === 'filling')
    .flatMap(({ url, shard, replica, fill }) => {
      const cuts = KINDS.map((kind) => [kind, findCut(db, { shard, replica, kind })] as const);
      if (cuts.some(([, cut]) => cut?.fill !== fill)) return [];
      return {
        url,
        fill,
        seqs: Object.fromEntries(cuts.map(([kind, cut]) => [kind, cut?.seq ?? 0])) as Record<Kind, number>,
      };
    });
}
