import { timeOfDay } from '../core/format.ts';
import { refresh, useNotRefreshedSince } from '../core/refresh.ts';
import { t } from '../core/texts.ts';

/** Says since when the page could not be refreshed. The text disappears when a refresh succeeds. */
export function NotRefreshed() {
  const since = useNotRefreshedSince();
  return (
    <div role="status">
      {since !== undefined && (
        <p class="not-refreshed">
          {t('Not updated since {time}', { time: timeOfDay(since) })}
          <button type="button" class="plain small" onClick={() => void refresh()}>
            {t('Try again')}
          </button>
        </p>
      )}
    </div>
  );
}
