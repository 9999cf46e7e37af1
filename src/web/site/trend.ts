import { percent } from '../format.ts';

export type Trend = { sign: '↑' | '↓' | '=' | '–'; text: string; kind: '' | 'good' | 'bad'; sentence: string };

/** Days of which only totals are kept cannot be filtered, so that they would look like days on which nobody came. */
export const NOT_COMPARED: Trend = {
  sign: '–',
  text: '',
  kind: '',
  sentence: 'Not compared, because only daily totals are kept of some of the days.',
};

/** How a figure changed since the previous period: a sign with a percentage, and a sentence. */
export function trendOf(change: number | null, previous: string, when: string, isLessBetter = false): Trend {
  if (change === null)
    return { sign: '–', text: '', kind: '', sentence: `Nothing to compare with: it was ${previous} (${when}).` };
  if (change === 0)
    return { sign: '=', text: percent(0), kind: '', sentence: `The same as before: ${previous} (${when}).` };
  const [sign, direction] = change > 0 ? (['↑', 'Up'] as const) : (['↓', 'Down'] as const);
  const text = percent(Math.abs(change));
  return {
    sign,
    text,
    kind: change > 0 === isLessBetter ? 'bad' : 'good',
    sentence: `${direction} ${text} from ${previous} (${when}).`,
  };
}

/** The trend of a sum while the day is not over: less is no bad news yet. */
export const trendSoFar = (trend: Trend): Trend => ({
  ...trend,
  kind: '',
  sentence: `${trend.sentence} Today is not over yet.`,
});
