// The figures of each report out of SQL, in the shape in which daybook answers them.
import {
  BY_HIT,
  BY_VISIT,
  before,
  FUNNEL,
  GOALS,
  type Metric,
  periods,
  type Question,
  type Report,
  type Span,
} from './questions.ts';
import {
  attributes,
  counted,
  type Dialect,
  hits,
  quoted,
  reachesAny,
  type Selection,
  selection,
  visits,
} from './sql.ts';

export type Row = readonly (string | number)[];
type Run = (sql: string) => Promise<Row[]>;
type Asked = { question: Question; span: Span; limit: number; dialect: Dialect; run: Run };

/** Halves round away from zero, and no zero is negative. */
const rounded = (value: number): number => Math.sign(value) * Math.round(Math.abs(value)) + 0;

/** Multiplies before it divides, so that a half is a half. */
const percent = (part: number, whole: number, digits: number): number =>
  whole === 0 ? 0 : rounded((part * 100 * 10 ** digits) / whole) / 10 ** digits;

const numbers = (row: Row | undefined): number[] => (row ?? []).map(Number);

const hasPage = (chosen: Selection): chosen is Selection & { page: string } => chosen.page !== undefined;

/** One row of six numbers. With a page filter every selected visit has a hit that counts. */
function totals({ distinct, viewsBy }: Dialect, part: number, chosen: Selection): string {
  const [views, from] = hasPage(chosen)
    ? ['views', `visit JOIN (${viewsBy(chosen)}) AS viewed ON visit.id = viewed.visit`]
    : ['pageviews', visits(chosen)];
  return `SELECT ${part} AS part, ${distinct}, coalesce(sum(${views}), 0), count(*),
    count(*) FILTER (WHERE pageviews = 1 AND events = 0), coalesce(sum(seconds), 0) FROM ${from}`;
}

async function overview({ run, question, span, dialect }: Asked, chosen: Selection) {
  const earlier = selection(question.filters, before(span), GOALS);
  const found = (await run(`${totals(dialect, 0, chosen)} UNION ALL ${totals(dialect, 1, earlier)}`)).map(numbers);
  const figures = (part: number) => {
    const [, visitors = 0, pageviews = 0, all = 0, bounces = 0, seconds = 0] = found.find(([i]) => i === part) ?? [];
    return {
      visitors,
      pageviews,
      visits: all,
      bounce_rate: percent(bounces, all, 1),
      visit_duration: all === 0 ? 0 : rounded(seconds / all),
    };
  };
  const [now, previous] = [figures(0), figures(1)];
  const change = Object.fromEntries(
    Object.entries(now).map(([name, value]) => {
      // In tenths, which are whole numbers.
      const [tenths, old] = [rounded(value * 10), rounded(previous[name as keyof typeof previous] * 10)];
      return [name, old === 0 ? null : rounded(((tenths - old) * 1000) / old) / 10];
    }),
  );
  return { ...now, previous, change };
}

async function timeseries({ run, span, dialect }: Asked, chosen: Selection) {
  const { interval, dates } = periods(span);
  const [pageviews, from] = chosen.page
    ? ["count(*) FILTER (WHERE event = '')", counted(chosen)]
    : ['sum(pageviews)', visits(chosen)];
  const period = interval === 'day' ? 'day' : "date_trunc('month', day)";
  const sql = `SELECT CAST(period AS VARCHAR), visitors, pageviews FROM (
    SELECT ${period} AS period, ${dialect.distinct} AS visitors, ${pageviews} AS pageviews FROM ${from} GROUP BY period) AS p`;
  const found = new Map((await run(sql)).map(([date, ...rest]) => [String(date).slice(0, dates[0]?.length), rest]));
  const points = dates.map((date) => {
    const [visitors = 0, views = 0] = numbers(found.get(date));
    return { date, visitors, pageviews: views };
  });
  return { interval, points };
}

async function breakdown({ run, limit, dialect, question: { offset = 0 } }: Asked, key: string, from: string) {
  const page = `LIMIT ${limit} OFFSET ${offset}`;
  const rows = await run(`${dialect.distinctBy(key, from)} ORDER BY visitors DESC, value ${page}`);
  return { rows: rows.map(([value, visitors]) => ({ value: String(value), visitors: Number(visitors) })) };
}

const ORDERS: Record<Metric, string> = {
  visits: 'visits',
  pageviews: 'views',
  bounce_rate: 'bounces / visits',
  visit_duration: 'spent / visits',
};

/** Rows with more figures of their visits. */
async function figures({ run, limit, dialect, question }: Asked, key: string, from: string) {
  const { metrics = [], sort } = question;
  const sql = `SELECT ${key} AS value, ${dialect.distinct} AS visitors, count(*) AS visits, sum(pageviews) AS views,
    count(*) FILTER (WHERE pageviews = 1 AND events = 0) AS bounces, sum(seconds) AS spent FROM ${from} GROUP BY value`;
  const order = `ORDER BY ${sort ? ORDERS[sort] : 'visitors'} DESC, value LIMIT ${limit}`;
  return {
    rows: (await run(`SELECT * FROM (${sql}) AS r ${order}`)).map(([value, ...rest]) => {
      const [visitors = 0, all = 0, pageviews = 0, bounces = 0, seconds = 0] = numbers(rest);
      const known: Record<Metric, number> = {
        ...{ visits: all, pageviews, bounce_rate: percent(bounces, all, 1) },
        visit_duration: rounded(seconds / all),
      };
      return { value: String(value), visitors, ...Object.fromEntries(metrics.map((name) => [name, known[name]])) };
    }),
  };
}

async function goals({ run, dialect }: Asked, chosen: Selection) {
  const key = "CASE WHEN event = '' THEN CAST(page AS VARCHAR) ELSE CAST(event AS VARCHAR) END";
  // A page filter selects visits, and of these any hit may reach a goal.
  const from = hits(chosen, [reachesAny(GOALS)]);
  const total = `SELECT ${dialect.distinct} FROM ${chosen.page ? counted(chosen) : visits(chosen)}`;
  const sql = `SELECT ${key} AS value, ${dialect.distinct}, count(*), (${total}) FROM ${from} GROUP BY value`;
  const found = new Map((await run(sql)).map(([value, ...rest]) => [value, rest]));
  return {
    goals: GOALS.map(({ type, value }) => {
      const [visitors = 0, conversions = 0, all = 0] = numbers(found.get(value));
      return { type, value, visitors, conversions, conversion_rate: percent(visitors, all, 2) };
    }),
  };
}

async function funnel({ run, dialect }: Asked, chosen: Selection) {
  const found = numbers((await run(dialect.steps(FUNNEL, chosen)))[0]);
  const [first = 0] = found;
  return {
    steps: FUNNEL.map(({ type, value }, i) => {
      const visitors = found[i] ?? 0;
      const last = i === 0 ? visitors : (found[i - 1] ?? 0);
      const shares = { share_of_previous: percent(visitors, last, 1), share_of_first: percent(visitors, first, 1) };
      return { type, value, visitors, ...shares };
    }),
  };
}

const byVisit = (name: keyof typeof BY_VISIT) => (asked: Asked, chosen: Selection) => {
  const key = BY_VISIT[name];
  // Of the tags, the empty one is left out.
  const more = key.startsWith('utm_') ? [...chosen.shared, `${key} <> ''`] : chosen.shared;
  const own = { ...chosen, shared: more };
  return asked.question.metrics ? figures(asked, key, visits(own)) : breakdown(asked, key, attributes(own));
};

const byHit = (name: keyof typeof BY_HIT, row: (question: Question) => string[]) => (asked: Asked, chosen: Selection) =>
  breakdown(asked, BY_HIT[name], counted(chosen, row(asked.question)));

const REPORTS: Record<Report, (asked: Asked, chosen: Selection) => Promise<object>> = {
  overview,
  timeseries,
  goals,
  funnel,
  entry_pages: byVisit('entry_pages'),
  exit_pages: byVisit('exit_pages'),
  referrers: byVisit('referrers'),
  utm_source: byVisit('utm_source'),
  countries: byVisit('countries'),
  browsers: byVisit('browsers'),
  pages: byHit('pages', ({ search }) => [
    "event = ''",
    ...(search ? [`lower(CAST(page AS VARCHAR)) LIKE ${quoted(`%${search.toLowerCase()}%`)}`] : []),
  ]),
  events: byHit('events', () => ["event <> ''"]),
  event_labels: byHit('event_labels', ({ event = '' }) => [`event = ${quoted(event)}`, "label <> ''"]),
};

export const answer = (asked: Asked): Promise<object> =>
  REPORTS[asked.question.report](asked, selection(asked.question.filters, asked.span, GOALS));
