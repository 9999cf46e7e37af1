// Computes the figures of each report with SQL, in the form in which daybook answers them.

import { crossed } from './crossed.ts';
import { BY_HIT, BY_VISIT, before, FUNNELS, GOALS, type Question, type Report } from './questions.ts';
import { type Asked, numbers, percent, rounded } from './result.ts';
import { breakdown, pageRows, visitRows } from './rows.ts';
import { timeseries } from './series.ts';
import { attributes, counted, hits, quoted, reachesAny, type Selection, selection, visits } from './sql.ts';

const hasPage = (chosen: Selection): chosen is Selection & { page: string } => chosen.page !== undefined;

/** Adds up the seconds for which pages were visible, and counts the pageviews whose seconds are known. */
const times = (chosen: Selection): string =>
  ['coalesce(sum(engaged), 0)', 'count(*)']
    .map((sum) => `, (SELECT ${sum} FROM ${counted(chosen, ["event = ''", 'engaged > 0'])})`)
    .join('');

/**
 * Selects one row with six totals, and one with the two sums of times. With a page filter, every selected visit has a
 * hit that counts.
 */
function totals({ dialect, question }: Asked, part: number, chosen: Selection): string {
  const { distinct, viewsBy } = dialect;
  const [views, from] = hasPage(chosen)
    ? ['views', `visit JOIN (${viewsBy(chosen)}) AS viewed ON visit.id = viewed.visit`]
    : ['pageviews', visits(chosen)];
  return `SELECT ${part} AS part, ${distinct('visitor')}, coalesce(sum(${views}), 0), count(*),
    count(*) FILTER (WHERE pageviews = 1 AND events = 0), coalesce(sum(seconds), 0)
    ${question.metrics ? times(chosen) : ''} FROM ${from}`;
}

async function overview(asked: Asked, chosen: Selection) {
  const { run, question, span } = asked;
  const earlier = selection(question, before(span), GOALS);
  const found = (await run(`${totals(asked, 0, chosen)} UNION ALL ${totals(asked, 1, earlier)}`)).map(numbers);
  const figures = (part: number) => {
    const [, visitors = 0, pageviews = 0, all = 0, bounces = 0, seconds = 0, seen = 0, told = 0] =
      found.find(([i]) => i === part) ?? [];
    return {
      visitors,
      pageviews,
      visits: all,
      bounce_rate: percent(bounces, all, 1),
      visit_duration: all === 0 ? 0 : rounded(seconds / all),
      ...(question.metrics && { time_on_page: told === 0 ? null : rounded(seen / told) }),
    };
  };
  const [now, previous] = [figures(0), figures(1)];
  const change = Object.fromEntries(
    Object.entries(now).map(([name, value]) => {
      const old = previous[name as keyof typeof previous] ?? null;
      if (value === null || old === null) return [name, null];
      // In tenths, both numbers are whole, so the difference is exact.
      const [tenths, tenthsBefore] = [rounded(value * 10), rounded(old * 10)];
      return [name, old === 0 ? null : rounded(((tenths - tenthsBefore) * 1000) / tenthsBefore) / 10];
    }),
  );
  return { ...now, previous, change };
}

async function goals({ run, dialect }: Asked, chosen: Selection) {
  const key = "CASE WHEN event = '' THEN CAST(page AS VARCHAR) ELSE CAST(event AS VARCHAR) END";
  // A page filter selects visits. After that, any hit of these visits may reach a goal.
  const from = hits(chosen, [reachesAny(GOALS)]);
  const total = `SELECT ${dialect.distinct('visitor')} FROM ${chosen.page ? counted(chosen) : visits(chosen)}`;
  const sql = `SELECT ${key} AS value, ${dialect.distinct('visitor')}, count(*), (${total}) FROM ${from} GROUP BY value`;
  const found = new Map((await run(sql)).map(([value, ...rest]) => [value, rest]));
  return {
    goals: GOALS.map(({ type, value }) => {
      const [visitors = 0, conversions = 0, all = 0] = numbers(found.get(value));
      return { type, value, visitors, conversions, conversion_rate: percent(visitors, all, 2) };
    }),
  };
}

async function funnel({ run, dialect, question }: Asked, chosen: Selection) {
  const targets = FUNNELS[question.funnel ?? 0] ?? [];
  const found = numbers((await run(dialect.steps(targets, chosen)))[0]);
  const [first = 0] = found;
  return {
    steps: targets.map(({ type, value }, i) => {
      const visitors = found[i] ?? 0;
      const last = i === 0 ? visitors : (found[i - 1] ?? 0);
      const shares = { share_of_previous: percent(visitors, last, 1), share_of_first: percent(visitors, first, 1) };
      return { type, value, visitors, ...shares };
    }),
  };
}

const byVisit = (name: keyof typeof BY_VISIT) => (asked: Asked, chosen: Selection) => {
  const key = BY_VISIT[name];
  // A breakdown by a tag has no row for the empty tag.
  const more = key.startsWith('utm_') ? [...chosen.shared, `${key} <> ''`] : chosen.shared;
  const own = { ...chosen, shared: more };
  return asked.question.metrics ? visitRows(asked, key, own) : breakdown(asked, key, attributes(own));
};

const byHit =
  (name: keyof typeof BY_HIT, row: (question: Question) => string[]) => (asked: Asked, chosen: Selection) => {
    const from = counted(chosen, row(asked.question));
    return asked.question.metrics ? pageRows(asked, from) : breakdown(asked, BY_HIT[name], from);
  };

const REPORTS: Record<Report, (asked: Asked, chosen: Selection) => Promise<object>> = {
  overview,
  timeseries,
  goals,
  funnel,
  table: crossed,
  entry_pages: byVisit('entry_pages'),
  exit_pages: byVisit('exit_pages'),
  referrers: byVisit('referrers'),
  utm_source: byVisit('utm_source'),
  countries: byVisit('countries'),
  browsers: byVisit('browsers'),
  utm_term: byVisit('utm_term'),
  browser_versions: byVisit('browser_versions'),
  screens: byVisit('screens'),
  languages: byVisit('languages'),
  channels: byVisit('channels'),
  cities: byVisit('cities'),
  hostnames: byHit('hostnames', () => ["event = ''"]),
  property_values: byHit('property_values', () => ["plan <> ''"]),
  pages: byHit('pages', ({ search }) => [
    "event = ''",
    ...(search ? [`lower(CAST(page AS VARCHAR)) LIKE ${quoted(`%${search.toLowerCase()}%`)}`] : []),
  ]),
  events: byHit('events', () => ["event <> ''"]),
  event_labels: byHit('event_labels', ({ event = '' }) => [`event = ${quoted(event)}`, "label <> ''"]),
};

export const answer = (asked: Asked): Promise<object> =>
  REPORTS[asked.question.report](asked, selection(asked.question, asked.span, GOALS));
