// The message about custom alerts of a site. It names the alerts whose condition was met on the day before, such as
// "fewer than 10 visitors".
//
// Shortly after midnight in the site's time zone, each alert is checked for the day that has ended. One message has all
// alerts whose condition was met, and is stored with their values. So each try to send it has equal content, even after
// a restart.
//
// The condition `unusual` compares the day with the same weekday of the last 8 weeks (src/stats/unusual.ts). The
// figures of at least 4 of these 8 days must be known. Otherwise the condition is not met. The figures of a deleted day
// are not known. If the day had an outage, a low figure meets no condition, because hits are missing.
//
// Example: Tuesday had 4 visitors. The condition "below 10" is met, so a message follows on Wednesday at 00:01.
// kinds.ts lists the message.

import { DAY } from '../lib/time.ts';
import { findSiteDay, findZone } from '../lib/zone.ts';
import type { Ask } from '../stats/ask.ts';
import type { Reason } from '../stats/difference.ts';
import { writeDate } from '../stats/interval.ts';
import type { Filters, Of, Range } from '../stats/query.ts';
import { type Compared, compared, isUnusual, LEAST_WEEKS, WEEKS } from '../stats/unusual.ts';
import type { Db } from '../store/db.ts';
import type { MailedSite } from '../store/mail/mailings.ts';
import { listOutages } from '../store/server/outages.ts';
import { type Alert, type AlertCondition, type AlertMetric, listAlerts } from '../store/sites/alerts.ts';
import { listDeletedDays } from '../store/sites/changes.ts';
import { findGoal } from '../store/sites/goals.ts';
import type { MailKind, Sources, Watched } from './kind.ts';
import { type Block, dashboardUrl } from './letter.ts';
import { findReason, writeReason } from './reason.ts';
import type { MailMessage, Voice } from './voice.ts';

/**
 * An alert whose condition was met. `usual` is null unless the condition is `unusual`. `reason` has the visitors that
 * make up most of the difference to the same weekday of an earlier week.
 */
type Held = Pick<Alert, 'name' | 'metric' | 'condition' | 'threshold'> & {
  value: number;
  usual: number | null;
  reason?: Reason | undefined;
};
type Details = { day: number; held: Held[] };

/** Returns the last day that is over. Each alert is checked once for this day. */
export const round = (now: number, site: MailedSite): number => findSiteDay(site, now) - 1;

export const due: Watched['due'] = async (sources, site, { round: day, last }) => {
  // The site may have changed its time zone since the last message. Then the end of the same day is another instant. So
  // the days are compared, and not the instants of the messages.
  if (last?.details && (JSON.parse(last.details) as Details).day >= day) return undefined;
  const held = await findHeld(sources, site, day);
  const at = findZone(site.timeZone).findStart(day + 1);
  return held.length === 0 ? undefined : { at, details: JSON.stringify({ day, held } satisfies Details) };
};

async function findHeld(sources: Sources, site: MailedSite, day: number): Promise<Held[]> {
  const { findStart } = findZone(site.timeZone);
  const [start, end] = [findStart(day), findStart(day + 1)];
  const alerts = listAlerts(sources.db, site.id).filter(({ created_at }) => created_at < end);
  if (alerts.length === 0) return [];
  const isComplete = !hasOutage(sources.db, start, end);
  const isCompared = alerts.some(({ condition }) => condition === 'unusual');
  const firstDay = isCompared ? await findFirstDay(sources.ask, site, day) : '';
  const deleted = new Set(listDeletedDays(sources.db, site.id, { from: day - WEEKS * 7, to: day + 1 }));
  const held: Held[] = [];
  for (const alert of alerts) {
    const values = await readValues(sources, site, alert, day);
    const known = { day, firstDay, isComplete, deleted };
    const found = holds(alert, values, known);
    if (found) held.push({ ...found, reason: await explain(sources, site, alert, { ...known, ...found }) });
  }
  return held;
}

/** Tells whether there was an outage of at least a minute. Shorter outages are not stored. */
const hasOutage = (db: Db, start: number, end: number): boolean => listOutages(db, start, end).length > 0;

/**
 * Lists the days with the weekday of `day` in the 8 weeks before, the newest first. Days before `firstDay` are left
 * out.
 */
const listDays = ({ day, firstDay }: Pick<Known, 'day' | 'firstDay'>): number[] =>
  Array.from({ length: WEEKS }, (_, week) => day - (week + 1) * 7).filter(
    (one) => firstDay !== '' && writeDate(one) >= firstDay,
  );

/**
 * Finds the first day with a visitor in the last 8 weeks. The days before this day say nothing about what is usual,
 * because the site was not in use.
 */
async function findFirstDay(ask: Ask, { id: siteId, timeZone }: MailedSite, day: number): Promise<string> {
  const range = { from: day - WEEKS * 7, to: day + 1 };
  const { rows } = await ask({ ...TABLE, siteId, timeZone, range, filters: {}, metrics: [] });
  return rows.map(({ by: [date] }) => String(date)).sort()[0] ?? '';
}

const TABLE = { report: 'table', by: ['day'], offset: 0, limit: WEEKS * 7 + 1 } as const satisfies Partial<Of<'table'>>;

/**
 * Reads the alert's metric for the day, and for the earlier days to compare with. Returns a function that finds the
 * value of a day. The value is 0 if the answer to the query lacks the day.
 */
async function readValues(
  { db, ask }: Sources,
  { id: siteId, timeZone }: MailedSite,
  { metric, goal_id: goalId, filters, condition }: Alert,
  day: number,
): Promise<(day: number) => number> {
  const range = { from: condition === 'unusual' ? day - WEEKS * 7 : day, to: day + 1 };
  const goal = goalId === null ? undefined : findGoal(db, siteId, goalId);
  const metrics = metric === 'visitors' ? [] : [metric];
  const { rows } = await ask({ ...TABLE, siteId, timeZone, range, filters: filters as Filters, metrics, goal });
  const values = new Map(rows.map(({ by: [date], metrics }) => [date, Number(metrics[metric] ?? 0)]));
  return (one) => values.get(writeDate(one)) ?? 0;
}

type Known = { day: number; firstDay: string; isComplete: boolean; deleted: ReadonlySet<number> };

function holds(
  alert: Alert,
  findValue: (day: number) => number,
  { day, firstDay, isComplete, deleted }: Known,
): Held | undefined {
  const { name, metric, condition, threshold } = alert;
  const value = findValue(day);
  const isLost = (one: number) => deleted.has(one) && findValue(one) === 0;
  const days = listDays({ day, firstDay }).filter((one) => !isLost(one));
  const usual =
    condition === 'unusual' && days.length >= LEAST_WEEKS ? compared(value, days.map(findValue)) : undefined;
  if (!CONDITIONS[condition]({ value, threshold: threshold ?? 0, usual, isComplete })) return undefined;
  return { name, metric, condition, threshold, value, usual: usual?.usual ?? null };
}

/**
 * Explains an unusual figure by a group of visitors whose own figure grew or shrank. The day is compared with the same
 * weekday of an earlier week. Example: a script counts each page twice, so there are 100 % more pageviews of all
 * visitors. Then no group is the reason.
 */
async function explain(
  sources: Sources,
  { id: siteId, timeZone }: MailedSite,
  { metric, goal_id: goalId, filters }: Alert,
  { value, usual, ...known }: Known & Held,
): Promise<Reason | undefined> {
  const [before] = listDays(known).filter((one) => !known.deleted.has(one));
  if (usual === null || before === undefined) return undefined;
  const goal = goalId === null ? undefined : findGoal(sources.db, siteId, goalId);
  const [range, compared] = [known.day, before].map((from) => ({ from, to: from + 1 })) as [Range, Range];
  const direction = Math.sign(value - usual);
  const by = metric === 'visits' || metric === 'pageviews' ? metric : undefined;
  return findReason(sources, { siteId, timeZone, range, compared, filters: filters as Filters, goal, by, direction });
}

type Measured = { value: number; threshold: number; usual: Compared | undefined; isComplete: boolean };

const CONDITIONS: Record<AlertCondition, (measured: Measured) => boolean> = {
  above: ({ value, threshold }) => value > threshold,
  below: ({ value, threshold, isComplete }) => value < threshold && isComplete,
  unusual: ({ value, usual, isComplete }) =>
    usual !== undefined && isUnusual(usual) && (value > usual.usual || isComplete),
};

const METRIC_NAMES: Record<AlertMetric, MailMessage> = {
  visitors: 'Visitors',
  visits: 'Visits',
  pageviews: 'Pageviews',
  conversions: 'Conversions',
};

/** Writes the message. A preview has no stored values, so its alerts are checked now. */
export const letter: MailKind['letter'] = async (sources, site, { details, now }, voice) => {
  const { t, plural, number, dayShort } = voice;
  const { domain } = site;
  const yesterday = round(now, site);
  const { day, held }: Details = details
    ? JSON.parse(details)
    : { day: yesterday, held: await findHeld(sources, site, yesterday) };
  const [first] = held;
  if (!first) return undefined;
  const subject =
    held.length === 1
      ? t('{domain}: {name}', { domain, name: first.name })
      : plural(held.length, '{domain}: {count} custom alert', '{domain}: {count} custom alerts', { domain });
  const date = writeDate(day);
  return {
    subject,
    title: subject,
    blocks: [
      {
        kind: 'table',
        heading: dayShort(day * DAY),
        columns: [t('This day'), t('Limit')],
        rows: held.map((one) => [
          { words: `${one.name} (${t(METRIC_NAMES[one.metric])})` },
          { words: number(one.value) },
          { words: writeLimit(one, voice) },
        ]),
      },
      ...writeReasons(held, voice),
      { kind: 'words', words: t('You set up these alerts in the settings of the site.') },
    ],
    link: { words: t('Open this day'), url: dashboardUrl(sources.config.baseUrl, domain, `${date}~${date}`) },
  };
};

const writeReasons = (held: readonly Held[], voice: Voice): Block[] =>
  held.flatMap(({ name, reason }) => {
    if (!reason) return [];
    const words = writeReason(reason, voice);
    return [{ kind: 'words', words: held.length === 1 ? words : voice.t('{name}: {reason}', { name, reason: words }) }];
  });

function writeLimit({ condition, threshold, usual }: Held, { t, number, decimal }: Voice): string {
  if (condition === 'unusual') return t('usual: {usual}', { usual: decimal(usual ?? 0) });
  const limit = number(threshold ?? 0);
  return condition === 'above' ? t('above {limit}', { limit }) : t('below {limit}', { limit });
}
