// A trend says how a figure changed since the comparison period. It has a sign, a text, and a sentence for screen
// readers. A trend has no colour for good or bad if the server missed hits in one of the two periods.
//
// Example: 1,200 visitors after 1,000 give ↑, "20.0%" and "Up 20.0% from 1,000 (3 – 9 Mar 2026).".
//
// figure-list.tsx, conversion.ts, row-changes.ts and explore/figure-text.ts make trends.

import { percent, points } from '../../core/format.ts';
import { t } from '../../core/texts.ts';

export type Trend = { sign: '↑' | '↓' | '=' | '–' | ''; text: string; kind: '' | 'good' | 'bad'; sentence: string };

/** `change` is in percent, or for a rate in percentage points. */
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
      sentence: t('The change cannot be calculated. Previous value: {previous} ({when}).', before),
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
 * The trend if the figure of the range or of the comparison period lacks totals-only days. A change would then compare
 * different numbers of days.
 */
export const notCompared = (): Trend => ({
  sign: '–',
  text: '',
  kind: '',
  sentence: t('Not compared, because only daily totals are stored for some days.'),
});

/** The trend if an import in the range or in the comparison period does not have the figure. */
export const notKnown = (): Trend => ({
  ...notCompared(),
  sentence: t('Not compared, because an import does not include this figure.'),
});

/**
 * The trend if nothing was counted in the first half of the comparison period. The other half is too little for a
 * comparison. `when` names the days of this period.
 */
export const notCounted = (when: string): Trend => ({ ...notCompared(), sentence: emptyText(when) });
export const emptyText = (when: string): string =>
  t('Not compared with {when}, because nothing was counted in the first half of that period.', { when });

/**
 * The trend if the server missed hits in the range or in the comparison period. The change is only an estimate, so it
 * gets no colour for good or bad.
 */
export const trendOfPart = (trend: Trend): Trend => ({
  ...trend,
  text: trend.text && `≈ ${trend.text}`,
  kind: '',
  sentence: `${trend.sentence} ${t('Some hits are missing in one of the periods.')}`,
});
