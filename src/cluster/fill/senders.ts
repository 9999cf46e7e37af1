import { type Cuts, listCollectors, type Progress } from '../../store/cluster/collectors.ts';
import type { Db } from '../../store/db.ts';
import type { OutboxIntake } from '../outbox/intake.ts';

/**
 * A sender of rows. `cuts` says to which servers that are being filled it sends: in which copy, and from which number on. `reached` says
 * below which number each server has all that it took.
 */
export type Sender = {
  name: string;
  cuts: ReadonlyMap<string, { fill: number; seq: number }>;
  reached: ReadonlyMap<string, number>;
};

const senderOf = (name: string, cuts: Cuts, servers: Progress['servers']): Sender => ({
  name,
  cuts: new Map(cuts.map(({ url, fill, seqs }) => [url, { fill, seq: Math.max(...Object.values(seqs)) }])),
  reached: new Map(servers.map(({ url, next }) => [url, next])),
});

/** The primary itself, and its collectors. One that was never started has taken nothing. */
export function listSenders(db: Db, own: Pick<OutboxIntake, 'listCuts' | 'readProgress'>): Sender[] {
  const collectors = listCollectors(db).flatMap(({ name, status }) =>
    status ? [senderOf(`the collector ${name}`, status.cuts, status.servers)] : [],
  );
  return [senderOf('the primary', own.listCuts(), own.readProgress().servers), ...collectors];
}
