// Computes the rows of breakdowns, with visitors alone or with more figures.
import { GOALS, type Metric } from './questions.ts';
import { type Asked, numbers, percent, rounded } from './result.ts';
import { hits, reaches, type Selection, visits } from './sql.ts';

const pageOf = ({ limit, question: { offset = 0 } }: Asked): string => `LIMIT ${limit} OFFSET ${offset}`;

export async function breakdown(asked: Asked, key: string, from: string) {
  const { run, dialect } = asked;
  const rows = await run(`${dialect.distinctBy(key, from)} ORDER BY visitors DESC, value ${pageOf(asked)}`);
  return { rows: rows.map(([value, visitors]) => ({ value: String(value), visitors: Number(visitors) })) };
}

/** Computes a figure of a row from its visitors and its sums. Rows are sorted by `order`. */
type Figure = { sums: string[]; order: string; shown(visitors: number, sums: number[]): number | string | null };
type Figures = Partial<Record<Metric, Figure>>;

const mean = (sum: number, count: number): number | null => (count === 0 ? null : rounded(sum / count));

const count = (name: string, sum: string): Figure => ({
  sums: [`${sum} AS ${name}`],
  order: name,
  shown: (_, [all = 0]) => all,
});

export const OF_VISITS: Figures = {
  visits: count('all_visits', 'count(*)'),
  pageviews: count('views', 'sum(pageviews)'),
  bounce_rate: {
    sums: ['count(*) FILTER (WHERE pageviews = 1 AND events = 0) AS bounces', 'count(*) AS bounced_of'],
    order: 'bounces / bounced_of',
    shown: (_, [bounces = 0, all = 0]) => percent(bounces, all, 1),
  },
  visit_duration: {
    sums: ['sum(seconds) AS spent', 'count(*) AS spent_by'],
    order: 'spent / spent_by',
    shown: (_, [spent = 0, all = 0]) => mean(spent, all),
  },
  revenue: {
    sums: ['sum(cents) AS earned'],
    order: 'earned',
    shown: (_, [cents = 0]) => (cents / 100).toFixed(2),
  },
};

export const ofPages = ({ dialect }: Asked): Figures => ({
  visits: count('all_visits', dialect.distinct('visit')),
  pageviews: count('views', 'count(*)'),
  time_on_page: {
    sums: ['sum(engaged) AS seen', 'count(*) FILTER (WHERE engaged > 0) AS told'],
    order: 'seen / nullif(told, 0)',
    shown: (_, [seen = 0, told = 0]) => mean(seen, told),
  },
  scroll_depth: {
    sums: ['sum(scroll) AS scrolled', 'count(*) FILTER (WHERE scroll > 0) AS scrolls'],
    order: '(scrolled - scrolls) / nullif(scrolls, 0)',
    shown: (_, [all = 0, told = 0]) => mean(all - told, told),
  },
});

const OF_GOAL: Figures = {
  conversions: { sums: ['coalesce(reached, 0)'], order: 'coalesce(reached, 0)', shown: (_, [all = 0]) => all },
  conversion_rate: {
    sums: ['coalesce(reached_by, 0)'],
    order: 'coalesce(reached_by, 0) / visitors',
    shown: (visitors, [converted = 0]) => percent(converted, visitors, 2),
  },
};

/** Runs the SQL for rows. The columns after the visitors are the sums. */
async function figures(asked: Asked, known: Figures, sqlFor: (sums: string[]) => string) {
  const { metrics = [], sort } = asked.question;
  const own = metrics.flatMap((name) => (known[name] ? [{ name, figure: known[name] }] : []));
  const order = `ORDER BY ${(sort && known[sort]?.order) ?? 'visitors'} DESC NULLS LAST, value ${pageOf(asked)}`;
  const rows = await asked.run(`${sqlFor(own.flatMap(({ figure }) => figure.sums))} ${order}`);
  return {
    rows: rows.map(([value, ...rest]) => {
      const [visitors = 0, ...sums] = numbers(rest);
      const shown = own.map(({ name, figure }) => [name, figure.shown(visitors, sums.splice(0, figure.sums.length))]);
      return { value: String(value), visitors, ...Object.fromEntries(shown) };
    }),
  };
}

const grouped =
  ({ dialect }: Asked, key: string, from: string) =>
  (sums: string[]): string =>
    `SELECT * FROM (SELECT ${[`${key} AS value`, `${dialect.distinct('visitor')} AS visitors`, ...sums].join(', ')}
      FROM ${from} GROUP BY value) AS r`;

/** Selects the rows of a breakdown of visits. Hits have the column too, so conversions are counted by hits. */
export function visitRows(asked: Asked, key: string, chosen: Selection) {
  const { dialect, question } = asked;
  const target = question.goal === undefined ? undefined : GOALS[question.goal];
  if (!target) return figures(asked, OF_VISITS, grouped(asked, key, visits(chosen)));
  const visitors = dialect.distinctBy(key, visits(chosen));
  const reached = `SELECT ${key} AS value, count(*) AS reached, ${dialect.distinct('visitor')} AS reached_by
    FROM ${hits(chosen, [reaches(target)])} GROUP BY value`;
  const joined = (sums: string[]): string =>
    `SELECT ${['a.value AS value', 'visitors', ...sums].join(', ')}
      FROM (${visitors}) AS a LEFT JOIN (${reached}) AS g ON a.value = g.value`;
  return figures(asked, OF_GOAL, joined);
}

export const pageRows = (asked: Asked, from: string) => figures(asked, ofPages(asked), grouped(asked, 'page', from));
