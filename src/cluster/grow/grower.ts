// The grower runs in the primary, and changes the servers of the cluster. Commands such as `daybook cluster add-shard`
// note in the database file what the grower must do. The commands themselves only make the tables of new servers. So a
// command can be killed at any moment and repeated.
//
// Invariant: the grower looks for noted work every half second. Before it removes a server, it waits until no nightly
// work runs. Until then, it does not begin to use added servers either.
//
// Example: `daybook cluster add-shard three:8123` adds a server to the file, and proposes a division. The grower begins
// to use the server, and writes a mark to it: a row that names the installation. Once all senders hold the hits of the
// proposed day, the grower decides the division. engine.ts calls startGrower.
import type { Turns } from '../../catalog/one-at-a-time.ts';
import type { Log } from '../../lib/log.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { listKnownServers, removeServer } from '../../store/cluster/cluster-servers.ts';
import { findUndecided } from '../../store/cluster/divisions.ts';
import type { Db } from '../../store/db.ts';
import type { FillSender } from '../fill/senders.ts';
import type { Address } from '../servers/address.ts';
import { decide } from './divide.ts';
import { isDispensable, removeMark } from './leave.ts';

const EVERY_MS = 500;

type Deps = {
  db: Db;
  address: Address;
  clock: Clock;
  log: Log;
  /**
   * Runs work while no nightly work runs. Otherwise a statement of the nightly work might succeed only on the server
   * that is being removed. The other servers of the shard would then lack what the statement changed.
   */
  inTurn: Turns['inTurn'];
  /** Begins to use added servers, and forgets removed servers. Gives false if nothing has changed. */
  followServers(): boolean;
  listSenders(): FillSender[];
  /** Checks the servers, and writes a mark to each complete server that responds. */
  keep(): Promise<void>;
};

export function startGrower({ db, address, clock, log, inTurn, followServers, listSenders, keep }: Deps) {
  let running: Promise<void> | undefined;

  async function removeLeaving(): Promise<void> {
    const findLeaving = () => listKnownServers(db).filter((one) => one.isLeaving === 1 && isDispensable(db, one));
    if (findLeaving().length === 0) return;
    const removed = await inTurn(async () => {
      const leaving = db.write(() => {
        const all = findLeaving();
        for (const one of all) removeServer(db, one, seconds(clock));
        return all;
      });
      followServers();
      return leaving;
    });
    await Promise.all(removed.map((one) => removeMark(address, db, one)));
  }

  async function look(): Promise<void> {
    await removeLeaving();
    if (followServers()) {
      log('the servers of the cluster have changed');
      await keep();
    }
    if (findUndecided(db)) decide({ db, log, now: seconds(clock) }, listSenders());
  }

  function grow(): Promise<void> {
    running ??= look()
      .catch((error: Error) => log('the cluster could not follow its commands', { message: error.message }))
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  const timer = setInterval(() => void grow(), EVERY_MS).unref();
  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}
