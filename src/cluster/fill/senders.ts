import { type Coded, coded } from '../../lang/coded.ts';
import { listCollectors } from '../../store/cluster/collectors.ts';
import type { Cuts, Hold, Progress } from '../../store/cluster/sender-status.ts';
import type { Db } from '../../store/db.ts';
import type { OutboxIntake } from '../outbox/intake.ts';

/** A sender of rows: the primary or a collector. The keys of both maps are the URLs of servers. */
export type FillSender = {
  name: Coded;
  /**
   * The servers that are being filled. `fill` is the number of the fill. The sender sends its rows with the number
   * `seq` or a higher one to the server.
   */
  cuts: ReadonlyMap<string, { fill: number; seq: number }>;
  /** For each server, a row number. The server has all rows of this sender with lower numbers. */
  reached: ReadonlyMap<string, number>;
  /**
   * The promise to hold hits. From a certain day on, the sender keeps its hits in its outbox until a proposed division
   * is decided. Undefined if no division is proposed.
   */
  hold: Hold | undefined;
};

/** Lists the primary and its collectors. A collector that never started has no rows, so it is left out. */
export function listSenders(db: Db, own: Pick<OutboxIntake, 'listCuts' | 'readProgress' | 'findHold'>): FillSender[] {
  const collectors = listCollectors(db).flatMap(({ name, status }) =>
    status ? [makeSender(coded('sender_collector', { name }), status.cuts, status.servers, status.hold)] : [],
  );
  const primary = makeSender(coded('sender_primary'), own.listCuts(), own.readProgress().servers, own.findHold());
  return [primary, ...collectors];
}

const makeSender = (name: Coded, cuts: Cuts, servers: Progress['servers'], hold: Hold | undefined): FillSender => ({
  name,
  hold,
  cuts: new Map(cuts.map(({ url, fill, seqs }) => [url, { fill, seq: Math.max(...Object.values(seqs)) }])),
  reached: new Map(servers.map(({ url, next }) => [url, next])),
});
