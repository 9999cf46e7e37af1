// The progress of a sender says which of its rows each ClickHouse server has received. A sender is the primary or a
// collector.
//
// Invariant: a server with the progress { next, until } has all rows with a number below `next`. These rows include all
// that came before `until`. After a sender has reported `next`, its new rows have this number or higher ones.
//
// Example: server A has everything. Server B lacks all rows since 10:00. Then `until` is the current time for A, and
// 10:00 for B. For both servers together, it is 10:00. intake.ts, reach.ts and shipper.ts use this file.
import type { Server } from '../../store/cluster/cluster-servers.ts';
import {
  findCut,
  findFirstAfter,
  findFirstWaiting,
  findLeastDone,
  findReceipt,
  setCut,
  setReceipt,
} from '../../store/cluster/outbox-pieces.ts';
import { findSender } from '../../store/cluster/outbox-sender.ts';
import type { Cuts, Progress } from '../../store/cluster/sender-status.ts';
import type { Db } from '../../store/db.ts';
import type { NodePlace } from '../servers/places.ts';
import { SENDERS } from '../servers/row-numbers.ts';
import { KINDS, type PieceKind, type Shipped } from './outbox.ts';

/**
 * Says which rows of this process have arrived at each server, and which at all `complete` servers. Servers in the
 * state `lacking` are left out. `now` is the value for a server that has everything. If a shard has no `complete`
 * server, all rows in the outbox count as not arrived.
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

/** Finds the oldest piece of the outbox that a server has not received. */
export function findFirstLacking(db: Db, { shard, replica }: NodePlace) {
  const waiting = KINDS.flatMap((kind) => {
    const { done } = findReceipt(db, { shard, replica, kind });
    return findFirstAfter(db, { shard, kind }, done) ?? [];
  });
  return waiting.sort((one, other) => one.id - other.id)[0];
}

/**
 * Sets the cut of a server that is being filled: a row number. Rows with lower numbers are copied from a replica. The
 * other rows are sent from this outbox.
 *
 * During one fill (`fill` is its number), the cut never changes. The copied rows end at the cut that was reported. If
 * the cut were raised later, rows between the old and the new cut would be neither copied nor sent.
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

/**
 * Lists the cuts of the servers to which a replica copies missing rows (state `filling`). A cut is a row number. Rows
 * with lower numbers are copied, and this process sends the other rows. `seqs` has the cut of each table.
 */
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
