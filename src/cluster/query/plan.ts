import { isAbout } from '../../catalog/exclusion-days.ts';
import type { Slice } from '../../catalog/sealed-days.ts';
import { isOfNow, listRanges, type Question } from '../../stats/question.ts';
import { isFromSums, type KeptSums } from '../../stats/sums.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import type { Shown } from './visible-rows.ts';

/** What is known of a site without asking the cluster. */
export type Known = { shown: Shown; exclusions: readonly Exclusion[] };

/** Beside totals a tally has visitors and hits only. */
const KEPT: KeptSums = { times: false, hasRowSums: (_, names) => names.length === 0 };

/** Which sealed days are read hit by hit, of which only the sums are read, and which cannot be in the answer. */
export type Plan = { scanned: Slice[]; summed: Slice[]; leftOut: number[]; untouched: number[] };

export function planOf(question: Question, { shown: { parts }, exclusions }: Known): Plan {
  const ranges = isOfNow(question) ? [question.range] : listRanges(question);
  const own = parts.filter(({ day }) => ranges.some(({ from, to }) => day >= from && day < to));
  const isTouched = ({ day }: Slice) => exclusions.some((one) => isAbout(one, day));
  const sums = own.filter(({ hasHits }) => hasHits === 0);
  const hits = own.filter(({ hasHits }) => hasHits === 1);
  const daysOf = (some: readonly Slice[]) => [...new Set(some.map(({ day }) => day))];
  if (isOfNow(question)) return { scanned: hits, summed: [], leftOut: [], untouched: [] };
  if (!isFromSums(question, KEPT)) return { scanned: hits, summed: [], leftOut: daysOf(sums), untouched: [] };
  return {
    scanned: hits.filter(isTouched),
    summed: [...hits.filter((part) => !isTouched(part)), ...sums],
    leftOut: [],
    untouched: daysOf(sums.filter(isTouched)),
  };
}
