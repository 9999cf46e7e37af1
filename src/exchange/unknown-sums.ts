// What a file with daily totals does not know of a day, such as its bounces or its countries. day-sums.ts asks for
// each day.

import { plural } from '../lib/plural.ts';
import { UNKNOWN_TOTALS, type UnknownSum } from '../stats/aggregates.ts';
import { BREAKDOWN_NAMES, type Breakdown } from '../stats/dimensions.ts';
import type { DaySums, ImportedSums } from './products/plausible-import.ts';

/**
 * Lists the sums of a day that its file did not have. A total is unknown without its column. A breakdown is unknown without its table, or
 * without a row in it. A day without visitors knows all its sums: they are 0.
 */
export function listUnknown({ totals, known }: DaySums, inFile: ImportedSums['inFile']): UnknownSum[] {
  if (totals.visitors + totals.visits + totals.pageviews === 0) return [];
  const isKnown = (name: Breakdown) => known.has(name) || (inFile.has(name) && !mustHaveRows(name, totals));
  return [...UNKNOWN_TOTALS.filter((name) => !known.has(name)), ...BREAKDOWN_NAMES.filter((name) => !isKnown(name))];
}

/** Writes lines for people: which sums no day has, and which sums only some days lack. */
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

/** Whether a day with visitors must have rows in a breakdown. A day without events is normal. */
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
