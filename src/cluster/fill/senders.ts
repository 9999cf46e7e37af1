import { type Coded, coded } from '../../lang/coded.ts';
import { listCollectors } from '../../store/cluster/collectors.ts';
import type { Cuts, Hold, Progress } from '../../store/cluster/sender-status.ts';
import type { Db } from '../../store/db.ts';
import type { OutboxIntake } from '../outbox/intake.ts';
import { PRIMARY } from '../servers/row-numbers.ts';

/** A sender of rows: the primary or a collector. The keys of both maps are the URLs of servers. */
export type FillSender = {
  /** The number of the sender. Each row number of this sender, modulo 64, equals this number. */
  number: number;
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
  const collectors = listCollectors(db).flatMap(({ number, name, status }) =>
    status ? [makeSender(number, coded('sender_collector', { name }), status)] : [],
  );
  const report = { cuts: own.listCuts(), servers: own.readProgress().servers, hold: own.findHold() };
  return [makeSender(PRIMARY, coded('sender_primary'), report), ...collectors];
}

type Report = Pick<Progress, 'servers'> & { cuts: Cuts; hold?: Hold | undefined };

const makeSender = (number: number, name: Coded, { cuts, servers, hold }: Report): FillSender => ({
  number,
  name,
  hold,
  cuts: new Map(cuts.map(({ url, fill, seqs }) => [url, { fill, seq: Math.max(...Object.values(seqs)) }])),
  reached: new Map(servers.map(({ url, next }) => [url, next])),
});
