import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Breakdown, Overview, Point, Timeseries } from '../../src/api/answers.ts';
import type { DayReport } from '../../src/api/day-status.ts';
import { parseDay } from '../../src/lib/time.ts';
import { writtenIn } from '../../src/lib/written.ts';
import { type Hit, pageview } from '../collect/stage.ts';
import { store } from '../mail/site.ts';
import { NOON } from '../support/helpers.ts';
import { chance } from '../support/random.ts';
import { serving, show } from './browser.ts';

const { number, percent, points: pointsText, duration } = writtenIn('en-GB');
const VIEWS = 40;
const TODAY = new Date(NOON).toISOString().slice(0, 10);
const DAY_MS = 86_400_000;
const dayBefore = (days: number, day = TODAY) => new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

type Random = () => number;
const below = (random: Random, end: number) => Math.floor(random() * end);
const one = <Of>(random: Random, list: readonly Of[]): Of => list[below(random, list.length)] as Of;

const VALUES: Record<string, readonly string[]> = {
  page: ['/', '/a', '/b/c'],
  source: ['', 'news.example', 'search.example'],
  country: ['DE', 'FR', ''],
  device: ['Desktop', 'Mobile'],
};

/** Visits of two years, more of them lately. */
const pastHits = (random: Random): Hit[] =>
  Array.from({ length: 900 }, (_, visitor) => {
    const day = parseDay(TODAY) - Math.floor(random() ** 3 * 729);
    const [source = '', country = '', device = ''] = ['source', 'country', 'device'].map((n) =>
      one(random, VALUES[n] ?? []),
    );
    const second = below(random, 43_000);
    const hit = (more: number) =>
      pageview({
        visitor: visitor + 1,
        day,
        second: second + more,
        page: one(random, VALUES.page ?? []),
        source,
        country,
        device,
      });
    return Array.from({ length: 1 + below(random, 3) }, (_, i) => hit(i * 30));
  }).flat();

type View = { range: string; filters: Record<string, string[]>; interval: string; compare: string };

function anyView(random: Random): View {
  const length = 1 + Math.floor(random() ** 2 * 400);
  const to = dayBefore(below(random, 300));
  const own = (days: number) => `${dayBefore(days - 1, to)}~${to}`;
  const names = Object.keys(VALUES).filter(() => random() < 0.3);
  return {
    range: one(random, ['today', '7d', '30d', '12m', own(length), own(length), own(length)]),
    filters: Object.fromEntries(
      names.map((name) => [
        `${name}${one(random, ['', '', '.not'])}`,
        [...new Set(Array.from({ length: 1 + below(random, 2) }, () => one(random, VALUES[name] ?? [])))],
      ]),
    ),
    interval: one(random, ['', '', 'hour', 'day', 'week', 'month']),
    compare: one(random, ['', '', 'year', 'weekdays', 'off', own(1 + below(random, 60))]),
  };
}

/** What the address says of a view. */
function searchOf({ range, filters, interval, compare }: View): string {
  const search = new URLSearchParams({ range, interval, compare, chart: 'table' });
  for (const [name, values] of Object.entries(filters)) for (const value of values) search.append(name, value);
  return `?${search}`;
}

/** The same for the API. */
const filterQuery = (filters: View['filters']): Query =>
  Object.fromEntries(
    Object.entries(filters).map(([key, values]) => {
      const [name, condition = 'is'] = key.split('.');
      return [`filters[${name}][${condition}]`, values];
    }),
  );

type Query = Record<string, string | readonly string[]>;
type Answers = { overview: Overview; timeseries: Timeseries; breakdown: Breakdown; days: DayReport };
/** `report` may have more behind a slash. */
type Ask = <Report extends keyof Answers>(
  report: Report | `${Report}/${string}`,
  query: Query,
) => Promise<Answers[Report]>;
type Days = { from: string; to: string };
const daysOf = ({ from, to }: Days): Days => ({ from: from.slice(0, 10), to: to.slice(0, 10) });
const daysIn = ({ from, to }: Days): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

const FIGURES = ['visitors', 'pageviews', 'visits', 'bounce_rate', 'visit_duration'] as const;
const WRITE = { visitors: number, pageviews: number, visits: number, bounce_rate: percent, visit_duration: duration };

/** What the figures must be: each with its change. */
const figuresIn = ({ previous, change, ...now }: Overview): string[][] =>
  FIGURES.map((name) => {
    const [value, before] = [now[name] ?? 0, previous?.[name] ?? 0];
    if (!previous || !change) return [WRITE[name](value), ''];
    const isRate = name === 'bounce_rate';
    const difference = isRate ? Math.round((value - before) * 10) / 10 : change[name];
    const hasNone = difference === null || (isRate && previous.visits === 0);
    const sign = hasNone ? '–' : difference === 0 ? '=' : difference > 0 ? '↑' : '↓';
    const text = hasNone ? '' : (isRate ? pointsText : percent)(Math.abs(difference));
    return [WRITE[name](value), `${sign} ${text}`.trim()];
  });

function intervalIn({ interval }: View, days: number): string {
  const allowed = { hour: days <= 31, day: true, week: days >= 8, month: days >= 32 };
  if (allowed[interval as keyof typeof allowed]) return interval;
  return days === 1 ? 'hour' : days > 90 ? 'month' : 'day';
}

/** More hours than there are now are not asked for. */
const firstDays = (days: Days, most: number): Days =>
  daysIn(days) > most ? { ...days, to: dayBefore(1 - most, days.from) } : days;

/** The date of the point of the year before. */
const yearBefore = (interval: string, date: string): string =>
  interval === 'week' ? dayBefore(364, date) : `${Number(date.slice(0, 4)) - 1}${date.slice(4)}`;

/** What the table of the chart must hold, the latest point first. */
async function pointsIn(ask: Ask, view: View, range: Days, previous: Days | undefined): Promise<string[][]> {
  const interval = intervalIn(view, daysIn(range));
  const isAlone = daysIn(range) === 1 && interval === 'day';
  const seriesOf = async ({ from, to }: Days) =>
    (await ask('timeseries', { ...filterQuery(view.filters), range: `${from}~${to}`, interval })).points;
  const points = await seriesOf(isAlone ? { from: dayBefore(13, range.from), to: range.to } : range);
  const length = interval === 'hour' ? daysIn(range) : Number.POSITIVE_INFINITY;
  const others = previous && !isAlone ? await seriesOf(firstDays(previous, length)) : undefined;
  const otherAt = (date: string, i: number): Point | undefined => {
    if (!others) return undefined;
    if (interval !== 'week' && interval !== 'month') return others[i];
    if (view.compare === '') return others[i + others.length - points.length];
    if (view.compare.includes('~')) return others[i];
    return others.find((other) => other.date === yearBefore(interval, date));
  };
  const textOf = ({ date, visitors }: Point) =>
    interval === 'hour' && Date.parse(date) > NOON + 1_800_000 ? '–' : number(visitors);
  const isCompared = points.some(({ date }, i) => otherAt(date, i));
  const rows = points.map((point, i) => {
    const other = otherAt(point.date, i);
    return [textOf(point), ...(isCompared ? [other ? number(other.visitors) : '–'] : [])];
  });
  return rows.reverse();
}

const PANELS = { Pages: ['pages', 'page'], Sources: ['referrers', 'source'], Devices: ['devices', 'device'] } as const;

/** What the rows of a panel must be: visitors, and their share where they are a part of all. */
async function rowsIn(ask: Ask, { range, filters }: View, panel: keyof typeof PANELS, visitors: number) {
  const [breakdown, name] = PANELS[panel];
  const { [name]: own, ...others } = filters;
  const { rows } = await ask(`breakdown/${breakdown}`, { range, ...filterQuery(others), limit: '10' });
  return rows.map((row) => [
    number(row.visitors),
    visitors > 0 && (own === undefined || own.includes(row.value)) ? percent((row.visitors * 100) / visitors) : '',
  ]);
}

/** Whether nothing was counted in the first half of a comparison. Its figures then have no change. */
async function isEmptyBefore(ask: Ask, { from, to }: Days): Promise<boolean> {
  const half = Math.ceil(daysIn({ from, to }) / 2);
  const { days } = await ask('days', { range: `${from}~${dayBefore(1 - half, from)}` });
  return half >= 4 && days.length === 0;
}

async function expected(ask: Ask, view: View): Promise<unknown> {
  const query = { range: view.range, ...filterQuery(view.filters) };
  const range = daysOf(await ask('overview', { ...query, compare: 'none' }));
  const words: Record<string, string> = {
    '': 'previous',
    off: 'none',
    weekdays: `${dayBefore(364, range.from)}~${dayBefore(364, range.to)}`,
  };
  const overview = await ask('overview', {
    ...query,
    compare: words[view.compare] ?? view.compare,
    compare_until: 'now',
  });
  const panels = Object.keys(PANELS) as (keyof typeof PANELS)[];
  const previous = overview.previous && daysOf(overview.previous);
  const hasNoChange = previous && overview.previous?.visitors !== 0 && (await isEmptyBefore(ask, previous));
  return {
    figures: figuresIn(overview).map(([value = '', change = '']) => [value, hasNoChange ? '–' : change]),
    points: await pointsIn(ask, view, range, previous),
    panels: await Promise.all(panels.map((panel) => rowsIn(ask, view, panel, overview.visitors))),
  };
}

/** The numbers that people see. */
const SHOWN = `(() => {
  const text = (element) => element?.textContent.trim() ?? '';
  const all = (root, selector) => [...(root?.querySelectorAll(selector) ?? [])];
  const panel = (title) => all(document, 'section.panel').find((one) => text(one.querySelector('h2')) === title);
  return {
    figures: all(document, '.figure').map((one) => [
      text(one.querySelector('.figure-value')),
      text(one.querySelector('.figure-trend > [aria-hidden]')),
    ]),
    points: all(document, '.point-table tbody tr').map((row) => all(row, 'td').map(text)),
    panels: ${JSON.stringify(Object.keys(PANELS))}.map((title) =>
      all(panel(title), '.rows-line').map((row) => [
        text(row.querySelector('.rows-count').firstChild),
        text(row.querySelector('.rows-share')),
      ]),
    ),
  };
})()`;

test(`in ${VIEWS} random views every number on the page is that of the API`, async (t) => {
  const random = chance(t);
  const { db, owner, signIn, seal } = await serving(t, { 'rate-limit': '0' });
  await store(db, pastHits(random));
  await seal();
  const ask: Ask = async (report, query) => {
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
    );
    const { status, body } = await owner.ask('GET', `/sites/example.com/stats/${report}?${search}`);
    assert.equal(status, 200, `${report}?${search}: ${JSON.stringify(body)}`);
    return body.data;
  };
  // All panels are near the window, so that all of them load.
  const page = await signIn(owner, '/sites/example.com', { viewport: { width: 1280, height: 6000 } });
  for (let n = 0; n < VIEWS; n++) {
    const view = anyView(random);
    const search = searchOf(view);
    await show(page, search);
    assert.deepEqual(await page.evaluate(SHOWN), await expected(ask, view), search);
  }
});
