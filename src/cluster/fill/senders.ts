import { type Coded, coded } from '../../lang/coded.ts';
import { type Cuts, listCollectors, type Progress } from '../../store/cluster/collectors.ts';
import type { Db } from '../../store/db.ts';
import type { OutboxIntake } from '../outbox/intake.ts';

/**
 * A program that sends rows to ClickHouse servers: the primary server or a collector. Both maps are by server URL.
 * `reached`: the server has all rows of this sender below this number. `cuts` names servers to which missing rows are
 * being copied, with the number of the copy (`fill`). This sender sends them the rows from number `seq` on.
 */
export type FillSender = {
  name: Coded;
  cuts: ReadonlyMap<string, { fill: number; seq: number }>;
  reached: ReadonlyMap<string, number>;
};

/**
 * Lists all that send hits to ClickHouse: the primary server and its collectors (machines that only take hits). A fill
 * waits until each of them has sent its rows to the new server. A collector that never started has none, so it is left
 * out.
 */
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
