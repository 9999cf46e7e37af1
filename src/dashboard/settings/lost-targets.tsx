import type { PageParameters } from '../../api/page-parameters.ts';
import { t } from '../core/texts.ts';

/**
 * Warns about goals and funnel steps that no visitor could reach after a change of page parameters or private segments.
 * Their pages would then be stored under another path.
 */
export const LostTargets = ({ of: targets }: { of: PageParameters['targets'] }) =>
  targets.map(({ value, becomes }) => (
    <p key={value} class="bad">
      {t('A goal or funnel step uses {value}, which will be stored as {becomes}. Update it, or it will never match.', {
        value,
        becomes,
      })}
    </p>
  ));
