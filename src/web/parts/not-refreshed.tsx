import { timeOfDay } from '../format.ts';
import { refresh, useNotRefreshedSince } from '../refresh.ts';
import { t } from '../texts.ts';

/** Says quietly that what is shown is of before; it goes by itself once the server answers again. */
export function NotRefreshed() {
  const since = useNotRefreshedSince();
  return (
    <div role="status">
      {since !== undefined && (
        <p class="not-refreshed">
          {t('Not refreshed since {time}', { time: timeOfDay(since) })}
          <button type="button" class="plain small" onClick={() => void refresh()}>
            {t('Try again')}
          </button>
        </p>
      )}
    </div>
  );
}
