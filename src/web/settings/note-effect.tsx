import { useState } from 'preact/hooks';
import type { Effect } from '../../api/effects.ts';
import { useData } from '../api.ts';
import { counted, number } from '../format.ts';
import { Answer } from '../parts/answer.tsx';

const METRICS = { visitors: 'Visitors', pageviews: 'Pageviews', conversions: 'Conversions of the main goal' };
type Metric = keyof typeof METRICS;

/** What came after a note, once somebody asks. */
export function NoteEffect({ path, hasGoal }: { path: string; hasGoal: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [metric, setMetric] = useState<Metric>('visitors');
  const effect = useData<Effect>(isOpen ? `${path}/effect` : undefined, { metric });
  const metrics = Object.entries(METRICS).filter(([name]) => hasGoal || name !== 'conversions');
  return (
    <details class="note-effect" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Two weeks after, against two before</summary>
      {isOpen && (
        <>
          <select
            aria-label="What is compared"
            value={metric}
            onChange={({ currentTarget }) => setMetric(currentTarget.value as Metric)}
          >
            {metrics.map(([name, text]) => (
              <option key={name} value={name}>
                {text}
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

/** The sentence is the server's: it says what can be told from chance, and never what caused it. */
export function EffectText({ effect: { before, after, sentence } }: { effect: Effect }) {
  return (
    <>
      <p>{sentence}</p>
      {before.days > 0 && (
        <p class="soft small">
          Before: {number(before.total)} on {counted(before.days, 'day')}. After: {number(after.total)} on as many, of
          the same weekdays.
        </p>
      )}
    </>
  );
}
