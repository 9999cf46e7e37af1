// Draws a funnel as a bar for each step. The length of a bar is the step's share of the first step. Between two bars, a
// paler part stands for the visitors that did not reach the next step.
//
// If the site has a currency, a sentence above the bars gives the revenue of the last step.
//
// Example: 200, 120 and 30 visitors give bars of 100 %, 60 % and 15 %.
//
// funnels.tsx shows `FunnelSteps`.

import type { FunnelStep } from '../../../api/answers.ts';
import { money, number, percent } from '../../core/format.ts';
import { GOAL_TYPES, nameTarget } from '../../core/goal-types.ts';
import { useScope } from '../../core/scope.ts';
import { plural, t } from '../../core/texts.ts';
import { withParts } from '../../ui/with-parts.ts';

export function FunnelSteps({ steps }: { steps: readonly FunnelStep[] }) {
  const { currency } = useScope();
  const last = steps.at(-1);
  return (
    <div class="funnel-steps">
      {last && steps[0]?.visitors ? (
        <p>
          {withParts(
            plural(
              steps[0].visitors,
              '{share} of {count} visitor completed all steps.',
              '{share} of {count} visitors completed all steps.',
            ),
            { share: <strong>{percent(last.share_of_first)}</strong> },
          )}
          {currency && last.revenue !== undefined && (
            <>
              {' '}
              {withParts(t('Revenue of the last step: {revenue}.'), {
                revenue: <strong>{money(last.revenue, currency)}</strong>,
              })}
            </>
          )}
        </p>
      ) : (
        <p>{t('No visitors reached the first step on these days.')}</p>
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

/**
 * Shows how many visitors did not reach the next step. The width of the paler part is the difference of the bars above
 * and below it.
 */
function Loss({ from, to }: { from: FunnelStep | undefined; to: FunnelStep }) {
  if (!from?.visitors) return null;
  const lost = from.visitors - to.visitors;
  const [before, after] = [from.share_of_first, to.share_of_first];
  return (
    <div class="funnel-steps-loss">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <path class="funnel-steps-kept" d={`M0 0H${before}L${after} 10H0z`} />
        <path class="funnel-steps-lost" d={`M${before} 0V10H${after}z`} />
      </svg>
      <p>
        {lost === 0
          ? t('No visitors dropped out')
          : plural(lost, '{count} visitor ({share}) dropped out', '{count} visitors ({share}) dropped out', {
              share: percent(100 - to.share_of_previous),
            })}
      </p>
    </div>
  );
}

function Step({ of: step }: { of: FunnelStep }) {
  const { type, visitors, share_of_first } = step;
  const name = nameTarget(step);
  return (
    <div class="funnel-steps-step">
      <span class="panel-bar" style={{ width: `${share_of_first}%` }} />
      <span class="panel-value" title={name}>
        {name} <span class="panel-note">{t(GOAL_TYPES[type])}</span>
      </span>
      <span>
        {number(visitors)}
        <span class="unseen"> {plural(visitors, 'visitor', 'visitors')}</span>
      </span>
      <span class="funnel-steps-share">{percent(share_of_first)}</span>
    </div>
  );
}
