// The job that counts what each change (an entry of the journal) did to the figures of past days.
//
// Invariant: each change is counted on its own, even if another change came in the same second. The days of the change
// are counted twice: once with all earlier changes, and once with this change too.
//
// Example: change 31 added an exclusion of March. The job asks for the days of March as of change 30 and as of change
// 31. It stores the days whose figures differ. jobs.ts calls `countChanges` each minute, after stale sums were computed
// again.

import { findFirstSealed, isSealed } from '../catalog/sealed-days.ts';
import type { Queries } from '../engine/engine.ts';
import { makeLines } from '../lib/lines.ts';
import { type Clock, DAY, seconds } from '../lib/time.ts';
import { tryEach } from '../lib/try-each.ts';
import type { Range } from '../stats/query.ts';
import type { Db } from '../store/db.ts';
import { openAsOf } from '../store/file/as-of.ts';
import {
  type ChangedDay,
  type DueChange,
  type Figures,
  hasLostDays,
  listDueChanges,
  listLostFigures,
  setChangedDays,
} from '../store/sites/changes.ts';

type Deps = { db: Db; queries: Pick<Queries, 'asOf'>; clock: Clock };

/** For each site, the number of the change that was tried last. The site that was tried last is the last one. */
type Tried = Map<number, number>;

type Limits = { stop?: AbortSignal; longestMs?: number; tried?: Tried };

/**
 * Counts the effects of changes that are not counted yet. After `longestMs` milliseconds, or if `stop` aborts, the next
 * run counts the rest. If both runs get one `tried`, the next run begins with the changes that this run did not try.
 * Otherwise a change that takes a minute and always fails would keep all others from being counted.
 */
export function countChanges(
  { db, queries, clock }: Deps,
  { stop, longestMs, tried = new Map() }: Limits = {},
): Promise<void> {
  const began = clock.tick();
  const isOver = () => stop?.aborted || (longestMs !== undefined && clock.tick() - began >= longestMs);
  return tryEach(takeTurns(listDueChanges(db), tried), async (change) => {
    if (isOver() || !isReady(db, change, seconds(clock))) return;
    tried.delete(change.siteId);
    tried.set(change.siteId, change.id);
    const days = await findChangedDays({ db, queries }, change, stop);
    // Days may have been deleted or replaced while they were counted. Their figures would then be 0.
    db.write(() => setChangedDays(db, change.id, hasLostDays(db, change) ? undefined : days));
  });
}

/**
 * Lists the changes so that sites take turns. Otherwise a site with many changes of many days would delay the changes
 * of all other sites.
 */
function* takeTurns(changes: readonly DueChange[], tried: Tried): Generator<DueChange> {
  const waiting = makeLines<DueChange>();
  const places = new Map([...tried.keys()].map((siteId, place) => [siteId, place + 1]));
  const findPlace = ({ siteId }: DueChange): number => places.get(siteId) ?? 0;
  const isTried = ({ siteId, id }: DueChange): number => Number(id <= (tried.get(siteId) ?? 0));
  const sorted = changes.toSorted((one, other) => findPlace(one) - findPlace(other) || isTried(one) - isTried(other));
  for (const change of sorted) waiting.add(change.siteId, change);
  for (let next = waiting.next(); next; next = waiting.next()) yield next;
}

/**
 * Tells whether a change can be counted. If late hits changed a day, the day must be sealed again first. If only late
 * heartbeats arrived, the day may never be sealed again. So the change is counted after two days at the latest.
 */
const isReady = (db: Db, { siteId, reason, from, at }: DueChange, now: number): boolean =>
  reason !== 'late_hits' || isSealed(db, siteId, from) || at < now - 2 * DAY;

/** How many days are counted at once. More days might take longer than a query may take. */
const DAYS_AT_ONCE = 31;

/**
 * Finds the days whose figures a change has changed. Returns undefined if the figures before or after the change cannot
 * be counted any more.
 */
async function findChangedDays(
  { db, queries }: Omit<Deps, 'clock'>,
  change: DueChange,
  stop?: AbortSignal,
): Promise<ChangedDay[] | undefined> {
  const lost = listLostFigures(db, change.id, change.siteId);
  if (hasLostDays(db, change) || [...lost.values()].includes(null)) return undefined;
  const changed: ChangedDay[] = [];
  const first = Math.max(change.from, findFirstSealed(db, change.siteId) ?? change.to);
  for (let from = Math.min(first, ...lost.keys()); from < change.to; from += DAYS_AT_ONCE) {
    const range = { from, to: Math.min(from + DAYS_AT_ONCE, change.to) };
    const count = (lastChange: number) => countDays({ db, queries }, change, lastChange, { range, stop });
    const [before, after] = [await count(change.id - 1), await count(change.id)];
    for (let i = 0; i < after.length; i++) {
      const was = lost.get(from + i) ?? (before[i] as Figures);
      const is = after[i] as Figures;
      if (FIGURES.some((name) => was[name] !== is[name])) changed.push({ day: from + i, before: was, after: is });
    }
  }
  return changed;
}

const FIGURES = ['visitors', 'visits', 'pageviews', 'events'] as const;

/**
 * Counts each day of a range as it was after the change with the number `lastChange`. For the figures after the given
 * change, `lastChange` is the number of that change. For the figures before it, `lastChange` is one less.
 */
async function countDays(
  { db, queries }: Omit<Deps, 'clock'>,
  { id, siteId, reason, at }: DueChange,
  lastChange: number,
  { range, stop }: { range: Range; stop: AbortSignal | undefined },
): Promise<Figures[]> {
  // A cluster counts late hits even before their day is sealed again. So hits that arrived after this change are left
  // out here. If late hits are the change itself, the figures before the change leave out these late hits too.
  const arrivedBefore = reason === 'late_hits' && lastChange < id ? at : at + 1;
  const moment = { siteId, day: range.to - 1, at: at + 1, lastChange, arrivedBefore };
  const past = openAsOf(db.path, moment);
  try {
    const query = { report: 'timeseries', interval: 'day', siteId, range, filters: {} } as const;
    const { totals } = await queries.asOf(past.db, moment).measure(query, stop);
    return totals.map(({ visitors, visits, pageviews, events }) => ({ visitors, visits, pageviews, events }));
  } finally {
    past.close();
  }
}
