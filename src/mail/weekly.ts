import { pointsBetween } from '../lib/percent.ts';
import { plural } from '../lib/plural.ts';
import { DAY, dayOf, HOUR, WEEK } from '../lib/time.ts';
import { type SiteZone, zoneOf } from '../lib/zone.ts';
import type { Ask } from '../stats/ask.ts';
import type { Range } from '../stats/question.ts';
import type { Answers } from '../stats/reports.ts';
import { listGoals } from '../store/goals.ts';
import { change, changeInPoints, dayLong, dayShort, duration, number, percent, shown } from './figures.ts';
import { FRESH_SECONDS, type Kind, type Watched } from './kind.ts';
import { type Block, type Cell, dashboardUrl } from './letter.ts';

const WEEK_DAYS = 7;
const ROWS = 5;
const MOST_GOALS = 10;

/** The second of Monday at which the report of the week before is due. */
const SEVEN_O_CLOCK = 7 * HOUR;

type InZone = Pick<SiteZone, 'timeZone'>;

/** When a report was due last, by the clocks of the site. 1970 began on a Thursday. */
export function reportMoment(now: number, { timeZone }: InZone): number {
  const { localAt, instantOf } = zoneOf(timeZone);
  const monday = 4 * DAY + SEVEN_O_CLOCK;
  const local = localAt(now);
  return instantOf(local - ((((local - monday) % WEEK) + WEEK) % WEEK));
}

/** The report of a Monday, as long as that is fresh. */
export function round(now: number, site: InZone): number | undefined {
  const at = reportMoment(now, site);
  return now - at < FRESH_SECONDS ? at : undefined;
}

/** The seven days before the day of a moment. */
function weekBefore(moment: number, { timeZone }: InZone): Range {
  const to = zoneOf(timeZone).dateAt(moment);
  return { from: to - WEEK_DAYS, to };
}

const overviewOf = (ask: Ask, siteId: number, range: Range): Promise<Answers['overview']> =>
  ask({ report: 'overview', siteId, range, filters: {} });

/** Nobody came, nor in the week before. */
const isEmpty = ({ visits, previous }: Answers['overview']): boolean => visits === 0 && previous.visits === 0;

export const due: Watched['due'] = async ({ ask }, site, { round: monday, last }) => {
  // Where the zone was changed since, the same Monday has another seven o'clock.
  if (last && monday - last.at < WEEK / 2) return undefined;
  if (isEmpty(await overviewOf(ask, site.id, weekBefore(monday, site)))) return undefined;
  return { at: monday };
};

function figures({ change: changes, previous, ...now }: Answers['overview']): Block {
  const bounces = pointsBetween(now.bounce_rate, previous.bounce_rate, previous.visits === 0);
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
      row('Bounce rate', percent(now.bounce_rate), changeInPoints(bounces, -1)),
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

export const letter: Kind['letter'] = async ({ config, db, ask }, site, { at }) => {
  const { id: siteId, domain, timeZone } = site;
  const range = weekBefore(at, site);
  const overview = await overviewOf(ask, siteId, range);
  if (isEmpty(overview)) return undefined;
  const base = { siteId, range, filters: {} };
  const goals = listGoals(db, siteId);
  const top = (breakdown: 'pages' | 'referrers') => ask({ ...base, report: 'breakdown', breakdown, limit: ROWS });
  const [series, pages, sources, reached] = await Promise.all([
    ask({ ...base, report: 'timeseries' }),
    top('pages'),
    top('referrers'),
    ask({ ...base, report: 'goals', goals }),
  ]);
  const [first, last] = [range.from * DAY, (range.to - 1) * DAY];
  return {
    subject: `${domain}: ${plural(overview.visitors, 'visitor', number)} last week`,
    title: `${domain} last week`,
    blocks: [
      {
        kind: 'words',
        words: `${dayLong(first)} – ${dayLong(last)}, compared with the week before. Days are ${timeZone} days.`,
      },
      figures(overview),
      days(series),
      ...ranking('Top pages', '/', pages),
      ...ranking('Top sources', 'Direct / unknown', sources),
      ...goalTable(reached),
    ],
    link: {
      words: 'Open the dashboard',
      url: dashboardUrl(config.baseUrl, domain, `${dayOf(first)}~${dayOf(last)}`),
    },
  };
};
