// Finds the sums that a file with daily totals does not have, such as bounces or countries. day-sums.ts calls these
// functions.

import { type Coded, coded } from '../lang/coded.ts';
import { UNKNOWN_TOTALS, type UnknownSum } from '../stats/aggregates.ts';
import { BREAKDOWN_NAMES, type Breakdown } from '../stats/dimensions.ts';
import type { DaySums, ImportedSums } from './products/sum-days.ts';
import { codePart, codeParts } from './reading/sheet.ts';

/**
 * Lists the unknown sums of a day. A total is unknown if its column is missing. A breakdown is unknown if its table is
 * missing, or if the table lacks rows that the day must have. On a day without visitors, every sum is known to be 0.
 */
export function listUnknown({ totals, known }: DaySums, inFile: ImportedSums['inFile']): UnknownSum[] {
  if (totals.visitors + totals.visits + totals.pageviews === 0) return [];
  const isKnown = (name: Breakdown) => known.has(name) || (inFile.has(name) && !mustHaveRows(name, totals));
  return [...UNKNOWN_TOTALS.filter((name) => !known.has(name)), ...BREAKDOWN_NAMES.filter((name) => !isKnown(name))];
}

/** Names the missing sums: first the sums that every day lacks, then the sums that only some days lack. */
export function describeUnknown({ days, inFile }: ImportedSums): Coded[] {
  const lacking = new Map<UnknownSum, number>();
  for (const day of days) for (const name of listUnknown(day, inFile)) lacking.set(name, (lacking.get(name) ?? 0) + 1);
  const came = days.filter(({ totals }) => totals.visitors + totals.visits + totals.pageviews > 0).length;
  const all = [...lacking].filter(([, count]) => count === came).map(([name]) => nameSum(name));
  const some = [...lacking]
    .filter(([, count]) => count < came)
    .map(([name, count]) => coded('name_days', { name: [codePart(nameSum(name))], count }));
  return [
    ...(all.length > 0 ? [coded('sheet_lacking', { names: codeParts(all) })] : []),
    ...(some.length > 0 ? [coded('sheet_lacking_days', { names: some })] : []),
  ];
}

/** Names the breakdowns that are not imported because the site does not keep them. The message also says what to do. */
export const describeDropped = (names: readonly Breakdown[]): Coded[] =>
  names.length > 0 ? [coded('left_dimensions', { names: codeParts(names.map(nameSum)) })] : [];

/**
 * True if a day must have rows in a breakdown. A day with pageviews has rows of pages. A day with visitors has rows in
 * all other breakdowns, except in the breakdowns of events.
 */
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
