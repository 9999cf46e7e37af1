import type { FunnelStep } from '../../api/answers.ts';
import { counted, number, percent } from '../format.ts';
import { GOAL_TYPES } from '../goal-types.ts';

/** How many visitors did not go on from one step to the next. */
function Loss({ from, to }: { from: FunnelStep | undefined; to: FunnelStep }) {
  if (!from?.visitors) return null;
  const lost = from.visitors - to.visitors;
  return (
    <p class="funnel-steps-loss">
      {lost === 0
        ? 'All went on'
        : `${counted(lost, 'visitor')} (${percent(100 - to.share_of_previous)}) did not go on`}
    </p>
  );
}

function Step({ of: { type, value, visitors, share_of_first } }: { of: FunnelStep }) {
  return (
    <div class="funnel-steps-step">
      <span class="panel-bar" style={{ width: `${share_of_first}%` }} />
      <span class="panel-value" title={value}>
        {value} <span class="panel-note">{GOAL_TYPES[type]}</span>
      </span>
      <span>
        {number(visitors)}
        <span class="unseen"> visitors</span>
      </span>
      <span class="funnel-steps-share">{percent(share_of_first)}</span>
    </div>
  );
}

/** The steps of a funnel; the bar of each is its part of the first. */
export function FunnelSteps({ steps }: { steps: readonly FunnelStep[] }) {
  const last = steps.at(-1);
  return (
    <div class="funnel-steps">
      {last && steps[0]?.visitors ? (
        <p>
          <strong>{percent(last.share_of_first)}</strong> of {counted(steps[0].visitors, 'visitor')} went all the way.
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
