import type { FunnelStep } from '../../api/stats.ts';
import { number, percent } from '../format.ts';
import { targetOf } from './words.ts';

const people = (count: number): string => (count === 1 ? '1 visitor' : `${number(count)} visitors`);

/** What was lost on the way from one step to the next. */
function Loss({ from, to }: { from: FunnelStep | undefined; to: FunnelStep }) {
  if (!from?.visitors) return null;
  const lost = from.visitors - to.visitors;
  return (
    <p class="loss">
      {lost === 0 ? 'All went on' : `${people(lost)} (${percent(100 - to.share_of_previous)}) did not go on`}
    </p>
  );
}

function Step({ of: { type, value, visitors, share_of_first } }: { of: FunnelStep }) {
  return (
    <div class="stage">
      <span class="bar" style={{ width: `${share_of_first}%` }} />
      <span class="value" title={value}>
        {value} <span class="note">{targetOf(type)}</span>
      </span>
      <span class="count">
        {number(visitors)}
        <span class="unseen"> visitors</span>
      </span>
      <span class="share">{percent(share_of_first)}</span>
    </div>
  );
}

/** The steps of a funnel from top to bottom, each as wide as its share of the first. */
export function Steps({ steps }: { steps: readonly FunnelStep[] }) {
  const last = steps.at(-1);
  return (
    <div class="funnel">
      {last && steps[0]?.visitors ? (
        <p>
          <strong>{percent(last.share_of_first)}</strong> of {people(steps[0].visitors)} went all the way.
        </p>
      ) : (
        <p>Nobody took the first step in these days.</p>
      )}
      <ol>
        {steps.map((step, i) => (
          <li key={i}>
            <Loss from={steps[i - 1]} to={step} />
            <Step of={step} />
          </li>
        ))}
      </ol>
    </div>
  );
}
