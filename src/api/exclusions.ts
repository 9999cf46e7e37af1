// An exclusion leaves visits out of all reports, and deletes nothing.
//
// Invariant: a new exclusion changes reports immediately. The stored sums of past days are computed again in the
// background. Until then, reports count the stored visits of these days, which takes longer. The excluded visits are
// counted before the transaction that adds the exclusion. If the client disconnects during this count, no exclusion is
// added.
//
// Example: an exclusion has days and filters, such as "from 10 March, country DE, entry page /blog*". The table in
// `routes.ts` calls these functions. The command `daybook exclusions` uses `readSelection`.

import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Day, Id, Time } from '../lib/http/fields.ts';
import { DAY, formatDay, iso, parseDay } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import type { ExcludedVisits, Totals } from '../stats/aggregates.ts';
import { listNotices } from '../stats/notices.ts';
import type { Filters, Range } from '../stats/query.ts';
import type { Db } from '../store/db.ts';
import * as exclusions from '../store/sites/exclusions.ts';
import { Count } from './answers.ts';
import { Applied, FilterGroup, readFilters, writeParameters } from './filters.ts';
import { describeNotices, Notices } from './notices.ts';
import type { SiteCall } from './route.ts';

export const Exclusion = v.strictObject({
  id: Id,
  from: Day,
  to: v.nullable(Day),
  filters: Applied,
  note: v.string(),
  created_at: Time,
  visits: Count,
});
export type Exclusion = v.InferOutput<typeof Exclusion>;

const Note = v.pipe(
  v.string(fault('no_text')),
  v.check((value) => value.isWellFormed(), fault('no_unicode')),
  v.check((value) => [...value].length <= 200, fault('too_long', { most: 200 })),
  v.metadata({ maxLength: 200 }),
);

/** The days and filters that choose the visits of an exclusion. If `to` is null, the exclusion has no last day. */
export const ExclusionSelection = v.strictObject({
  from: Day,
  to: v.optional(v.nullable(Day), null),
  filters: FilterGroup,
});
type ExclusionSelection = v.InferOutput<typeof ExclusionSelection>;

export const NewExclusion = v.strictObject({ ...ExclusionSelection.entries, note: v.optional(Note, '') });
type NewExclusion = v.InferOutput<typeof NewExclusion>;

const Sums = v.strictObject({ visitors: Count, visits: Count, pageviews: Count, events: Count });
export const Preview = v.strictObject({
  ...Sums.entries,
  days: v.array(v.strictObject({ date: v.string(), ...Sums.entries })),
  ...Notices,
});
export type Preview = v.InferOutput<typeof Preview>;

type StoredSelection = Pick<exclusions.NewExclusion, 'from' | 'to' | 'applied'> & { filters: Filters };

export async function list({ api, db, site, now, signal }: SiteCall): Promise<Exclusion[]> {
  const all = exclusions.listExclusions(db, site.id);
  const range = coverExclusions(all, findSiteDay(site, now) + 1);
  const excluded: ExcludedVisits =
    range.from < range.to ? await api.queries.countExcluded(site.id, range, signal()) : {};
  return all.map((one) => answer(one, excluded[one.id] ?? 0));
}

export const assertRoom = ({ db, site }: SiteCall): void => exclusions.assertRoomForExclusion(db, site.id);

/**
 * Counts the visits that a new exclusion leaves out. Counting may take seconds. So this function runs before the
 * transaction, because a transaction blocks every other write.
 */
export async function count(call: SiteCall<NewExclusion>): Promise<number> {
  const { days } = await askPreview(call);
  return days.reduce((sum, { totals }) => sum + totals.visits, 0);
}

export function add(call: SiteCall<NewExclusion> & { prepared: number }): Exclusion {
  const { db, site, body, now, prepared } = call;
  exclusions.assertRoomForExclusion(db, site.id);
  const added = exclusions.addExclusion(db, site.id, { ...readSelection(db, site.id, body), note: body.note }, now);
  remakeSumsSoon(call);
  return answer(added, prepared);
}

export function remove(call: SiteCall): void {
  exclusions.removeExclusion(call.db, call.site.id, call.id, call.now);
  remakeSumsSoon(call);
}

export async function preview(call: SiteCall<ExclusionSelection>): Promise<Preview> {
  const { days, untouched } = await askPreview(call);
  const sum = (name: keyof Totals) => days.reduce((sum, { totals }) => sum + totals[name], 0);
  return {
    ...{ visitors: sum('visitors'), visits: sum('visits'), pageviews: sum('pageviews'), events: sum('events') },
    days: days.map(({ day, totals }) => ({ date: formatDate(day), ...pickSums(totals) })),
    ...describeNotices(listNotices({ untouched })),
  };
}

/** Turns a selection into the form of the database. There, days are numbers, and `to` is the day after the last day. */
export function readSelection(db: Db, siteId: number, { from, to, filters }: ExclusionSelection): StoredSelection {
  if (to !== null && to < from) throw invalid({ to: coded('before_from') });
  const end = to === null ? null : parseDay(to) + 1;
  return { from: parseDay(from), to: end, ...readFilters(db, siteId, writeParameters(filters)) };
}

function askPreview({ api, db, site, body, signal }: SiteCall<ExclusionSelection>) {
  const selected = readSelection(db, site.id, body);
  return api.queries.previewExclusion(site.id, exclusions.readExclusionRange(selected), selected.filters, signal());
}

/**
 * Finds the range of days that covers all exclusions. The range ends tomorrow at the latest, because no site has hits
 * of later days. If there is no exclusion, the range is empty.
 */
const coverExclusions = (all: readonly exclusions.Exclusion[], tomorrow: number): Range => ({
  from: Math.min(tomorrow, ...all.map(({ from }) => from)),
  to: Math.min(tomorrow + 1, Math.max(0, ...all.map(({ to }) => to ?? Number.MAX_SAFE_INTEGER))),
});

/**
 * Starts to compute the sums of past days again, after an exclusion has changed. Until this is done, reports count the
 * visits of these days. Such reports are right too, but slower.
 */
function remakeSumsSoon({ api, afterCommit }: SiteCall<unknown>): void {
  afterCommit(() => {
    // Errors are ignored here. A job computes stale sums again each minute, and logs the reason if the job fails.
    api.upkeep.remakeSums().catch(() => {});
  });
}

const answer = ({ id, from, to, applied, note, created_at }: exclusions.Exclusion, visits: number): Exclusion => ({
  id,
  from: formatDate(from),
  to: to === null ? null : formatDate(to - 1),
  filters: applied as Exclusion['filters'],
  note,
  created_at: iso(created_at),
  visits,
});

const pickSums = ({ visitors, visits, pageviews, events }: Totals) => ({ visitors, visits, pageviews, events });

const formatDate = (day: number): string => formatDay(day * DAY);
