// Retention deletes the visits of sealed days that are older than the site's setting (`keepDays`). The sums of these
// days stay, so each becomes a totals-only day.
//
// Excluded visits stay excluded: the day also gets sums without the excluded visits (reduced-rollups.ts).
//
// Invariant: a query reads all visits of a day or none. First the database file notes that a day is totals-only. So no
// new query reads its visits. The visits are deleted a minute later, because a running query may still read them.
//
// Example: a site keeps visits for 90 days. At 00:01 the channels of a day from 91 days ago are counted and stored. The
// day then becomes totals-only. At 00:02 the sweep deletes its visits. engine.ts calls `buildRetention`.
import { listIdsOn } from '../../catalog/exclusion-days.ts';
import { loseHits } from '../../catalog/lost-days.ts';
import { putReducedTotals, removeReducedTotals } from '../../catalog/reduced-days.ts';
import { isShown, setSumsOnly } from '../../catalog/sealed-days.ts';
import { type Clock, MINUTE, seconds } from '../../lib/time.ts';
import { tryEach } from '../../lib/try-each.ts';
import { listServers } from '../../store/cluster/cluster-servers.ts';
import type { Db } from '../../store/db.ts';
import { listExclusions } from '../../store/sites/exclusions.ts';
import { isExpired, listKeepingSites } from '../../store/sites/sites.ts';
import { makeDayFinder } from '../../store/sites/zones.ts';
import { readKnownDays } from '../query/catalog-snapshot.ts';
import type { Nodes } from '../servers/nodes.ts';
import { type StoredSlice, storeReduced } from './reduced-rollups.ts';
import { removeLeft, type SliceId, storeDerived } from './seal.ts';

type Deps = { db: Db; nodes: Nodes; clock: Clock };

export type Retention = ReturnType<typeof buildRetention>;

/**
 * Up to 200 days, or days with 1,000,000 visits in all, are hidden together. To hide a day means to make it
 * totals-only. A larger day is hidden alone.
 */
const DAYS_AT_ONCE = 200;
const VISITS_AT_ONCE = 1_000_000;

/**
 * The visits of a new totals-only day are deleted after this time, because nothing reads them any more. A query is over
 * after 25 s. An export reads one day at a time, and ClickHouse keeps what it has begun to read.
 */
const PATIENCE_MS = MINUTE * 1000;

/** Builds functions that make old days totals-only (hide their visits), and delete the visits a minute later. */
export function buildRetention({ db, nodes, clock }: Deps) {
  /**
   * The days that became totals-only, and since when, in milliseconds of `clock.tick()`. Their visits are still stored.
   */
  const hidden = new Map<number, { siteId: number; since: number }>();

  async function hide(siteId: number, keepDays: number, today: number): Promise<void> {
    // While missing rows are copied to a server, days keep their visits. The copy might miss the new rollups.
    const isFilling = listServers(db).some(({ state }) => state === 'filling');
    const expired = isFilling ? [] : listExpired(db, siteId, keepDays, today);
    for (const portion of makePortions(expired)) {
      const some = portion.map(({ id, day }) => ({ siteId, id, day }));
      const exclusions = listExclusions(db, siteId);
      await storeDerived(nodes, some);
      const reduced = await storeReduced(nodes, some, exclusions);
      const since = clock.tick();
      db.write(() => {
        // While sums were stored, the exclusions or the setting may have changed. Then the day keeps its visits, at
        // least until the next night.
        const now = listExclusions(db, siteId);
        const isCurrent = ({ id, day }: StoredSlice) =>
          isExpired(db, siteId, { day, today }) &&
          isShown(db, id) &&
          listIdsOn(now, day) === listIdsOn(exclusions, day);
        const current = some.filter(isCurrent);
        const days = current.map(({ day }) => day);
        loseHits(db, siteId, days, seconds(clock));
        for (const slice of current) {
          const { id } = slice;
          const own = reduced.get(id);
          if (own) putReducedTotals(db, siteId, id, own);
          else removeReducedTotals(db, id);
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
     * visits of days that an earlier process made totals-only, if these visits are still stored.
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

function* makePortions<Day extends { visits: number }>(days: readonly Day[]): Generator<Day[]> {
  let [portion, visits]: [Day[], number] = [[], 0];
  for (const day of days) {
    if (portion.length >= DAYS_AT_ONCE || (portion.length > 0 && visits + day.visits > VISITS_AT_ONCE)) {
      yield portion;
      [portion, visits] = [[], 0];
    }
    portion.push(day);
    visits += day.visits;
  }
  if (portion.length > 0) yield portion;
}

/** Lists the sealed days whose visits are older than the site's setting. */
export function listExpired(db: Db, siteId: number, keepDays: number, today: number) {
  const { shown } = readKnownDays(db, siteId, { from: 0, to: Math.max(0, today - keepDays) });
  return shown.slices.filter(({ hasHits }) => hasHits === 1);
}
