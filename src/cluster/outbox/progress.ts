// The progress of a sender says which of its rows each server has. A sender is the primary or a collector; both have an outbox.
//
// Invariant: a server at { next, until } has all rows with a number below `next` that were taken before `until`. The sender
// never gives a number below a `next` that it has reported.
//
// Example: server one has everything. Server two lacks the pieces from 7 on, which came at 10:00. Then one is at { until: now },
// two is at { until: 10:00 }, and the sender as a whole is at 10:00.
//
// Called by intake.ts, reach.ts and shipper.ts.
import type { Server } from '../../store/cluster/cluster-servers.ts';
import type { Cuts, Progress } from '../../store/cluster/collectors.ts';
import {
  findCut,
  findFirstAfter,
  findFirstWaiting,
  findLeastDone,
  findReceipt,
  findSender,
  setCut,
  setReceipt,
} from '../../store/cluster/outbox.ts';
import type { Db } from '../../store/db.ts';
import type { NodePlace } from '../servers/places.ts';
import { SENDERS } from '../servers/row-numbers.ts';
import { KINDS, type PieceKind, type Shipped } from './outbox.ts';

/**
 * The progress with each server that does not lack rows, and as a whole with the complete ones. `now` is the progress of the
 * sender itself.
 */
export function measureProgress(db: Db, servers: readonly Server[], now: Shipped): Progress {
  const reported = servers
    .filter(({ state }) => state !== 'lacking')
    .map(({ url, state, ...place }) => {
      const first = findFirstLacking(db, place);
      return { url, state, ...place, ...(first ? { next: first.seq, until: first.at } : now) };
    });
  const complete = reported.filter(({ state }) => state === 'complete');
  const shards = new Set(servers.map(({ shard }) => shard));
  const isWhole = shards.size > 0 && [...shards].every((one) => complete.some(({ shard }) => shard === one));
  const waiting = isWhole ? undefined : findFirstWaiting(db);
  const all: Shipped[] = [now, ...complete, ...(waiting ? [{ next: waiting.seq, until: waiting.at }] : [])];
  return {
    next: Math.min(...all.map(({ next }) => next)),
    until: Math.min(...all.map(({ until }) => until)),
    servers: reported.map(({ url, next, until }) => ({ url, next, until })),
  };
}

/** The first piece of the outbox that a server lacks. */
export function findFirstLacking(db: Db, { shard, replica }: NodePlace) {
  const waiting = KINDS.flatMap((kind) => {
    const { done } = findReceipt(db, { shard, replica, kind });
    return findFirstAfter(db, { shard, kind }, done) ?? [];
  });
  return waiting.sort((one, other) => one.id - other.id)[0];
}

/**
 * A cut is the first piece that a server gets while it is filled. All complete replicas of the shard have the pieces before the
 * cut, so these are copied from one of them. A fill gets its cut once. Without a complete replica the cut waits.
 */
export function takeCut(db: Db, server: Server, servers: readonly Server[]): void {
  const { shard, replica, fill } = server;
  const sources = servers.filter((one) => one.shard === shard && one.state === 'complete').map((one) => one.replica);
  if (sources.length === 0) return;
  db.write(() => {
    for (const kind of KINDS) {
      const receiver = { shard, replica, kind };
      if (findCut(db, receiver)?.fill === fill) continue;
      const done = findLeastDone(db, receiver, sources);
      const seq = findFirstAfter(db, receiver, done)?.seq ?? findSender(db).seq + SENDERS;
      setReceipt(db, receiver, { done, sending: null });
      setCut(db, receiver, { fill, seq });
    }
  });
}

/** The cuts of the servers that are being filled: from which row number on they get new rows. */
export function listCuts(db: Db, servers: readonly Server[]): Cuts {
  return servers
    .filter(({ state }) => state === 'filling')
    .flatMap(({ url, shard, replica, fill }) => {
      const cuts = KINDS.map((kind) => [kind, findCut(db, { shard, replica, kind })] as const);
      if (cuts.some(([, cut]) => cut?.fill !== fill)) return [];
      return {
        url,
        fill,
        seqs: Object.fromEntries(cuts.map(([kind, cut]) => [kind, cut?.seq ?? 0])) as Record<PieceKind, number>,
      };
    });
}
