import { periods } from './questions.ts';
import { type Asked, numbers } from './result.ts';
import { counted, type Selection, visits } from './sql.ts';

/** Counts visitors by hour. A visitor counts in each hour with a hit that counts. */
const hourly = ({ dialect }: Asked, chosen: Selection): string =>
  `SELECT concat(CAST(day AS VARCHAR), 'T', lpad(CAST(hour AS VARCHAR), 2, '0')), visitors, pageviews FROM (
    SELECT day, ${dialect.hour} AS hour, ${dialect.distinct('visitor')} AS visitors, count(*) FILTER (WHERE event = '') AS pageviews
    FROM ${counted(chosen)} GROUP BY day, hour) AS p`;

function daily({ dialect }: Asked, chosen: Selection, interval: 'day' | 'week' | 'month'): string {
  const [pageviews, from] = chosen.page
    ? ["count(*) FILTER (WHERE event = '')", counted(chosen)]
    : ['sum(pageviews)', visits(chosen)];
  const period = interval === 'day' ? 'day' : `date_trunc('${interval}', day)`;
  return `SELECT CAST(period AS VARCHAR), visitors, pageviews FROM (
    SELECT ${period} AS period, ${dialect.distinct('visitor')} AS visitors, ${pageviews} AS pageviews FROM ${from} GROUP BY period) AS p`;
}

/** How many characters of a date name a point of each interval. */
const LENGTHS = { hour: 'yyyy-mm-ddThh'.length, day: 10, week: 10, month: 7 };

export async function timeseries(asked: Asked, chosen: Selection) {
  const { interval, dates } = periods(asked.span, asked.question.interval);
  const length = LENGTHS[interval];
  const rows = await asked.run(interval === 'hour' ? hourly(asked, chosen) : daily(asked, chosen, interval));
  const found = new Map(rows.map(([date, ...rest]) => [String(date).slice(0, length), rest]));
  const points = dates.map((date) => {
    const [visitors = 0, pageviews = 0] = numbers(found.get(date.slice(0, length)));
    return { date, visitors, pageviews };
  });
  return { interval, points };
}
