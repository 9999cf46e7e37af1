import { changeView } from '../core/address.ts';
import type { ApiError } from '../core/api.ts';
import { useScope } from '../core/scope.ts';
import { t } from '../core/texts.ts';
import type { View } from '../core/view.ts';
import { Empty } from '../ui/empty.tsx';

/**
 * The message if the API refuses the range or the filters of the URL. The user may have mistyped the URL, or a filter
 * may name a goal that somebody removed.
 */
export function InvalidView({ error }: { error: ApiError }) {
  const { view } = useScope();
  return (
    <div class="card" role="alert">
      <Empty title={t('This report cannot be displayed')}>
        <p>{reasonOf(error, view)}</p>
        <p>
          <button type="button" class="primary" onClick={() => changeView({ range: '30d', filters: {} })}>
            {t('Show the last 30 days')}
          </button>
        </p>
      </Empty>
    </div>
  );
}

function reasonOf({ status, message, fields, fieldCodes }: ApiError, { filters }: View): string {
  if (status === 404 && (filters.goal ?? filters['goal.not']) !== undefined)
    return t('The goal in this filter no longer exists.');
  if (fieldCodes.range?.code === 'range_too_long') return t('This period is longer than two years.');
  if (fields.range !== undefined) return t('This period is not valid.');
  const [filter] = Object.keys(fields).filter((field) => field.startsWith('filters'));
  return filter === undefined
    ? message
    : t('One of the filters is not valid: {reason}', { reason: fields[filter] ?? '' });
}
