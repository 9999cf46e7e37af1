// A trend says how a figure changed since the comparison period. A trend has a sign, a text and a sentence for screen readers. A
// change is good or bad only if both periods are complete.
//
// Example: 1,200 visitors after 1,000 give ↑, "20%" and "Up 20% from 1,000 (3 – 9 Mar 2026).".
//
// figure-list.tsx and conversion.ts make trends.

import { percent, points } from '../../core/format.ts';
import { t } from '../../core/texts.ts';

export type Trend = { sign: '↑' | '↓' | '=' | '–' | ''; text: string; kind: '' | 'good' | 'bad'; sentence: string };

/** `change` is in percent. For a rate, it is in percentage points. */
type Change = { change: number | null; isRate?: boolean; isLessBetter?: boolean };

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
      sentence: t('No comparison: previously {previous} ({when}).', before),
    };
  const text = (isRate ? points : percent)(Math.abs(change));
  if (change === 0) return { sign: '=', text, kind: '', sentence: t('No change from {previous} ({when}).', before) };
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

/**
 * The trend if one of the periods has days for which only daily totals are stored. With a filter, such days would look
 * like days without visitors.
 */
export const notCompared = (): Trend => ({
  sign: '–',
  text: '',
  kind: '',
  sentence: t('Not compared, because only daily totals are stored for some days.'),
});

/** The trend if an import does not have the figure in one of the periods. */
export const notKnown = (): Trend => ({
  ...notCompared(),
  sentence: t('Not compared, because an import does not include this figure.'),
});

/** The trend if hits were missed in one of the periods. The change is only an estimate, so it is neither good nor bad. */
export const trendOfPart = (trend: Trend): Trend => ({
  ...trend,
  text: trend.text && `≈ ${trend.text}`,
  kind: '',
  sentence: `${trend.sentence} ${t('Some hits are missing in one of the periods.')}`,
});
