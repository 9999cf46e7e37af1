import { type Coded, coded } from '../../lang/coded.ts';
import { type Cuts, listCollectors, type Progress } from '../../store/cluster/collectors.ts';
import type { Db } from '../../store/db.ts';
import type { OutboxIntake } from '../outbox/intake.ts';

/**
 * A sender of rows: the primary server or a collector. `cuts` has an entry for each server to which missing rows are
 * being copied. `fill` is the number of that copy, and `seq` the lowest row number that is sent to this server.
 * `reached` has a row number for each server. The server has all rows of this sender with lower numbers.
 */
export type FillSender = {
  name: Coded;
  cuts: ReadonlyMap<string, { fill: number; seq: number }>;
  reached: ReadonlyMap<string, number>;
};

/** Lists the primary server and its collectors. A collector that was never started has no hits and is not listed. */
export function listSenders(db: Db, own: Pick<OutboxIntake, 'listCuts' | 'readProgress'>): FillSender[] {
  const collectors = listCollectors(db).flatMap(({ name, status }) =>
    status ? [makeSender(coded('sender_collector', { name }), status.cuts, status.servers)] : [],
  );
  return [makeSender(coded('sender_primary'), own.listCuts(), own.readProgress().servers), ...collectors];
}

const makeSender = (name: Coded, cuts: Cuts, servers: Progress['servers']): FillSender => ({
  name,
  cuts: new Map(cuts.map(({ url, fill, seqs }) => [url, { fill, seq: Math.max(...Object.values(seqs)) }])),
  reached: new Map(servers.map(({ url, next }) => [url, next])),
});
