import { timeOfDay } from '../core/format.ts';
import { refresh, useTrouble } from '../core/refresh.ts';
import { t } from '../core/texts.ts';

/**
 * Says that the server cannot be reached, or since when the page could not be refreshed. This disappears after the next
 * refresh that works.
 */
export function NotRefreshed() {
  const { shownAt, message } = useTrouble();
  const text = message ?? (shownAt && t('Not updated since {time}', { time: timeOfDay(shownAt) }));
  return (
    <div role="status">
      {text && (
        <p class="not-refreshed">
          {text}
          <button type="button" class="plain small" onClick={() => void refresh()}>
            {t('Try again')}
          </button>
        </p>
      )}
    </div>
  );
}
