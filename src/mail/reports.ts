// The weekly and the monthly report of a site, by mail.
//
// A report is about the last whole week or month in the time zone of the site. A report is due at 07:00 on the first
// day after this week or month. A report compares the week or month with the one before. If a site had no visits in the
// two weeks or months, there is no report.
//
// Example: in Berlin, the report about 5 to 11 January is due on 12 January at 07:00 (06:00 UTC). kinds.ts lists both
// reports.

import type { Coded } from '../lang/coded.ts';
import { computePoints } from '../lib/percent.ts';
import { DAY, HOUR, WEEK } from '../lib/time.ts';
import { findZone, type SiteZone } from '../lib/zone.ts';
import type { Ask } from '../stats/ask.ts';
import { findFirstDay, monthNumber } from '../stats/calendar.ts';
import { findMonday, writeDate } from '../stats/interval.ts';
import { isAnyLeftOut, isAnyUnknown } from '../stats/left-out.ts';
import { findPrevious, type Range } from '../stats/query.ts';
import type { Answers } from '../stats/reports.ts';
import { findDays } from '../stats/site-days.ts';
import { findLastMailing } from '../store/mail/mailings.ts';
import { listGoals, type Target } from '../store/sites/goals.ts';
import { shown } from './figures.ts';
import { FRESH_SECONDS, type MailKind, type Watched } from './kind.ts';
import { type Block, dashboardUrl, type LetterCell } from './letter.ts';
import { explainFigures } from './reason.ts';
import { compareTold, type ReportDetails, sayChanged } from './told-figures.ts';
import type { MailMessage, Voice } from './voice.ts';

const ROWS = 5;
const MOST_GOALS = 10;

/** The time of the day at which a report is due, in the time zone of the site. */
const SEVEN_O_CLOCK = 7 * HOUR;

type InZone = Pick<SiteZone, 'timeZone'>;

/** The differences between the weekly and the monthly report. A day is a number, counted from 1970-01-01. */
type Period = {
  /** Finds the first day of the week or month that contains the given day. */
  firstOf(day: number): number;
  /** The heading of the column with the figures. */
  column: MailMessage;
  subject(domain: string, visitors: number, first: number, voice: Voice): string;
  title(domain: string, first: number, voice: Voice): string;
  /** The sentence that names the days of the report and the days that it compares with. */
  about: MailMessage;
};

/** Finds the last instant at or before `now` at which a report was due: 07:00 in the time zone of the site. */
function dueAt({ firstOf }: Period, now: number, { timeZone }: InZone): number {
  const { localAt, findInstant } = findZone(timeZone);
  const day = Math.floor((localAt(now) - SEVEN_O_CLOCK) / DAY);
  return findInstant(firstOf(day) * DAY + SEVEN_O_CLOCK);
}

/**
 * Finds the week or month of a report, and the one before it. `moment` is when the report was due, such as Monday at
 * 07:00. If the site's time zone was changed later, `moment` may be on Sunday in the new time zone. So the day after
 * `moment` is used. In every time zone, this day lies after the week or month of the report.
 */
function findRanges({ firstOf }: Period, moment: number, { timeZone }: InZone): { range: Range; compared: Range } {
  const to = firstOf(findZone(timeZone).dateAt(moment) + 1);
  const from = firstOf(to - 1);
  return { range: { from, to }, compared: { from: firstOf(from - 1), to: from } };
}

const askOverview = (
  ask: Ask,
  siteId: number,
  ranges: { range: Range; compared: Range },
): Promise<Answers['overview']> => ask({ report: 'overview', siteId, ...ranges, filters: {} });

const isEmpty = ({ visits, previous }: Answers['overview']): boolean => visits === 0 && previous.visits === 0;

function figures(column: MailMessage, { change: changes, previous, ...now }: Answers['overview'], voice: Voice): Block {
  const { t, change, changeInPoints, duration, known, number, percent } = voice;
  const bounces = computePoints(now.bounce_rate, previous.bounce_rate, previous.visits === 0);
  const row = (name: MailMessage, value: string, difference: LetterCell): LetterCell[] => [
    { words: t(name) },
    { words: value },
    difference,
  ];
  return {
    kind: 'table',
    heading: t('Figures'),
    columns: [t(column), t('Change')],
    rows: [
      row('Visitors', number(now.visitors), change(changes.visitors, 1)),
      row('Pageviews', number(now.pageviews), change(changes.pageviews, 1)),
      row('Visits', number(now.visits), change(changes.visits, 1)),
      row('Bounce rate', known(now.bounce_rate, percent), changeInPoints(bounces, -1)),
      row('Visit duration', known(now.visit_duration, duration), change(changes.visit_duration, 1)),
    ],
  };
}

const days = ({ points }: Answers['timeseries'], { t, dayShort }: Voice): Block => ({
  kind: 'bars',
  heading: t('Visitors per day'),
  rows: points.map(({ date, visitors }) => ({ name: dayShort(Date.parse(date) / 1000), value: visitors })),
});

/** Says that the tables lack some of the days. Otherwise a recipient would think that the tables are complete. */
const lacks = (answers: readonly { notices: readonly Coded[] }[], { t }: Voice): Block[] =>
  answers.some(({ notices }) => isAnyLeftOut(notices) || isAnyUnknown(notices))
    ? [{ kind: 'words', words: t('Pages, sources and goals are missing for some of these days.') }]
    : [];

/** Says that some of the days were deleted. Otherwise a recipient would think that these days had no visitors. */
const sayDeleted = (all: readonly (readonly number[])[], { t }: Voice): Block[] =>
  all.flat().length > 0
    ? [
        {
          kind: 'words',
          words: t('Some of these days, or of the days before, were deleted. So their visits are missing.'),
        },
      ]
    : [];

const ranking = (heading: string, none: string, { rows }: Answers['breakdown'], { t, number }: Voice): Block[] =>
  rows.length === 0
    ? []
    : [
        {
          kind: 'table',
          heading,
          columns: [t('Visitors')],
          rows: rows.map(({ value, visitors }) => [{ words: shown(value) || none }, { words: number(visitors) }]),
        },
      ];

/** Writes a goal with its property and depth. Two goals of a site may differ only in the property or the depth. */
export function nameGoal({ value, property, scroll }: Omit<Target, 'type'>, { t, percent }: Voice): string {
  const page = shown(value);
  const target =
    scroll === undefined ? page : t('{target} scrolled to {percent}', { target: page, percent: percent(scroll) });
  if (property === undefined) return target;
  return t('{target} with {name} = {value}', { target, name: property.name, value: shown(property.value) });
}

function goalTable({ goals }: Answers['goals'], voice: Voice): Block[] {
  const { t, known, number, percent } = voice;
  if (goals.length === 0) return [];
  const rows = goals
    .toSorted((one, other) => (other.visitors ?? -1) - (one.visitors ?? -1) || one.id - other.id)
    .slice(0, MOST_GOALS)
    .map((goal) => [
      { words: nameGoal(goal, voice) },
      { words: known(goal.visitors, number) },
      { words: known(goal.conversion_rate, percent) },
    ]);
  return [{ kind: 'table', heading: t('Goals'), columns: [t('Visitors'), t('Rate')], rows }];
}

/**
 * Writes the range for the URL of the dashboard. By default, the dashboard compares a range with an equal number of
 * days just before it. If the report compares with other days, the URL names them.
 */
function dashboardRange(range: Range, compared: Range): string {
  const writeSpan = ({ from, to }: Range) => `${writeDate(from)}~${writeDate(to - 1)}`;
  const isUsual = compared.from === findPrevious(range).from;
  return isUsual ? writeSpan(range) : `${writeSpan(range)}&compare=${writeSpan(compared)}`;
}

/**
 * Makes the function that writes the letter. A letter says which figures of earlier reports have changed
 * (told-figures.ts). For a due report, these changes are stored in `details`. A preview has no `details`, so the
 * changes are computed here.
 */
const makeLetterWriter =
  (name: string, period: Period): MailKind['letter'] =>
  async ({ config, db, ask, queries, imports, log }, site, { at, details, now }, voice) => {
    const { t, dayLong } = voice;
    const { id: siteId, domain, timeZone } = site;
    const ranges = findRanges(period, at, site);
    const { range, compared } = ranges;
    const overview = await askOverview(ask, siteId, ranges);
    if (isEmpty(overview)) return undefined;
    const base = { siteId, range, filters: {} };
    const goals = listGoals(db, siteId);
    const top = (breakdown: 'pages' | 'referrers') => ask({ ...base, report: 'breakdown', breakdown, limit: ROWS });
    const { listDeleted } = await findDays({ db, api: { imports, queries }, site, now });
    const [series, pages, sources, reached, reason, told, deleted] = await Promise.all([
      ask({ ...base, report: 'timeseries' }),
      top('pages'),
      top('referrers'),
      ask({ ...base, report: 'goals', goals }),
      explainFigures({ ask, log }, { siteId, timeZone, range, compared }, voice),
      details
        ? (JSON.parse(details) as ReportDetails)
        : compareTold(ask, siteId, range, findLastMailing(db, siteId, name)),
      Promise.all([range, compared].map(listDeleted)),
    ]);
    const [first, last] = [range.from * DAY, (range.to - 1) * DAY];
    return {
      subject: period.subject(domain, overview.visitors, first, voice),
      title: period.title(domain, first, voice),
      blocks: [
        {
          kind: 'words',
          words: t(period.about, { from: dayLong(first), to: dayLong(last), zone: timeZone }),
        },
        figures(period.column, overview, voice),
        ...sayDeleted(deleted, voice),
        ...reason,
        ...sayChanged(told, voice, (days) => dashboardUrl(config.baseUrl, domain, days)),
        days(series, voice),
        ...lacks([pages, sources, reached], voice),
        ...ranking(t('Top pages'), '/', pages, voice),
        ...ranking(t('Top sources'), t('Direct / unknown'), sources, voice),
        ...goalTable(reached, voice),
      ],
      link: {
        words: t('Open the dashboard'),
        url: dashboardUrl(config.baseUrl, domain, dashboardRange(range, compared)),
      },
    };
  };

type Head = Pick<MailKind, 'name' | 'setting' | 'message'> & { nothing: string };

const makeReport = (head: Head, period: Period): MailKind & Watched => ({
  ...head,
  preview: (now, site) => dueAt(period, now, site),
  /**
   * Returns the instant when the latest report was due. Returns undefined if that is too long ago to send the report.
   */
  round(now, site) {
    const at = dueAt(period, now, site);
    return now - at < FRESH_SECONDS ? at : undefined;
  },
  async due({ ask }, site, { round: at, last }) {
    // After a change of the site's time zone, seven o'clock is another instant, and the report would be due again. So
    // at least half a week must lie between two reports.
    if (last && at - last.at < WEEK / 2) return undefined;
    const ranges = findRanges(period, at, site);
    if (isEmpty(await askOverview(ask, site.id, ranges))) return undefined;
    return { at, details: JSON.stringify(await compareTold(ask, site.id, ranges.range, last)) };
  },
  letter: makeLetterWriter(head.name, period),
});

export const weekly = makeReport(
  {
    name: 'weekly',
    setting: 'weekly_report',
    message: 'weekly',
    nothing: 'no visitors in the last full week (Monday to Sunday) or in the week before',
  },
  {
    firstOf: findMonday,
    column: 'Week',
    subject: (domain, visitors, _first, { plural }) =>
      plural(visitors, '{domain}: {count} visitor last week', '{domain}: {count} visitors last week', { domain }),
    title: (domain, _first, { t }) => t('{domain} last week', { domain }),
    about: '{from} – {to}, compared with the week before. Time zone: {zone}.',
  },
);

export const monthly = makeReport(
  {
    name: 'monthly',
    setting: 'monthly_report',
    message: 'monthly',
    nothing: 'no visitors in the last full month or in the month before',
  },
  {
    firstOf: (day) => findFirstDay(monthNumber(day)),
    column: 'Month',
    subject: (domain, visitors, first, { plural, month }) =>
      plural(visitors, '{domain}: {count} visitor in {month}', '{domain}: {count} visitors in {month}', {
        domain,
        month: month(first),
      }),
    title: (domain, first, { t, month }) => t('{domain} in {month}', { domain, month: month(first) }),
    about: '{from} – {to}, compared with the month before. Time zone: {zone}.',
  },
);
