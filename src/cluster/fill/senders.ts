import { type Coded, coded } from '../../lang/coded.ts';
import { type Cuts, listCollectors, type Progress } from '../../store/cluster/collectors.ts';
import type { Db } from '../../store/db.ts';
import type { OutboxIntake } from '../outbox/intake.ts';

/**
 * A sender of rows. `cuts` says, for each server that is being filled, in which fill and from which number on it sends rows.
 * `reached` says below which number each server has all its rows.
 */
export type FillSender = {
  name: Coded;
  cuts: ReadonlyMap<string, { fill: number; seq: number }>;
  reached: ReadonlyMap<string, number>;
};

/** The primary and its collectors. A collector that was never started has taken nothing and is left out. */
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
