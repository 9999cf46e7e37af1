// Says in a report which figures of earlier reports have changed since, for example after an exclusion or an import.
//
// Invariant: each report stores its own figures. A report also counts the days of earlier reports again, and stores the
// new figures. The next report compares with the new figures. So a change is reported once, even after a restart
// (test/jobs/told-figures.test.ts).
//
// Example: the report of last week had 120 visitors. Then visits of bots are excluded. The next report says "Visitors
// 120 → 80", and links to the days of the earlier report. The journal, a list of changes, says why
// (store/sites/changes.ts). reports.ts calls these functions.

import { DAY } from '../lib/time.ts';
import type { Ask } from '../stats/ask.ts';
import { writeDate } from '../stats/interval.ts';
import type { Range } from '../stats/query.ts';
import type { Mailing } from '../store/mail/mailings.ts';
import type { Block } from './letter.ts';
import type { Voice } from './voice.ts';

const NAMES = { visitors: 'Visitors', visits: 'Visits', pageviews: 'Pageviews' } as const;
type FigureName = keyof typeof NAMES;
const FIGURES = Object.keys(NAMES) as FigureName[];

type Figures = Record<FigureName, number>;
type Told = Range & Figures;
/**
 * What a report stores. `told` has the figures of this report and of earlier ones. `changed` is null if no earlier
 * figures have changed. Otherwise `changed` is a range of days. The range begins with the first changed report, and
 * ends with the last changed report. `before` and `after` are the old and the new sums of all reports in this range.
 */
export type ReportDetails = { told: Told[]; changed: (Range & { before: Figures; after: Figures }) | null };

/** How many earlier reports are compared at most. Older reports are rarely read again. */
const MOST_REPORTS = 8;

/** Counts the figures of earlier reports again, and finds what has changed. `last` is the latest of these reports. */
export async function compareTold(
  ask: Ask,
  siteId: number,
  range: Range,
  last: Mailing | undefined,
): Promise<ReportDetails> {
  const all = last?.details ? (JSON.parse(last.details) as ReportDetails).told : [];
  const before = all.filter(({ to }) => to <= range.from).slice(-MOST_REPORTS);
  const from = before[0]?.from ?? range.from;
  const query = { report: 'timeseries', interval: 'day', metrics: ['visits'] } as const;
  const { points } = await ask({ ...query, siteId, range: { from, to: range.to }, filters: {} });
  const count = (days: Range): Told => ({
    ...{ from: days.from, to: days.to },
    ...sum(
      points.slice(days.from - from, days.to - from).map((point) => ({ ...point, visits: Number(point.visits ?? 0) })),
    ),
  });
  const now = before.map(count);
  return { told: [...now, count(range)], changed: findChanged(before, now) };
}

function findChanged(before: readonly Told[], now: readonly Told[]): ReportDetails['changed'] {
  const differs = (one: Told, i: number) => FIGURES.some((name) => one[name] !== now[i]?.[name]);
  const [first, last] = [before.findIndex(differs), before.findLastIndex(differs)];
  if (first < 0) return null;
  const [was, is] = [before.slice(first, last + 1), now.slice(first, last + 1)];
  return { from: is[0]?.from ?? 0, to: is.at(-1)?.to ?? 0, before: sum(was), after: sum(is) };
}

const sum = (all: readonly Figures[]): Figures => ({
  visitors: all.reduce((sum, { visitors }) => sum + visitors, 0),
  visits: all.reduce((sum, { visits }) => sum + visits, 0),
  pageviews: all.reduce((sum, { pageviews }) => sum + pageviews, 0),
});

/**
 * Writes the paragraph about changed figures. `makeUrl` makes the URL of the dashboard from a range of days, such as
 * 2026-03-02~2026-03-08.
 */
export function sayChanged(
  { changed }: ReportDetails,
  { t, number, dayLong }: Voice,
  makeUrl: (range: string) => string,
): Block[] {
  if (!changed) return [];
  const { from, to, before, after } = changed;
  const differing = FIGURES.filter((name) => before[name] !== after[name]);
  const figures = (differing.length === 0 ? FIGURES : differing)
    .map((name) => `${t(NAMES[name])} ${number(before[name])} → ${number(after[name])}`)
    .join(', ');
  const days = { from: dayLong(from * DAY), to: dayLong((to - 1) * DAY) };
  return [
    {
      kind: 'words',
      words: t('Figures of {from} – {to} changed since the last report: {figures}.', { ...days, figures }),
      link: { words: t('See what changed'), url: makeUrl(`${writeDate(from)}~${writeDate(to - 1)}`) },
    },
  ];
}
