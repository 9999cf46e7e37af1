import { plural } from '../lib/plural.ts';
import { BREAKDOWN_NAMES, type Breakdown } from '../stats/dimensions.ts';
import { UNKNOWN_TOTALS, type UnknownSum } from '../stats/measured.ts';
import type { DaySums, Sums } from './products/plausible-import.ts';

/** How many visits or hits of a day must have a row in a breakdown. None need an event. */
const mustHaveRows = (name: Breakdown, { visitors, pageviews }: DaySums['totals']): boolean => {
  if (name === 'events' || name === 'event_labels') return false;
  return (name === 'pages' ? pageviews : visitors) > 0;
};

/**
 * The sums of a day that its file did not have: totals without a column, breakdowns without a table, and those whose table has no row
 * of a day that must have one. Of a day on which nobody came everything is known.
 */
export function unknownIn({ totals, known }: DaySums, inFile: Sums['inFile']): UnknownSum[] {
  if (totals.visitors + totals.visits + totals.pageviews === 0) return [];
  const isKnown = (name: Breakdown) => known.has(name) || (inFile.has(name) && !mustHaveRows(name, totals));
  return [...UNKNOWN_TOTALS.filter((name) => !known.has(name)), ...BREAKDOWN_NAMES.filter((name) => !isKnown(name))];
}

const WORDS: Partial<Record<UnknownSum, string>> = {
  bounces: 'bounce rate',
  seconds: 'visit duration',
  referrers: 'sources',
};
const wordOf = (name: UnknownSum): string => WORDS[name] ?? name.replaceAll('_', ' ');

/** Says which metrics and tables were not in a file, and which only of some days. */
export function unknownLines({ days, inFile }: Sums): string[] {
  const lacking = new Map<UnknownSum, number>();
  for (const day of days) for (const name of unknownIn(day, inFile)) lacking.set(name, (lacking.get(name) ?? 0) + 1);
  const came = days.filter(({ totals }) => totals.visitors + totals.visits + totals.pageviews > 0).length;
  const all = [...lacking].filter(([, count]) => count === came).map(([name]) => wordOf(name));
  const some = [...lacking]
    .filter(([, count]) => count < came)
    .map(([name, count]) => `${wordOf(name)} (${plural(count, 'day')})`);
  return [
    ...(all.length > 0 ? [`not in the file, so not known: ${all.join(', ')}`] : []),
    ...(some.length > 0 ? [`not in the file of some days: ${some.join(', ')}`] : []),
  ];
}
