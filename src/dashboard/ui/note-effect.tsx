// The effect of a note. A note says what happened on a day, such as a release. Its effect is the difference between the
// two weeks after the note and the two weeks before. A sentence of the server says whether this difference may be
// chance. The sentence never names a cause, because figures cannot show a cause.
//
// Example: 700 visitors in the 14 days before the note, and 910 in the 14 days after it.
//
// The settings of notes and the dialog of a day in the chart show `NoteEffect` below each note.

import { useState } from 'preact/hooks';
import type { Effect } from '../../api/effects.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { useData } from '../core/api.ts';
import { number } from '../core/format.ts';
import { said } from '../core/server-text.ts';
import { plural, t } from '../core/texts.ts';
import { Answer } from './loaded.tsx';

const METRICS: Record<Metric, DashboardMessage> = {
  visitors: 'Visitors',
  pageviews: 'Pageviews',
  conversions: 'Conversions of the main goal',
};
type Metric = 'visitors' | 'pageviews' | 'conversions';

/** Shows the effect of a note. The effect is requested only when the user opens this element. */
export function NoteEffect({ path, hasGoal }: { path: string; hasGoal: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [metric, setMetric] = useState<Metric>('visitors');
  const effect = useData<Effect>(isOpen ? `${path}/effect` : undefined, { metric });
  const metrics = Object.entries(METRICS).filter(([name]) => hasGoal || name !== 'conversions');
  return (
    <details class="note-effect" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('Compare the two weeks before and after the note')}</summary>
      {isOpen && (
        <>
          <select
            aria-label={t('Figure to compare')}
            value={metric}
            onChange={({ currentTarget }) => setMetric(currentTarget.value as Metric)}
          >
            {metrics.map(([name, text]) => (
              <option key={name} value={name}>
                {t(text)}
              </option>
            ))}
          </select>
          <Answer of={effect} lines={2}>
            {(answer) => <EffectText effect={answer} />}
          </Answer>
        </>
      )}
    </details>
  );
}

export function EffectText({ effect: { before, after, sentence, sentence_code: code } }: { effect: Effect }) {
  return (
    <>
      <p>{said(code, sentence)}</p>
      {before.days > 0 && (
        <p class="soft small">
          {plural(
            before.days,
            'Before: {before} on {count} day. After: {after} on the same weekday.',
            'Before: {before} over {count} days. After: {after} over the same number of days, with the same weekdays.',
            { before: number(before.total), after: number(after.total) },
          )}
        </p>
      )}
    </>
  );
}
