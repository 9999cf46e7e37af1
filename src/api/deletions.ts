// A deletion removes all hits, totals and imports of some days of a site, for good. It also removes searches: imported
// figures of Google's searches for the site. If such figures are about other days too, they stay. Only the owner may
// delete days.
//
// Invariant: every report counts the removed hits and searches of all these days, or of none of them. The requests of
// AI crawlers and the drops are deleted a little later (catalog/deletions.ts). One transaction hides the days and adds
// the entry of the audit log. A preview and a deletion count in the same way.
//
// Example: `{"from": "2026-03-01", "to": "2026-03-31"}` deletes March, in the days of the site. If a day of the range
// has unsealed hits, nothing is deleted, and the answer is 422. The command `daybook delete` uses `readDays` and
// `count`.

import * as v from 'valibot';
import { countDeletion } from '../catalog/deletions.ts';
import type { Engine } from '../engine/engine.ts';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { Day, Id } from '../lib/http/fields.ts';
import { DAY, formatDay, parseDay } from '../lib/time.ts';
import { findSiteDay, type SiteZone } from '../lib/zone.ts';
import type { Range } from '../stats/query.ts';
import type { Db } from '../store/db.ts';
import { Count } from './answers.ts';
import type { SiteCall } from './route.ts';

/** The first and the last day of a range whose days are deleted. */
export const DeletedDays = v.strictObject({ from: Day, to: Day });
export type DeletedDays = v.InferOutput<typeof DeletedDays>;

const Taken = {
  ...DeletedDays.entries,
  /** How many days of the range have hits or totals. */
  days: Count,
  /** How many days of the range have only daily totals. */
  total_days: Count,
  visitors: Count,
  visits: Count,
  pageviews: Count,
  events: Count,
  /**
   * The imports that have days in the range. `whole` is true if an import has no other days. Such an import is deleted.
   */
  imports: v.array(v.strictObject({ id: Id, days: Count, whole: v.boolean() })),
  /** How many rows of imported searches are deleted. */
  searches: Count,
  /**
   * An imported row of searches may be about a period of several days, such as a month. `kept_searches` counts periods
   * that are only partly in the range. The rows of these periods stay, because a row cannot be divided into days.
   */
  kept_searches: Count,
  crawler_requests: Count,
  drops: Count,
};

export const Deletion = v.strictObject(Taken);
export type Deletion = v.InferOutput<typeof Deletion>;

/**
 * `open_days` lists the days of the range that have hits and are not sealed yet. While there is such a day, no day of
 * the range can be deleted.
 */
export const DeletionPreview = v.strictObject({ ...Taken, open_days: v.array(Day) });
export type DeletionPreview = v.InferOutput<typeof DeletionPreview>;

export async function preview(call: SiteCall<DeletedDays>): Promise<DeletionPreview> {
  const { api, db, site, body, now } = call;
  const range = readDays(site, body, now);
  const open = await api.queries.listOpenDays(site.id, range);
  return { ...(await count({ db, queries: api.queries }, site.id, range)), open_days: open.map(formatDate) };
}

export async function add(call: SiteCall<DeletedDays>): Promise<Deletion> {
  const { api, db, site, body, now } = call;
  const range = readDays(site, body, now);
  const counted = await count({ db, queries: api.queries }, site.id, range);
  const name = `${body.from} ~ ${body.to}`;
  await api.upkeep.deleteDays(site.id, range, { alongside: (last) => call.record({ name }, last) });
  return counted;
}

/** Reads the days as numbers, where `to` is the day after the last one. Today is not over, so it cannot be deleted. */
export function readDays(site: SiteZone, { from, to }: DeletedDays, now: number): Range {
  const [first, last] = [parseDay(from), parseDay(to)];
  if (last < first) throw invalid({ to: coded('before_from') });
  if (last >= findSiteDay(site, now)) throw invalid({ to: coded('as_of_to_come', { zone: site.timeZone }) });
  return { from: first, to: last + 1 };
}

type Reads = { db: Db; queries: Pick<Engine['queries'], 'readCrawls' | 'listDrops'> };

/** Counts everything that a deletion of the range would remove, and the searches that it would keep. */
export async function count({ db, queries }: Reads, siteId: number, range: Range): Promise<Deletion> {
  const { days, sumDays, totals, imports, searches, dividedSearches } = countDeletion(db, siteId, range);
  const { crawlers } = await queries.readCrawls({ siteId, range, crawler: undefined, limit: 1 });
  const drops = await queries.listDrops(siteId, range);
  return {
    ...{ from: formatDate(range.from), to: formatDate(range.to - 1), days, total_days: sumDays },
    ...{ visitors: totals.visitors, visits: totals.visits, pageviews: totals.pageviews, events: totals.events },
    imports: imports.map(({ isWhole, ...one }) => ({ ...one, whole: isWhole })),
    ...{ searches, kept_searches: dividedSearches },
    crawler_requests: crawlers.reduce((sum, { requests }) => sum + requests, 0),
    drops: drops.reduce((sum, { hits }) => sum + hits, 0),
  };
}

const formatDate = (day: number): string => formatDay(day * DAY);
