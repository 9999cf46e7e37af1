// Keeps the sums of days while an import reads them from a file with daily totals.
//
// A day has totals, and the counts of each value of a breakdown, such as 3 visitors from DE. If a value is in several
// rows of a file, their counts are added up. All values of a file are in memory together, so their number is limited.
//
// Example: the rows "DE, 2 visitors" and "DE, 1 visitor" of one day become one value with 3 visitors. The readers of
// Plausible, Google Analytics and GoatCounter fill these sums. ../day-sums.ts passes them to the engine.

import { copyText } from '../../lib/copy-text.ts';
import { BREAKDOWN_NAMES, BREAKDOWNS, DIMENSIONS } from '../../stats/dimensions.ts';
import { excerpt, lineRefusal } from '../reading/lines.ts';
import type { Totals } from './plausible-tables.ts';

/**
 * A value of a breakdown with its counts. `event` is the name of the event if the value is an event's label, and empty
 * otherwise.
 */
type ImportedCount = { event: string; value: string; visitors: number; hits: number };

/**
 * The sums of one day. `known` lists the totals and breakdowns that the file has for the day. All others are unknown,
 * which is not the same as 0.
 */
export type DaySums = {
  day: number;
  totals: Totals;
  counts: Map<string, Map<string, ImportedCount>>;
  known: Set<string>;
};

/**
 * The content of a file. `inFile` lists the breakdowns that the file has. `accepted` has the number of imported rows of
 * each table. `skipped` has the number of skipped rows for each reason.
 */
export type ImportedSums = {
  days: DaySums[];
  inFile: Set<string>;
  accepted: [name: string, rows: number][];
  skipped: [what: string, rows: number][];
  /** Sentences that help the user to compare the sums with the other product's sums. */
  notes?: string[];
  /** True if the other product counts a person once for each page. The number of persons is then unknown. */
  countsByPage?: boolean;
  /** The quarter hours with a hit, numbered from 1970, if the file has counts by hour. */
  quarters?: ReadonlySet<number>;
};

/**
 * Breakdowns that do not list the empty value. For example, the breakdown of campaigns leaves out visits without a
 * campaign.
 */
const WITHOUT_EMPTY: readonly string[] = BREAKDOWN_NAMES.filter((name) => !DIMENSIONS[BREAKDOWNS[name]].keepsEmpty);

/**
 * The most breakdown values that an import from Plausible or GoatCounter may have, such as pages or countries. A value
 * counts once for each day. An import with more values is refused, because all values are in memory: a million take 600
 * MB. An import from Google Analytics has a limit of rows instead (google-tables.ts).
 */
export const MOST_VALUES = 3_000_000;

/** Counts the values of a file, and refuses the line with the first value above the limit. */
export function valueLimit(most: number) {
  let values = 0;
  return (added: number, line: number): void => {
    values += added;
    if (values <= most) return;
    const help = 'Leave older rows out of the tables, and import them in a separate zip';
    throw lineRefusal(line, `with this line there are more than ${most} different values. ${help}`);
  };
}

/** Refuses a day before 1970. Days are numbered from 1970, and daybook stores no negative day. */
export function assertPast(day: number, { line, name, text }: { line: number; name: string; text: string }): number {
  if (day >= 0) return day;
  throw lineRefusal(line, name, `must be from 1970 on, not ${excerpt(text)}`);
}

export function makeDay(day: number): DaySums {
  const totals = { visitors: 0, visits: 0, pageviews: 0, events: 0, bounces: 0, seconds: 0 };
  return { day, totals, counts: new Map(), known: new Set() };
}

export const sortDays = (days: ReadonlyMap<number, DaySums>): DaySums[] =>
  [...days.values()].sort((one, other) => one.day - other.day);

type Added = { breakdown: string; value: string; event?: string; visitors: number; hits?: number };

/** Adds counts to a value of a breakdown. Returns 1 if this adds a new value to the day, and otherwise 0. */
export function addCount(
  { counts, known }: DaySums,
  { breakdown, value, event = '', visitors, hits = 0 }: Added,
): 0 | 1 {
  known.add(breakdown);
  if (value === '' && WITHOUT_EMPTY.includes(breakdown)) return 0;
  const values = counts.get(breakdown) ?? new Map<string, ImportedCount>();
  counts.set(breakdown, values);
  const key = `${event}\n${value}`;
  const found = values.get(key);
  if (found) {
    found.visitors += visitors;
    found.hits += hits;
    return 0;
  }
  const kept = copyText(key);
  values.set(kept, { event: kept.slice(0, event.length), value: kept.slice(event.length + 1), visitors, hits });
  return 1;
}
