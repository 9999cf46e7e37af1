// The journal of a site lists everything that changed answers about past days. Each change has a number, and other
// tables store this number. For example, the row of an exclusion has the number of the change that added the exclusion.
// Therefore a report can show the site as it was before a change (store/file/as-of.ts).
//
// Invariant: a change is written in the same transaction as what it describes. Of deleted days, the journal has only
// dates and figures.
//
// Example: on 3 May, an exclusion of days in March is added. The change has the reason `exclusion_added` and these
// days. A minute later, the job of jobs/changes.ts has counted these days. The table `change_day` then has the figures
// of each day before and after the change.

import type { Steps } from '../../lib/steps.ts';
import { DAY } from '../../lib/time.ts';
import type { Db } from '../db.ts';
import type { AuditEntry } from '../people/audit-entries.ts';
import { makeDayFinder } from './zones.ts';

export const CHANGE_REASONS = [
  ...['exclusion_added', 'exclusion_removed', 'import_added', 'import_removed', 'days_removed'],
  ...['late_hits', 'retention'],
  ...['goal_added', 'goal_changed', 'goal_removed', 'setting_changed'],
] as const;
export type ChangeReason = (typeof CHANGE_REASONS)[number];

/**
 * The reasons of changes that do not change how many visitors, visits, pageviews and events a day has. Changes of goals
 * and settings affect only goals and revenue. At the end of the retention, a day loses its hits but keeps its sums.
 */
const UNCOUNTED: readonly ChangeReason[] = [
  ...(['retention', 'goal_added', 'goal_changed', 'goal_removed', 'setting_changed'] as const),
];

/** The reasons of changes that have no author, because they happen without anybody's action. */
const OWN_REASONS = "('late_hits', 'retention')";

export type Figures = { visitors: number; visits: number; pageviews: number; events: number };
export const NO_FIGURES: Figures = { visitors: 0, visits: 0, pageviews: 0, events: 0 };

export const addFigures = (one: Figures, other: Figures): Figures => ({
  visitors: one.visitors + other.visitors,
  visits: one.visits + other.visits,
  pageviews: one.pageviews + other.pageviews,
  events: one.events + other.events,
});

export type ChangedDay = { day: number; before: Figures; after: Figures };

/** The days from `from` up to, but not including, `to`. `addChange` leaves out days that are not over yet. */
type PastDays = { from: number; to: number };

type NewChange = { siteId: number; reason: ChangeReason; name?: string; now: number } & PastDays;

/** Adds a change, and returns its number. Call this function inside the transaction of the change. */
export function addChange(db: Db, { siteId, reason, name = '', from, to, now }: NewChange): number {
  const past = Math.min(to, findToday(db, siteId, now));
  const state = UNCOUNTED.includes(reason) || past <= from ? 'counted' : 'due';
  const sql = 'INSERT INTO change (site_id, at, reason, name, from_day, to_day, state) VALUES (?, ?, ?, ?, ?, ?, ?)';
  return db.run(sql, siteId, now, reason, name, from, Math.max(from, past), state).id;
}

/** All days since 1 January 1970. */
const EVER: PastDays = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** Adds a change about all days of a site, such as a change of a goal or a setting. */
export const addChangeOfAll = (db: Db, change: Omit<NewChange, 'from' | 'to'>): number =>
  addChange(db, { ...change, ...EVER });

export const findToday = (db: Db, siteId: number, now: number): number =>
  makeDayFinder(db, now)(siteId) ?? Math.floor(now / DAY);

/** Finds the number of the latest change of all sites. */
export const findLastChange = (db: Db): number =>
  db.one<{ id: number }>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'change'")?.id ?? 0;

export const findLastChangeOf = (db: Db, siteId: number): number =>
  db.one<{ id: number | null }>('SELECT max(id) AS id FROM change WHERE site_id = ?', siteId)?.id ?? 0;

/**
 * Links the changes after `last` to an entry of the audit log, which says who made them. A caller whose work takes
 * longer than one transaction must give `siteId`, because other people may change other sites meanwhile.
 */
export const linkChanges = (db: Db, entryId: number, last: number, siteId?: number): void => {
  const sql = `UPDATE change SET audit_entry_id = ?
    WHERE id > ? AND audit_entry_id IS NULL AND reason NOT IN ${OWN_REASONS} AND site_id = coalesce(?, site_id)`;
  db.run(sql, entryId, last, siteId ?? null);
};

export type DueChange = PastDays & { id: number; siteId: number; reason: ChangeReason; at: number };

/** Lists the changes whose figures are not counted yet. */
export const listDueChanges = (db: Db): DueChange[] =>
  db.all(`SELECT id, site_id AS siteId, reason, at, from_day AS "from", to_day AS "to" FROM change
    WHERE state = 'due' ORDER BY id`);

/**
 * Stores the figures of the days that a change affects, before and after the change. `days` is undefined if these
 * figures can no longer be counted. Call this function inside a transaction.
 */
export function setChangedDays(db: Db, id: number, days: readonly ChangedDay[] | undefined): void {
  db.run('UPDATE change SET state = ? WHERE id = ?', days ? 'counted' : 'unknown', id);
  for (const { day, before, after } of days ?? []) {
    const sql = 'REPLACE INTO change_day (change_id, day, before, after) VALUES (?, ?, ?, ?)';
    db.run(sql, id, day, JSON.stringify(before), JSON.stringify(after));
  }
}

/** Deletes the figures of changes that were deleted with their site. Each change has a transaction of its own. */
export function* removeDaysOfGone(db: Db): Steps {
  const next = 'SELECT min(change_id) AS id FROM change_day WHERE change_id > ?';
  for (let last = 0; ; ) {
    const id = db.one<{ id: number | null }>(next, last)?.id;
    if (id == null) return;
    last = id;
    if (!db.one('SELECT 1 FROM change WHERE id = ?', id))
      db.write(() => db.run('DELETE FROM change_day WHERE change_id = ?', id));
    yield;
  }
}

export type JournalChange = PastDays & {
  id: number;
  at: number;
  reason: ChangeReason;
  name: string;
  state: 'due' | 'counted' | 'unknown';
  by: Pick<AuditEntry, 'email' | 'way' | 'way_name'> | null;
};

type ChangeRow = Omit<JournalChange, 'by'> & Pick<AuditEntry, 'email' | 'way' | 'way_name'>;

const FIELDS =
  'c.id, c.at, c.reason, c.name, c.from_day AS "from", c.to_day AS "to", c.state, e.email, e.way, e.way_name';

type Asked = PastDays & { after: number; limit: number };

/** Lists the changes with a number above `after` that are about days of a range, the latest first. */
export const listChanges = (db: Db, siteId: number, { from, to, after, limit }: Asked): JournalChange[] =>
  db
    .all<ChangeRow>(
      `SELECT ${FIELDS} FROM change c LEFT JOIN audit_entry e ON e.id = c.audit_entry_id
       WHERE c.site_id = ? AND c.id > ? AND c.from_day < ? AND c.to_day > ? AND c.to_day > c.from_day
       ORDER BY c.id DESC LIMIT ?`,
      ...[siteId, after, to, from, limit],
    )
    .map(({ email, way, way_name, ...change }) => ({ ...change, by: way === null ? null : { email, way, way_name } }));

export type ChangedSums = { days: number; before: Figures; after: Figures };

const SUMS = ['before', 'after'].map((moment) => {
  const sums = Object.keys(NO_FIGURES).map((name) => `'${name}', coalesce(sum(${moment} ->> '${name}'), 0)`);
  return `json_object(${sums.join(', ')}) AS ${moment}`;
});

/**
 * Adds up the figures of the days that a change affects, without days outside of the range. Returns undefined if these
 * figures are not counted. Two years of days take some milliseconds.
 */
export function sumChangedDays(db: Db, { id, state }: JournalChange, { from, to }: PastDays): ChangedSums | undefined {
  if (state !== 'counted') return undefined;
  const sql = `SELECT count(*) AS days, ${SUMS.join(', ')} FROM change_day WHERE change_id = ? AND day >= ? AND day < ?`;
  const { days, before, after } = db.one(sql, id, from, to) as { days: number; before: string; after: string };
  return { days, before: JSON.parse(before) as Figures, after: JSON.parse(after) as Figures };
}

/**
 * A lost day: it can no longer be counted as it was between the changes `since` and `until`. With `hasSums`, the day
 * still has its sums, and only its hits are deleted. `figures` are the last figures of the day, without excluded
 * visits. `figures` is null if the last figures are not known.
 */
type LostDay = { siteId: number; day: number; since: number; hasSums: boolean; figures: Figures | null };

export function addLostDay(db: Db, { siteId, day, since, hasSums, figures }: LostDay, until: number): void {
  const sql = 'REPLACE INTO lost_day (site_id, day, since, until, has_sums, figures) VALUES (?, ?, ?, ?, ?, ?)';
  db.run(sql, siteId, day, since, until, hasSums ? 1 : 0, figures && JSON.stringify(figures));
}

/**
 * Lists the days of a range that were deleted at the time `now` or earlier. A listed day may have hits again, for
 * example from a later import.
 */
export const listDeletedDays = (db: Db, siteId: number, { from, to }: PastDays, now = LATEST): number[] =>
  db
    .all<{ day: number }>(
      `SELECT DISTINCT l.day FROM lost_day l JOIN change c ON c.id = l.until
       WHERE l.site_id = ? AND l.day >= ? AND l.day < ? AND c.reason = 'days_removed' AND c.at <= ?
       ORDER BY l.day`,
      ...[siteId, from, to, now],
    )
    .map(({ day }) => day);

const LATEST = Number.MAX_SAFE_INTEGER;

/**
 * Late hits of a day add changes to the journal. Finds the latest of these changes whose figures are not counted yet.
 */
export const findDueLate = (db: Db, siteId: number, day: number): { id: number; at: number } | undefined =>
  db.one(`SELECT id, at FROM change WHERE ${DUE_LATE} ORDER BY id DESC LIMIT 1`, siteId, day);

const DUE_LATE = "state = 'due' AND reason = 'late_hits' AND site_id = ? AND from_day = ?";

/**
 * If the first hits of an open day came late, finds the change that these hits added to the journal. A report that
 * shows the site as it was before this change must not count the day. Returns 0 if the first hits arrived in time.
 */
export const findFirstHits = (db: Db, siteId: number, day: number): number =>
  db.one<{ id: number }>(
    `SELECT id FROM change WHERE ${DUE_LATE}
     AND NOT EXISTS (SELECT 1 FROM lost_day WHERE site_id = change.site_id AND until = change.id) ORDER BY id LIMIT 1`,
    siteId,
    day,
  )?.id ?? 0;

/**
 * True if later changes have deleted days that the figures of a change need. Then these figures can no longer be
 * counted.
 */
export const hasLostDays = (db: Db, { id, siteId, from, to }: Omit<DueChange, 'reason' | 'at'>): boolean =>
  db.one(
    `SELECT 1 FROM lost_day WHERE site_id = ? AND day >= ? AND day < ? AND until > ? AND since <= ? AND has_sums = 0`,
    siteId,
    from,
    to,
    id,
    id,
  ) !== undefined;

/** Lists the days that a change deleted, with their last figures. */
export const listLostFigures = (db: Db, changeId: number, siteId: number): Map<number, Figures | null> =>
  new Map(
    db
      .all<{ day: number; figures: string | null }>(
        'SELECT day, figures FROM lost_day WHERE site_id = ? AND until = ? AND has_sums = 0',
        siteId,
        changeId,
      )
      .map(({ day, figures }) => [day, figures === null ? null : (JSON.parse(figures) as Figures)]),
  );
