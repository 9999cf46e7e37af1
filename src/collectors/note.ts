// Stores what collectors report, on the primary. A thief may have stolen the secret of a collector and send false
// reports. For this reason, impossible values are limited or left out. If a report has more hits than possible, the log
// says so.
//
// Invariant: the operator can undo the progress, the outages and the hits of a false report. The commands are
// `collectors retire`, `outages remove` and `plan usage`.
//
// Example: the last report of a collector arrived a second ago, and all its reports had few hits. Now up to 3,050,000
// new hits are accepted: 50,000 for this second, and 3,000,000 that earlier reports left unused. If a report says
// 1,000,000,000 hits, the rest is not counted with this report, and a line is logged. mount.ts calls this file for each
// report.
import { findLowestNumber } from '../cluster/servers/row-numbers.ts';
import { noteFirstCurrency } from '../collect/first-currency.ts';
import type { SeenRequest } from '../collect/last-requests.ts';
import type { Log } from '../lib/log.ts';
import { type Clock, DAY, formatMonth, MINUTE, seconds } from '../lib/time.ts';
import { watchTrouble } from '../lib/trouble.ts';
import { listServers } from '../store/cluster/cluster-servers.ts';
import { type Collector, changeStatus, noteCollected, retireCollector } from '../store/cluster/collectors.ts';
import { MOST_SKEW, type Status } from '../store/cluster/sender-status.ts';
import type { Db } from '../store/db.ts';
import { addUsage } from '../store/people/accounts.ts';
import { noteTokenUse } from '../store/people/tokens.ts';
import { addReportedOutage, countOutages, type Outage, SHORTEST } from '../store/server/outages.ts';
import { findSiteCurrency } from '../store/sites/currency.ts';
import { findSiteAccount } from '../store/sites/sites.ts';
import type { CollectorReport } from './messages.ts';

/**
 * The most hits that a collector can receive in a second. This is twice the measured number (bench/cluster.ts). A
 * report with more hits must be false. Its further hits are not counted with this report.
 */
const MOST_HITS_A_SECOND = 50_000;

/**
 * Older outages in a report are ignored. A report also counts hits by month. Counts of a month that ended longer ago
 * are ignored too. So a false report cannot change what is older.
 */
const REPORTED_BACK = 10 * DAY;

/**
 * The most outages of the last ten days that are stored, so that the list of outages stays readable. Further outages
 * are ignored, because they are probably false.
 */
const MOST_OUTAGES = 1_000;

const TOO_MANY_HITS =
  'a collector reported more hits than it can have received. The hits above the limit do not count with this report';

type Deps = { db: Db; collector: { noteRequest(request: SeenRequest): void }; clock: Clock; log: Log };

/** Builds a function that stores a report. A report that is sent twice counts once. */
export function buildReportKeeper({ db, collector: requests, clock, log }: Deps) {
  const takeMost = buildAllowances(clock);
  const odd = watchTrouble(log, clock, 'odd reports of collectors, in all');
  const isKnown = (siteId: number): boolean => findSiteAccount(db, siteId) !== undefined;

  return (collector: Collector, report: CollectorReport): void => {
    const { name } = collector;
    const { outbox, taken, outages, seen, tokens, isDrained } = report;
    const now = seconds(clock);
    const allowance = takeMost(collector, now);
    let above = 0;
    db.write(() => {
      changeStatus(db, collector.number, { status: boundStatus(db, collector, report.status, now), outbox, now });
      for (const one of taken) {
        const accountId = isReportable(one.month, now) ? findSiteAccount(db, one.siteId) : undefined;
        if (accountId === undefined) continue;
        const { more, rest } = noteCollected(db, outbox, one, allowance.left);
        allowance.left -= more;
        above += rest;
        if (more > 0) addUsage(db, accountId, one.month, more);
      }
      noteOutages(db, outages, now);
      for (const { id, at } of tokens) noteTokenUse(db, id, Math.min(at, now));
      if (collector.isRetiring && isDrained) retireCollector(db, collector, { now, isLost: false });
    });
    if (above > 0) odd.failed(name, TOO_MANY_HITS, { collector: name, above });
    const recent = seen.filter(({ at, siteId }) => at > now - DAY && at <= now + MOST_SKEW && isKnown(siteId));
    for (const one of recent) {
      requests.noteRequest({ ...one, at: Math.min(one.at, now) });
      if (findSiteCurrency(db, one.siteId) === '') noteFirstCurrency(db, one.siteId, one.currency);
    }
  };
}

/**
 * Builds a function that limits the hits that a collector reports. The limit is 50,000 hits for each second since the
 * last report. The hits that a report leaves unused are added to the next limit, up to a minute's hits (3,000,000). For
 * the first report after a start of the primary, the limit is 3,000,000 hits higher.
 */
function buildAllowances(clock: Clock) {
  const known = new Map<number, { left: number; tick: number }>();
  return ({ number, createdAt, seenAt }: Collector, now: number): { left: number } => {
    const tick = clock.tick();
    const one = known.get(number) ?? { left: 0, tick: tick - Math.max(now - Math.max(seenAt, createdAt), 0) * 1000 };
    const passed = Math.min((tick - one.tick) / 1000, REPORTED_BACK);
    one.left = Math.min(Math.max(one.left, 0), MINUTE * MOST_HITS_A_SECOND) + Math.ceil(passed * MOST_HITS_A_SECOND);
    if (!known.has(number)) one.left += MINUTE * MOST_HITS_A_SECOND;
    one.tick = tick;
    known.set(number, one);
    return one;
  };
}

/**
 * Returns the time at which the row number `next` was made, in seconds since 1970. Row numbers are made from the time.
 */
const findMoment = (next: number): number => Math.floor(next / findLowestNumber(1_000));

/**
 * Limits what a collector reports about its progress, because the report may be false. Sealing waits until the progress
 * says that all hits have arrived. If a row number or a time is smaller than in the previous report, the previous value
 * stays. A time more than `MOST_SKEW` in the future is reduced to this limit. Too small a value only delays sealing,
 * until the operator retires the collector. Servers that are not in the cluster are left out.
 *
 * The limit also applies to the time of the collector's last search for salts. With a time years ahead, the search
 * would seem new for years.
 */
function boundStatus(db: Db, { status: before, createdAt }: Collector, status: Status, now: number): Status {
  const latest = now + MOST_SKEW;
  const urls = new Set(listServers(db).map(({ url }) => url));
  const next = Math.max(status.next, before?.next ?? 0);
  const until = Math.min(Math.max(status.until, before?.until ?? createdAt), latest);
  const reported = new Map(status.servers.map((one) => [one.url, one]));
  const servers = [...reported.values()]
    .filter(({ url }) => urls.has(url))
    .map((one) => {
      const known = before?.servers.find(({ url }) => url === one.url);
      const next = Math.max(one.next, known?.next ?? 0);
      return { ...one, next, until: Math.min(Math.max(one.until, known?.until ?? 0), latest, findMoment(next)) };
    });
  const cuts = [...new Map(status.cuts.map((one) => [one.url, one])).values()].filter(({ url }) => urls.has(url));
  const behind = [...new Set(status.behind)].filter((url) => urls.has(url));
  const search = status.search && { ...status.search, at: Math.min(status.search.at, latest) };
  return { ...status, next, until, servers, cuts, behind, search };
}

/**
 * True if a collector may still report hits of this month. The month must include at least one of the last ten days.
 */
const isReportable = (month: string, now: number): boolean =>
  month >= formatMonth(now - REPORTED_BACK) && month <= formatMonth(now + MOST_SKEW);

function noteOutages(db: Db, outages: readonly Outage[], now: number): void {
  let room = outages.length === 0 ? 0 : MOST_OUTAGES - countOutages(db, now - REPORTED_BACK);
  for (const { from, to, reason } of outages) {
    const kept = { from: Math.max(from, now - REPORTED_BACK), to: Math.min(to, now), reason };
    if (kept.to - kept.from < SHORTEST || room-- <= 0) continue;
    addReportedOutage(db, kept);
  }
}
