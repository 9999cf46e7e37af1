// Retention deletes the visits of sealed days that are older than the site's setting (`keepDays`). The sums of these
// days stay, so each becomes a totals-only day.
//
// Invariant: a query reads all visits of a day or none. First the database file notes that a day is totals-only. So no
// new query reads its visits. They are deleted a minute later, because a running query may still read them.
//
// Example: a site keeps visits for 90 days. At 00:01 the channels of a day from 91 days ago are counted and stored, and
// the day is noted as totals-only. At 00:02 the sweep deletes its visits. engine.ts calls `buildRetention`.
import { isAbout } from '../../catalog/exclusion-days.ts';
import { setSumsOnly } from '../../catalog/sealed-days.ts';
import { type Clock, MINUTE, seconds } from '../../lib/time.ts';
import { tryEach } from '../../lib/try-each.ts';
import { listServers } from '../../store/cluster/cluster-servers.ts';
import type { Db } from '../../store/db.ts';
import { listKeepingSites } from '../../store/sites/sites.ts';
import { makeDayFinder } from '../../store/sites/zones.ts';
import { readKnownDays } from '../query/catalog-snapshot.ts';
import type { Nodes } from '../servers/nodes.ts';
import { removeLeft, type SliceId, storeDerived } from './seal.ts';

type Deps = { db: Db; nodes: Nodes; clock: Clock };

export type Retention = ReturnType<typeof buildRetention>;

const DAYS_AT_ONCE = 200;
/** A query is over after 25 s. An export reads one day at a time, and ClickHouse keeps what it has begun to read. */
const PATIENCE_MS = MINUTE * 1000;

/** Builds functions that hide old visits, and delete them a minute later. */
export function buildRetention({ db, nodes, clock }: Deps) {
  /** The days that became totals-only, and since when, in milliseconds of a timer. Their visits are still stored. */
  const hidden = new Map<number, { siteId: number; since: number }>();

  async function hide(siteId: number, keepDays: number, today: number): Promise<void> {
    const list = () => listExpired(db, siteId, keepDays, today);
    // While missing rows are copied to a server, days keep their visits. The copy might miss the new rollups.
    const isFilling = listServers(db).some(({ state }) => state === 'filling');
    const expired = isFilling ? [] : list();
    for (let from = 0; from < expired.length; from += DAYS_AT_ONCE) {
      const some = expired.slice(from, from + DAYS_AT_ONCE).map(({ id }) => ({ siteId, id }));
      await storeDerived(nodes, some);
      const since = clock.tick();
      db.write(() => {
        // Meanwhile a day may have got an exclusion. Then it keeps its visits.
        const still = new Set(list().map(({ id }) => id));
        for (const { id } of some.filter((one) => still.has(one.id))) {
          setSumsOnly(db, id);
          hidden.set(id, { siteId, since });
        }
      });
    }
  }

  const remove = (slices: readonly SliceId[]) => removeLeft(nodes, slices, { tables: ['visit'] });

  return {
    /**
     * Makes old days totals-only days. Sums that only visits give, such as channels, are stored first. Also deletes
     * visits that an earlier process has hidden and not deleted.
     */
    removeExpired: (): Promise<void> => {
      const findToday = makeDayFinder(db, seconds(clock));
      return tryEach(listKeepingSites(db), async ({ id: siteId, keepDays }) => {
        const today = findToday(siteId) ?? 0;
        await hide(siteId, keepDays, today);
        const { shown } = readKnownDays(db, siteId, { from: 0, to: Math.max(0, today - keepDays) });
        const left = shown.slices.filter(({ id, hasHits }) => hasHits === 0 && !hidden.has(id));
        await remove(left.map(({ id }) => ({ siteId, id })));
      });
    },
    /** Deletes the visits of days that became totals-only at least a minute ago. */
    async removeHidden(): Promise<void> {
      const due = [...hidden].filter(([, { since }]) => clock.tick() - since >= PATIENCE_MS);
      for (let from = 0; from < due.length; from += DAYS_AT_ONCE) {
        const some = due.slice(from, from + DAYS_AT_ONCE);
        await remove(some.map(([id, { siteId }]) => ({ siteId, id })));
        for (const [id] of some) hidden.delete(id);
      }
    },
  };
}

/**
 * Lists the sealed days whose visits are older than the site's setting. A day with an exclusion keeps its visits:
 * without them, the excluded visits could not be left out of its sums.
 */
export function listExpired(db: Db, siteId: number, keepDays: number, today: number) {
  const { shown, exclusions } = readKnownDays(db, siteId, { from: 0, to: Math.max(0, today - keepDays) });
  return shown.slices.filter(({ hasHits, day }) => hasHits === 1 && !exclusions.some((one) => isAbout(one, day)));
}
