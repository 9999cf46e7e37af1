// Finds the sums that a file with daily totals does not have, such as bounces or countries. day-sums.ts calls it.

import { plural } from '../lib/plural.ts';
import { UNKNOWN_TOTALS, type UnknownSum } from '../stats/aggregates.ts';
import { BREAKDOWN_NAMES, type Breakdown } from '../stats/dimensions.ts';
import type { DaySums, ImportedSums } from './products/plausible-import.ts';

/**
 * A total is unknown if its column is missing. A breakdown is unknown if its table is missing, or if the table has no row for the day. A
 * day without visitors knows all its sums, because they are 0.
 */
export function listUnknown({ totals, known }: DaySums, inFile: ImportedSums['inFile']): UnknownSum[] {
  if (totals.visitors + totals.visits + totals.pageviews === 0) return [];
  const isKnown = (name: Breakdown) => known.has(name) || (inFile.has(name) && !mustHaveRows(name, totals));
  return [...UNKNOWN_TOTALS.filter((name) => !known.has(name)), ...BREAKDOWN_NAMES.filter((name) => !isKnown(name))];
}

/** The output says which sums are missing on every day, and which are missing on some days only. */
export function describeUnknown({ days, inFile }: ImportedSums): string[] {
  const lacking = new Map<UnknownSum, number>();
  for (const day of days) for (const name of listUnknown(day, inFile)) lacking.set(name, (lacking.get(name) ?? 0) + 1);
  const came = days.filter(({ totals }) => totals.visitors + totals.visits + totals.pageviews > 0).length;
  const all = [...lacking].filter(([, count]) => count === came).map(([name]) => nameSum(name));
  const some = [...lacking]
    .filter(([, count]) => count < came)
    .map(([name, count]) => `${nameSum(name)} (${plural(count, 'day')})`);
  return [
    ...(all.length > 0 ? [`not in the file, so not known: ${all.join(', ')}`] : []),
    ...(some.length > 0 ? [`not in the file of some days: ${some.join(', ')}`] : []),
  ];
}

/** A day with visitors must have rows in most breakdowns. Events are the exception, because a day without events is normal. */
const mustHaveRows = (name: Breakdown, { visitors, pageviews }: DaySums['totals']): boolean => {
  if (name === 'events' || name === 'event_labels') return false;
  return (name === 'pages' ? pageviews : visitors) > 0;
};

const WORDS: Partial<Record<UnknownSum, string>> = {
  bounces: 'bounce rate',
  seconds: 'visit duration',
  referrers: 'sources',
};
const nameSum = (name: UnknownSum): string => WORDS[name] ?? name.replaceAll('_', ' ');
