import { useNow } from '../core/clock.ts';
import { timeOfDay } from '../core/format.ts';
import { refresh, useTrouble } from '../core/refresh.ts';
import { t } from '../core/texts.ts';

/**
 * Says that the server cannot be reached, or since when the page could not be refreshed. The message disappears after
 * the next refresh that works.
 */
export function NotRefreshed() {
  const { shownAt, message } = useTrouble();
  const now = useNow();
  const text = message ?? (shownAt && t('Not updated since {time}', { time: timeOfDay(shownAt) }));
  return (
    <div role="status">
      {text && (
        <p class="not-refreshed">
          {text}
          <button type="button" class="plain small" onClick={() => void refresh(now)}>
            {t('Try again')}
          </button>
        </p>
      )}
    </div>
  );
}
