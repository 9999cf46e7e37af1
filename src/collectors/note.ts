/*
 * What the primary keeps of what a collector says. A collector runs on another machine, and its secret may be stolen. So each number
 * is checked against what can be true, and what cannot is left out and logged.
 *
 * Invariant: whatever a collector says, what it changes ends with a command: `collectors retire`, `outages remove`, `plan usage`.
 *
 * Example: a collector that was heard a second ago says that it took 1,000,000 hits since. At most 3,050,000 are counted: what one can
 * take in that second and a minute more. Of 1,000,000,000 hits the rest is left out.
 *
 * Called by mount.ts for each report.
 */
import { findLowestNumber } from '../cluster/servers/row-numbers.ts';
import type { SeenRequest } from '../collect/last-requests.ts';
import type { Log } from '../lib/log.ts';
import { type Clock, DAY, formatMonth, MINUTE, seconds } from '../lib/time.ts';
import { trouble } from '../lib/trouble.ts';
import { listServers } from '../store/cluster/cluster-servers.ts';
import {
  type Collector,
  changeStatus,
  MOST_SKEW,
  noteCollected,
  retireCollector,
  type Status,
} from '../store/cluster/collectors.ts';
import type { Db } from '../store/db.ts';
import { addUsage } from '../store/people/accounts.ts';
import { addToldOutage, countOutages, type Outage, SHORTEST } from '../store/server/outages.ts';
import { findSiteAccount } from '../store/sites/sites.ts';
import type { Report } from './messages.ts';

/** Twice of what a collector was measured to take (bench/cluster.ts). */
const MOST_HITS_A_SECOND = 50_000;

/** So far back a collector may tell. */
const TOLD_BACK = 10 * DAY;

/** Outages that last a minute at least, one after another, are fewer in that time unless somebody makes them up. */
const MOST_OUTAGES = 1_000;

type Deps = { db: Db; collector: { noteRequest(request: SeenRequest): void }; clock: Clock; log: Log };

/** Notes what collectors say. Each of it may be said again, and counts once. */
export function notes({ db, collector: requests, clock, log }: Deps) {
  const takeMost = allowances(clock);
  const odd = trouble(log, clock, 'odd reports of collectors, in all');
  const isKnown = (siteId: number): boolean => findSiteAccount(db, siteId) !== undefined;

  return (collector: Collector, report: Report): void => {
    const { name } = collector;
    const { outbox, taken, outages, seen, isDrained } = report;
    const now = seconds(clock);
    const allowance = takeMost(collector, now);
    const doubt = (what: string) =>
      odd.failed(`${name} ${what}`, 'a collector says what cannot be; it is left out', { collector: name, what });
    db.write(() => {
      changeStatus(db, collector.number, { status: plausible(db, collector, report.status, now), outbox, now });
      for (const one of taken) {
        const accountId = isTellable(one.month, now) ? findSiteAccount(db, one.siteId) : undefined;
        if (accountId === undefined) continue;
        const more = noteCollected(db, outbox, one, allowance.left);
        allowance.left -= more;
        if (more > 0) addUsage(db, accountId, one.month, more);
      }
      noteOutages(db, outages, now);
      if (collector.isRetiring && isDrained) retireCollector(db, collector, { now, isLost: false });
    });
    if (allowance.left <= 0) doubt('taken');
    const recent = seen.filter(({ at, siteId }) => at > now - DAY && at <= now + MOST_SKEW && isKnown(siteId));
    for (const one of recent) requests.noteRequest({ ...one, at: Math.min(one.at, now) });
  };
}

/** How many hits each collector may have taken since it was heard last, and in a minute more. */
function allowances(clock: Clock) {
  const known = new Map<number, { left: number; tick: number }>();
  return ({ number, createdAt, seenAt }: Collector, now: number): { left: number } => {
    const tick = clock.tick();
    const one = known.get(number) ?? { left: 0, tick: tick - Math.max(now - Math.max(seenAt, createdAt), 0) * 1000 };
    const passed = Math.min((tick - one.tick) / 1000, TOLD_BACK);
    one.left = Math.min(Math.max(one.left, 0), MINUTE * MOST_HITS_A_SECOND) + Math.ceil(passed * MOST_HITS_A_SECOND);
    if (!known.has(number)) one.left += MINUTE * MOST_HITS_A_SECOND;
    one.tick = tick;
    known.set(number, one);
    return one;
  };
}

/** Nothing that has a number of at least `next` was taken before it: so the moment of that number is the latest that is covered. */
const findMoment = (next: number): number => Math.floor(next / findLowestNumber(1_000));

/**
 * How a collector is. What it has sent never becomes less, because it sends in order, and nothing of it is from before it was added.
 * So a report can keep days from being sealed from now on, until the collector is given up, but none of before. Servers that the primary
 * does not know are left out.
 */
function plausible(db: Db, { status: before, createdAt }: Collector, status: Status, now: number): Status {
  const latest = now + MOST_SKEW;
  const urls = new Set(listServers(db).map(({ url }) => url));
  const next = Math.max(status.next, before?.next ?? 0);
  const until = Math.min(Math.max(status.until, before?.until ?? createdAt), latest);
  const told = new Map(status.servers.map((one) => [one.url, one]));
  const servers = [...told.values()]
    .filter(({ url }) => urls.has(url))
    .map((one) => {
      // A status from before the first release spoke of all servers together.
      const known = before?.servers?.find(({ url }) => url === one.url);
      const next = Math.max(one.next, known?.next ?? 0);
      return { ...one, next, until: Math.min(Math.max(one.until, known?.until ?? 0), latest, findMoment(next)) };
    });
  const cuts = [...new Map(status.cuts.map((one) => [one.url, one])).values()].filter(({ url }) => urls.has(url));
  const behind = [...new Set(status.behind)].filter((url) => urls.has(url));
  return { ...status, next, until, servers, cuts, behind };
}

/** This month, or one of which hits may still be told. */
const isTellable = (month: string, now: number): boolean =>
  month >= formatMonth(now - TOLD_BACK) && month <= formatMonth(now + MOST_SKEW);

function noteOutages(db: Db, outages: readonly Outage[], now: number): void {
  let room = outages.length === 0 ? 0 : MOST_OUTAGES - countOutages(db, now - TOLD_BACK);
  for (const { from, to, reason } of outages) {
    const kept = { from: Math.max(from, now - TOLD_BACK), to: Math.min(to, now), reason };
    if (kept.to - kept.from < SHORTEST || room-- <= 0) continue;
    addToldOutage(db, kept);
  }
}
