// Answers a report as of a past day. The report uses the data and the settings at the end of that day. The day ends at
// midnight in the time zone of the site.
//
// Invariant: the answer equals the answer that the server would have given at that moment. If the report needs data
// that was deleted since, the answer is an error with the days and the reason. The server keeps no deleted data for
// these answers (catalog/lost-days.ts).
//
// Example: `as_of=2026-05-03` with `range=7d` counts 27 April to 3 May. An exclusion that was added on 4 May has no
// effect.
//
// routes.ts wraps reports in `withAsOf` or `withAsOfInBody`. The code of a report knows nothing about the past. The
// call that this code gets has the time, the site and the data of the past moment.

import * as v from 'valibot';
import { listImportedDays } from '../catalog/imported.ts';
import { type LostDay, listLostDays } from '../catalog/lost-days.ts';
import type { Imports, Queries } from '../engine/engine.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { limitAtOnce } from '../lib/at-once.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { Day } from '../lib/http/fields.ts';
import { DAY, formatDay, parseDay } from '../lib/time.ts';
import { findSiteDay, type SiteZone } from '../lib/zone.ts';
import type { Aggregates } from '../stats/aggregates.ts';
import { type Ask, makeAsk } from '../stats/ask.ts';
import { makeCalendar } from '../stats/calendar.ts';
import { listDaySpans } from '../stats/notices.ts';
import { listRanges } from '../stats/query.ts';
import type { Db } from '../store/db.ts';
import { openAsOf, type PastMoment } from '../store/file/as-of.ts';
import { findSiteForViewer, type Site } from '../store/sites/sites.ts';
import { listZoneChanges } from '../store/sites/zones.ts';
import type { SiteCall } from './route.ts';

export const AsOfParameter = {
  as_of: v.optional(Day),
};
export type AsOfParameter = { as_of?: string | undefined };

type Show<Call, Answer> = (call: Call) => Promise<Answer>;

/** Lets a report answer as of a past day, if the report has its query in the URL. */
export const withAsOf =
  <Call extends SiteCall<undefined, AsOfParameter>, Answer>(show: Show<Call, Answer>): Show<Call, Answer> =>
  (call) =>
    call.query.as_of === undefined ? show(call) : showAsOf(call, call.query.as_of, show);

/** Lets a report answer as of a past day. The body of the request has the query of the report. */
export const withAsOfInBody =
  <Body extends AsOfParameter, Answer>(show: Show<SiteCall<Body>, Answer>): Show<SiteCall<Body>, Answer> =>
  (call) =>
    call.body.as_of === undefined ? show(call) : showAsOf(call, call.body.as_of, show);

function showAsOf<Call extends Omit<SiteCall, 'body' | 'query'>, Answer>(
  call: Call,
  asOf: string,
  show: Show<Call, Answer>,
): Promise<Answer> {
  const { api, site, caller } = call;
  // The team decides what a share link shows now. In the past, the link may have shown more. So a caller with a share
  // link cannot see the past.
  if (caller.by === 'share') throw new Problem('role_forbidden');
  const read = (past: Past) => {
    const { queries, imports, ask, ...then } = past;
    const collector = { ...api.collector, refusing: () => undefined };
    const own = { ...api, db: past.db, collector, imports, queries, ask };
    return show({ ...call, ...then, site: { ...site, ...past.site, role: site.role }, api: own });
  };
  return fewAtOnce(async () => {
    if (call.signal().aborted) throw new Problem('unavailable');
    return await readAsOf({ ...call, queries: api.queries }, asOf, read);
  }, site.id);
}

/**
 * Each report as of a past day opens the database file once more. 500 such reports at the same time took 270 MB and
 * 1,000 file descriptors. So at most 16 run at once, and up to 1,000 more wait.
 */
const fewAtOnce = limitAtOnce(16, 1_000);

type Present = { db: Db; queries: Queries; site: Pick<Site, 'id' | 'created_at'> & SiteZone; now: number };

/** What a report needs, as it was at the past moment. `now` is the last second of the past day. */
type Past = {
  db: Db;
  now: number;
  site: Site;
  queries: Queries;
  imports: Pick<Imports, 'listDays'>;
  ask: Ask;
};

/** Calls `work` with the data and the settings as they were at the end of a past day. */
export async function readAsOf<Answer>(
  { db, queries, site, now }: Present,
  asOf: string,
  work: (past: Past) => Promise<Answer>,
): Promise<Answer> {
  const moment = findMoment(db, site, asOf, now);
  const past = openAsOf(db.path, moment);
  try {
    const then = findSiteForViewer(past.db, site.id);
    if (!then) throw new Problem('not_found');
    const own = { ...queries, ...queries.asOf(past.db, moment) };
    const measure = refuseLost(db, own, moment);
    const imports = { listDays: async (siteId: number) => listImportedDays(past.db, siteId) };
    return await work({
      ...{ db: past.db, now: moment.at - 1, site: then },
      ...{ queries: { ...own, measure }, imports, ask: makeAsk({ measure }) },
    });
  } finally {
    past.close();
  }
}

/** Finds the end of a day of a site. Refuses today and later days, and days before the site existed. */
function findMoment(db: Db, site: Present['site'], asOf: string, now: number): PastMoment {
  const day = parseDay(asOf);
  const first = findSiteDay({ timeZone: site.timeZone, earliestDay: 0 }, site.created_at);
  if (day >= findSiteDay(site, now)) throw invalid({ as_of: coded('as_of_to_come', { zone: site.timeZone }) });
  if (day < first) throw invalid({ as_of: coded('as_of_before_site', { date: formatDay(first * DAY) }) });
  const calendar = makeCalendar(site.timeZone, listZoneChanges(db, site.id), new Map());
  const at = calendar.findEnd(day);
  return { siteId: site.id, day, at, lastChange: Number.MAX_SAFE_INTEGER, arrivedBefore: at };
}

/**
 * Makes a function that answers queries as of the past moment. The function refuses a query that needs a lost day
 * (catalog/lost-days.ts).
 */
const refuseLost =
  (db: Db, { measure }: Pick<Queries, 'measure'>, moment: PastMoment): Queries['measure'] =>
  async (query, signal) => {
    const listLost = (isNeeded: (one: LostDay) => boolean): LostDay[] =>
      listLostDays(db, moment, listRanges(query)).filter(isNeeded);
    refuse(listLost(({ hasSums }) => !hasSums));
    const measured = await measure(query, signal);
    const lacking = listLacking(measured);
    // A day may have been deleted while the engine counted. So the lost days are listed again.
    refuse(listLost(({ hasSums, day }) => !hasSums || lacking.has(day)));
    return measured;
  };

/**
 * Lists the days that an answer lacks, wholly or in part, because their hits are missing. If one of these days is lost,
 * the answer is refused.
 */
const listLacking = ({ leftOut, untouched, lacks = [] }: Aggregates): Set<number> =>
  new Set([...leftOut, ...untouched, ...lacks.flatMap(({ days }) => days)]);

const LOST = {
  import_added: 'lost_import_added',
  import_removed: 'lost_import_removed',
  days_removed: 'lost_days_removed',
  retention: 'lost_retention',
  late_hits: 'lost_late_hits',
} as const;

function refuse(lost: readonly LostDay[]): void {
  if (lost.length === 0) return;
  const reasons: Coded[] = [...Map.groupBy(lost, ({ reason }) => reason)].map(([reason, own]) => {
    const days = listDaySpans([...new Set(own.map(({ day }) => day))]);
    return coded(LOST[reason as keyof typeof LOST], { days });
  });
  throw invalid({ as_of: coded('as_of_lost', { reasons }) });
}
