// Lists the changes that changed figures of past days: why, by whom, when and by how much.
//
// Invariant: the figures of a change cover only its days within the requested range. The figures are null until a job
// has counted them. They stay null if data that the counting needs was deleted. After each listed change, the server
// may answer another request, so a long list delays nobody (test/api/changes.test.ts).
//
// Example: on 3 May, somebody added an exclusion for 1 to 31 March. `range=2026-03-01~2026-03-07` lists this change
// with the figures of 1 to 7 March. src/jobs/changes.ts counts the figures. The parameter `after` is the number of a
// change. With this parameter, the list has only changes with higher numbers. The field `after` of a change is not this
// number, but has figures.

import * as v from 'valibot';
import { fault } from '../lib/http/fault.ts';
import { Day, Id, Time } from '../lib/http/fields.ts';
import { DAY, formatDay, iso } from '../lib/time.ts';
import { takeInTurns } from '../lib/turns.ts';
import { findSiteDay } from '../lib/zone.ts';
import type { Range } from '../stats/query.ts';
import { findLastReported } from '../store/mail/mailings.ts';
import { WAYS } from '../store/people/audit-entries.ts';
import {
  CHANGE_REASONS,
  findLastChangeOf,
  type JournalChange,
  listChanges,
  sumChangedDays,
} from '../store/sites/changes.ts';
import { Count } from './answers.ts';
import { LARGEST_ID, whole } from './input.ts';
import { RangeName, readRange } from './query.ts';
import type { SiteCall } from './route.ts';

const MOST = 200;
const USUAL = '50';

export const ChangesQuery = v.strictObject({
  range: v.optional(RangeName, '30d'),
  after: v.optional(whole(0, LARGEST_ID, fault('no_id')), '0'),
  limit: v.optional(whole(1, MOST, fault('out_of_bounds', { least: 1, most: MOST })), USUAL),
});

export const PastFigures = v.strictObject({ visitors: Count, visits: Count, pageviews: Count, events: Count });

export const PastChange = v.strictObject({
  id: Id,
  at: Time,
  reason: v.picklist(CHANGE_REASONS),
  /** Names what was changed: a goal by its value, for example, and an exclusion by its note. */
  name: v.nullable(v.string()),
  /**
   * The person behind the change. `by` is null if no person made the change. It is also null if the audit log no longer
   * has an entry about the change.
   */
  by: v.nullable(
    v.strictObject({ way: v.picklist(WAYS), email: v.nullable(v.string()), token: v.nullable(v.string()) }),
  ),
  from: Day,
  to: Day,
  /** How many days of the range got other figures through this change. `days` is null until a job has counted them. */
  days: v.nullable(Count),
  before: v.nullable(PastFigures),
  after: v.nullable(PastFigures),
});
export type PastChange = v.InferOutput<typeof PastChange>;

/**
 * `latest` is the number of the site's latest change. A later request can send this number as `after`. `mailed_at` is
 * when the caller last got a report of the site by e-mail.
 */
export const Changes = v.strictObject({
  changes: v.array(PastChange),
  latest: v.number(),
  mailed_at: v.nullable(Time),
});
export type Changes = v.InferOutput<typeof Changes>;

export async function list({
  db,
  site,
  query,
  now,
  caller,
}: SiteCall<undefined, v.InferOutput<typeof ChangesQuery>>): Promise<Changes> {
  const { after, limit } = query;
  const range = readRange(query.range, findSiteDay(site, now));
  const listed = listChanges(db, site.id, { ...range, after, limit });
  const mailedAt = findLastReported(db, { siteId: site.id, userId: caller.userId });
  const latest = findLastChangeOf(db, site.id);
  const changes: PastChange[] = [];
  await takeInTurns(listed, 1, (some) => changes.push(...some.map((one) => writeChange(db, one, range))));
  return { changes, latest, mailed_at: mailedAt === undefined ? null : iso(mailedAt) };
}

function writeChange(db: SiteCall['db'], one: JournalChange, range: Range): PastChange {
  const { id, at, reason, name, by, from, to } = one;
  return {
    ...{ id, at: iso(at), reason, name: name || null },
    by: by && { way: by.way, email: by.email || null, token: by.way === 'token' ? by.way_name : null },
    from: formatDay(Math.max(from, range.from) * DAY),
    to: formatDay((Math.min(to, range.to) - 1) * DAY),
    ...(sumChangedDays(db, one, range) ?? { days: null, before: null, after: null }),
  };
}
