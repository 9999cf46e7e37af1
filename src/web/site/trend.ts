import { percent, points } from '../format.ts';
import { t } from '../texts.ts';

export type Trend = { sign: '↑' | '↓' | '=' | '–' | ''; text: string; kind: '' | 'good' | 'bad'; sentence: string };

/** Days of which only totals are kept cannot be filtered, so that they would look like days on which nobody came. */
export const notCompared = (): Trend => ({
  sign: '–',
  text: '',
  kind: '',
  sentence: t('Not compared, because only daily totals are kept of some of the days.'),
});

/** An import did not have the figure, of this period or of the one before. */
export const notKnown = (): Trend => ({
  ...notCompared(),
  sentence: t('Not compared, because an import did not have this figure.'),
});

/** A change in percent, or of a rate in percentage points. */
type Change = { change: number | null; isRate?: boolean; isLessBetter?: boolean };

/** How a figure changed since the period before: a sign with how much, and a sentence. */
export function trendOf(
  { change, isRate = false, isLessBetter = false }: Change,
  previous: string,
  when: string,
): Trend {
  const before = { previous, when };
  if (change === null)
    return {
      sign: '–',
      text: '',
      kind: '',
      sentence: t('Nothing to compare with: it was {previous} ({when}).', before),
    };
  const text = (isRate ? points : percent)(Math.abs(change));
  if (change === 0)
    return { sign: '=', text, kind: '', sentence: t('The same as before: {previous} ({when}).', before) };
  const isUp = change > 0;
  return {
    sign: isUp ? '↑' : '↓',
    text,
    kind: isUp === isLessBetter ? 'bad' : 'good',
    sentence: t(isUp ? 'Up {change} from {previous} ({when}).' : 'Down {change} from {previous} ({when}).', {
      change: text,
      ...before,
    }),
  };
}

/** A change from or to days in which hits were missed is a guess, and neither good nor bad. */
export const trendOfPart = (trend: Trend): Trend => ({
  ...trend,
  text: trend.text && `≈ ${trend.text}`,
  kind: '',
  sentence: `${trend.sentence} ${t('Hits were missed in one of the periods.')}`,
});
