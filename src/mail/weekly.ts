import { plural } from '../lib/plural.ts';
import { DAY, dayOf, HOUR, WEEK } from '../lib/time.ts';
import type { Ask } from '../stats/ask.ts';
import type { Answers } from '../stats/reports.ts';
import type { Target } from '../store/goals.ts';
import { change, dayLong, dayShort, duration, number, percent, shown } from './figures.ts';
import type { Block, Cell, Letter } from './letter.ts';

const WEEK_DAYS = 7;
const ROWS = 5;
const MOST_GOALS = 10;

/** At this second of Monday the report of the week before is made. */
const SEVEN_O_CLOCK = 7 * HOUR;

/** The latest moment at which a report was to be made. 1970 began on a Thursday. */
export function reportMoment(now: number): number {
  const monday = 4 * DAY + SEVEN_O_CLOCK;
  return now - ((((now - monday) % WEEK) + WEEK) % WEEK);
}

export type Subject = { siteId: number; domain: string; baseUrl: string; goals: readonly (Target & { id: number })[] };

const dashboard = ({ baseUrl, domain }: Subject, from: number, to: number): string =>
  `${baseUrl}/sites/${encodeURIComponent(domain)}?range=${dayOf(from * DAY)}~${dayOf((to - 1) * DAY)}`;

function figures({ change: changes, ...now }: Answers['overview']): Block {
  const row = (name: string, value: string, difference: Cell): Cell[] => [
    { words: name },
    { words: value },
    difference,
  ];
  return {
    kind: 'table',
    heading: 'Figures',
    columns: ['Week', 'Change'],
    rows: [
      row('Visitors', number(now.visitors), change(changes.visitors, 1)),
      row('Pageviews', number(now.pageviews), change(changes.pageviews, 1)),
      row('Visits', number(now.visits), change(changes.visits, 1)),
      row('Bounce rate', percent(now.bounce_rate), change(changes.bounce_rate, -1)),
      row('Visit duration', duration(now.visit_duration), change(changes.visit_duration, 1)),
    ],
  };
}

const days = ({ points }: Answers['timeseries']): Block => ({
  kind: 'bars',
  heading: 'Visitors by day',
  rows: points.map(({ date, visitors }) => ({ name: dayShort(Date.parse(date) / 1000), value: visitors })),
});

const ranking = (heading: string, none: string, { rows }: Answers['breakdown']): Block[] =>
  rows.length === 0
    ? []
    : [
        {
          kind: 'table',
          heading,
          columns: ['Visitors'],
          rows: rows.map(({ value, visitors }) => [{ words: shown(value) || none }, { words: number(visitors) }]),
        },
      ];

const goalTable = ({ goals }: Answers['goals']): Block[] =>
  goals.length === 0
    ? []
    : [
        {
          kind: 'table',
          heading: 'Goals',
          columns: ['Visitors', 'Rate'],
          rows: goals
            .toSorted((one, other) => other.visitors - one.visitors || one.id - other.id)
            .slice(0, MOST_GOALS)
            .map(({ value, visitors, conversion_rate }) => [
              { words: shown(value) },
              { words: number(visitors) },
              { words: percent(conversion_rate) },
            ]),
        },
      ];

/** The report of the seven days before the day of a moment; undefined where nobody came in them nor in those before. */
export async function weeklyLetter(ask: Ask, subject: Subject, moment: number): Promise<Letter | undefined> {
  const to = Math.floor(moment / DAY);
  const base = { siteId: subject.siteId, range: { from: to - WEEK_DAYS, to }, filters: {} };
  const overview = (await ask({ ...base, report: 'overview' })) as Answers['overview'];
  if (overview.visits === 0 && overview.previous.visits === 0) return undefined;
  const top = (breakdown: 'pages' | 'referrers') =>
    ask({ ...base, report: 'breakdown', breakdown, limit: ROWS }) as Promise<Answers['breakdown']>;
  const [series, pages, sources, goals] = await Promise.all([
    ask({ ...base, report: 'timeseries' }) as Promise<Answers['timeseries']>,
    top('pages'),
    top('referrers'),
    ask({ ...base, report: 'goals', goals: [...subject.goals] }) as Promise<Answers['goals']>,
  ]);
  const span = `${dayLong(base.range.from * DAY)} – ${dayLong((to - 1) * DAY)}`;
  return {
    subject: `${subject.domain}: ${plural(overview.visitors, 'visitor', number)} last week`,
    title: `${subject.domain} last week`,
    blocks: [
      { kind: 'words', words: `${span}, compared with the week before. Days are UTC days.` },
      figures(overview),
      days(series),
      ...ranking('Top pages', '/', pages),
      ...ranking('Top sources', 'Direct / unknown', sources),
      ...goalTable(goals),
    ],
    link: { words: 'Open the dashboard', url: dashboard(subject, base.range.from, to) },
  };
}
