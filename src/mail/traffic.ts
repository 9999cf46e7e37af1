// The alert that a site has far more visitors than usual.
//
// The last complete hour is compared with the same hour of this weekday in the last 8 weeks. The day up to the end of
// this hour is compared with the last 8 days of this weekday (src/stats/unusual.ts). An alert begins if the hour has
// more visitors than usual, and the hour or the day has far more. The alert ends with the first hour that does not have
// more than usual. So one wave of visitors causes one mail.
//
// Example: a post on another site sends 900 visitors between 14:00 and 15:00. 40 visitors are usual at this time. The
// mail is sent at 15:00 and names the source and the page. kinds.ts lists the alert.

import { DAY, formatDay, HOUR } from '../lib/time.ts';
import { findSiteDay, findZone, type SiteZone, type Zone } from '../lib/zone.ts';
import type { Ask } from '../stats/ask.ts';
import type { Compared as ComparedDays, Range } from '../stats/query.ts';
import { makeSuggestQuery } from '../stats/suggestion.ts';
import { type Compared, compared, isAbove, isFarAbove } from '../stats/unusual.ts';
import { shown } from './figures.ts';
import type { MailKind, Watched } from './kind.ts';
import { type Block, dashboardUrl } from './letter.ts';
import { explainChange } from './reason.ts';
import { suggested } from './suggested.ts';
import { arrivalsBetween, type HistorySource, readHistory, weeksBefore } from './usual.ts';
import type { MailMessage, Voice } from './voice.ts';

/**
 * The visitors of an hour and of its day, each with the usual number. `hour` is the first second of the hour. `ofDay`
 * counts from the beginning of the day to the end of this hour.
 */
export type Traffic = { hour: number; ofHour: Compared; ofDay: Compared };

export function lastHour(now: number, { timeZone }: Pick<SiteZone, 'timeZone'>): number {
  const { hourAt } = findZone(timeZone);
  return hourAt(hourAt(now) - 1);
}

/**
 * Tells whether an hour has its usual length. When the clocks change, an hour may come twice or be cut short. Such an
 * hour has more or fewer visitors than other hours, so it must not be compared.
 */
export function isWhole(timeZone: string, hour: number): boolean {
  const { localAt, findInstant, hourAt } = findZone(timeZone);
  const [local, end] = [localAt(hour), hour + HOUR];
  return findInstant(local) === hour && hourAt(end) === end && Math.floor(localAt(end) / HOUR) > local / HOUR;
}

export const begins = ({ ofHour, ofDay }: Traffic): boolean =>
  isAbove(ofHour) && (isFarAbove(ofHour) || isFarAbove(ofDay));

export const isOver = ({ ofHour }: Traffic): boolean => !isAbove(ofHour);

export const due: Watched['due'] = async (sources, site, { round: hour, last }) => {
  if (!isWhole(site.timeZone, hour)) return undefined;
  const traffic = await measureTraffic(sources, site, hour);
  if (last?.endedAt === null) return !traffic || isOver(traffic) ? 'over' : undefined;
  return traffic && begins(traffic) ? { at: hour } : undefined;
};

export const letter: MailKind['letter'] = async (sources, site, { at: hour }, voice) => {
  const { config, ask, queries } = sources;
  const { id: siteId, domain, timeZone } = site;
  const { t } = voice;
  const traffic = await measureTraffic(sources, site, hour);
  const day = findSiteDay(site, hour);
  const date = formatDay(day * DAY);
  const alike = await queries.suggestExclusions(makeSuggestQuery(site, day, hour + HOUR));
  const isUnusual = traffic !== undefined && begins(traffic);
  const { subject, title } = HEADS[isUnusual ? 'unusual' : 'other'];
  return {
    subject: t(subject, { domain }),
    title: t(title, { domain }),
    blocks: [
      ...comparison(traffic, findZone(site.timeZone), hour, voice),
      ...causes(await grownMost(ask, siteId, day), isUnusual, voice),
      ...(isUnusual
        ? await explainChange(sources, { siteId, timeZone, ...compareDay(day, hour), direction: 1 }, voice)
        : []),
      ...suggested(domain, alike, voice),
      { kind: 'words', words: t('You will get no further alert until traffic is normal again.') },
    ],
    link: { words: t('Open this day'), url: dashboardUrl(config.baseUrl, domain, `${date}~${date}`) },
  };
};

/**
 * Returns the ranges that compare a day with the same weekday of the week before. Both days count only up to the end of
 * the hour.
 */
function compareDay(day: number, hour: number): { range: Range; compared: ComparedDays } {
  const from = day - DAYS_OF_WEEK;
  return { range: { from: day, to: day + 1 }, compared: { from, to: from + 1, until: hour + HOUR - day * DAY } };
}

/**
 * Counts the visitors of an hour and of its day, and their usual numbers. Returns undefined if the site has fewer than
 * 4 weeks to compare with.
 */
async function measureTraffic(
  source: HistorySource,
  site: { id: number } & SiteZone,
  hour: number,
): Promise<Traffic | undefined> {
  const history = await readHistory(source, site, hour);
  const local = findZone(site.timeZone).localAt(hour);
  const before = weeksBefore(history, local);
  if (before.length === 0) return undefined;
  const inHour = (at: number) => history.at(at).visitors;
  const inDay = (at: number) => arrivalsBetween(history, at - (at % DAY), at + HOUR);
  return {
    hour,
    ofHour: compared(inHour(local), before.map(inHour)),
    ofDay: compared(inDay(local), before.map(inDay)),
  };
}

const DAYS_OF_WEEK = 7;

const CAUSES = [
  { breakdown: 'referrers', named: 'Source: {value}' },
  { breakdown: 'pages', named: 'Page: {value}' },
  { breakdown: 'utm_campaign', named: 'Campaign: {value}' },
] as const;
const USUAL_DAYS = 28;
/**
 * How many sources, pages or campaigns are read: the ones with the most visitors. All others had hardly any visitors,
 * so they cannot explain an alert.
 */
const MOST_KNOWN = 1_000;

type Cause = (typeof CAUSES)[number];
type Grown = Cause & { value: string; now: number; usual: number };

/**
 * Finds the source, the page and the campaign that grew most. Growth is the visitors of the day, minus the visitors of
 * an average day in the four weeks before.
 */
async function grownMost(ask: Ask, siteId: number, day: number): Promise<Grown[]> {
  const all = await Promise.all(
    CAUSES.map(async (cause) => {
      const { breakdown } = cause;
      const base = { report: 'breakdown', breakdown, siteId, filters: {}, limit: MOST_KNOWN } as const;
      const readRows = (from: number, to: number) => ask({ ...base, range: { from, to } });
      const [now, before] = await Promise.all([readRows(day, day + 1), readRows(day - USUAL_DAYS, day)]);
      const usual = new Map(before.rows.map(({ value, visitors }) => [value, visitors / USUAL_DAYS]));
      const grown = now.rows.map(({ value, visitors }) => ({
        ...cause,
        value,
        now: visitors,
        usual: usual.get(value) ?? 0,
      }));
      return grown
        .filter((one) => one.now > one.usual)
        .sort((one, other) => other.now - other.usual - (one.now - one.usual))
        .slice(0, 1);
    }),
  );
  return all.flat();
}

const writeLabel = ({ breakdown, value }: Grown, { t }: Voice): string =>
  shown(value) || (breakdown === 'referrers' ? t('Direct / unknown') : '/');

function likely(source: string | undefined, page: string | undefined, { t }: Voice): string {
  if (source === undefined) return t('Most likely cause: visitors to the page {page}.', { page: page ?? '/' });
  if (page === undefined) return t('Most likely cause: visitors from {source}.', { source });
  return t('Most likely cause: visitors from {source} to the page {page}.', { source, page });
}

function causes(grown: readonly Grown[], isUnusual: boolean, voice: Voice): Block[] {
  const { t, number, decimal } = voice;
  const labels = grown.map((one) => ({ ...one, label: writeLabel(one, voice) }));
  const labelBy = (by: Cause['breakdown']) => labels.find(({ breakdown }) => breakdown === by)?.label;
  const [source, page] = [labelBy('referrers'), labelBy('pages')];
  if (source === undefined && page === undefined) return [];
  return [
    ...(isUnusual ? [{ kind: 'words' as const, words: likely(source, page, voice) }] : []),
    {
      kind: 'table',
      heading: t('Biggest increase'),
      columns: [t('This day'), t('Usual day')],
      rows: labels.map(({ named, label, now, usual }) => [
        { words: t(named, { value: label }) },
        { words: number(now) },
        { words: decimal(usual) },
      ]),
    },
  ];
}

const row = (name: string, { now, usual }: Compared, { number, decimal }: Voice) => [
  { words: name },
  { words: number(Math.round(now)) },
  { words: decimal(usual) },
];

function comparison(traffic: Traffic | undefined, zone: Zone, hour: number, voice: Voice): Block[] {
  const { t, plural, dayIn, weekdayIn, hourIn, decimal } = voice;
  if (!traffic)
    return [
      { kind: 'words', words: t('There is nothing to compare with yet. A comparison needs four weeks with visitors.') },
    ];
  const { ofHour, ofDay } = traffic;
  const hours = hourIn(zone, hour);
  return [
    {
      kind: 'words',
      words: plural(
        ofHour.now,
        '{day}, {hours}: {count} visitor. Usual at this hour on a {weekday}: {usual}.',
        '{day}, {hours}: {count} visitors. Usual at this hour on a {weekday}: {usual}.',
        { day: dayIn(zone, hour), hours, weekday: weekdayIn(zone, hour), usual: decimal(ofHour.usual) },
      ),
    },
    {
      kind: 'table',
      heading: t('Visitors'),
      columns: [t('Now'), t('Usual')],
      rows: [row(t('Hour {hours}', { hours }), ofHour, voice), row(t('Day so far'), ofDay, voice)],
    },
  ];
}

/** The subject and the title: `unusual` for an alert, `other` for a preview of a site with usual traffic. */
const HEADS: Record<'unusual' | 'other', { subject: MailMessage; title: MailMessage }> = {
  unusual: {
    subject: '{domain}: far more visitors than usual',
    title: '{domain} has far more visitors than usual',
  },
  other: { subject: '{domain}: visitors in the last hour', title: '{domain} in the last hour' },
};
