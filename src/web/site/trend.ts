import { percent, points } from '../format.ts';

export type Trend = { sign: '↑' | '↓' | '=' | '–' | ''; text: string; kind: '' | 'good' | 'bad'; sentence: string };

/** Days of which only totals are kept cannot be filtered, so that they would look like days on which nobody came. */
export const NOT_COMPARED: Trend = {
  sign: '–',
  text: '',
  kind: '',
  sentence: 'Not compared, because only daily totals are kept of some of the days.',
};

/** A change in percent, or of a rate in percentage points. */
type Change = { change: number | null; isRate?: boolean; isLessBetter?: boolean };

/** How a figure changed since the period before: a sign with how much, and a sentence. */
export function trendOf(
  { change, isRate = false, isLessBetter = false }: Change,
  previous: string,
  when: string,
): Trend {
  if (change === null)
    return { sign: '–', text: '', kind: '', sentence: `Nothing to compare with: it was ${previous} (${when}).` };
  const text = (isRate ? points : percent)(Math.abs(change));
  if (change === 0) return { sign: '=', text, kind: '', sentence: `The same as before: ${previous} (${when}).` };
  const [sign, direction] = change > 0 ? (['↑', 'Up'] as const) : (['↓', 'Down'] as const);
  return {
    sign,
    text,
    kind: change > 0 === isLessBetter ? 'bad' : 'good',
    sentence: `${direction} ${text} from ${previous} (${when}).`,
  };
}

/** The trend of a sum while the day is not over: a part of a day is less than a whole one, which is no change and no bad news. */
export const trendSoFar = (trend: Trend, previous: string, when: string): Trend =>
  trend.sign === '↓'
    ? { sign: '', text: `of ${previous}`, kind: '', sentence: `It was ${previous} (${when}). Today is not over yet.` }
    : { ...trend, kind: '', sentence: `${trend.sentence} Today is not over yet.` };
