import { timeOfDay } from '../format.ts';
import { refresh, useNotRefreshedSince } from '../refresh.ts';

/** Says quietly that what is shown is of before; it goes by itself once the server answers again. */
export function NotRefreshed() {
  const since = useNotRefreshedSince();
  return (
    <div role="status">
      {since !== undefined && (
        <p class="not-refreshed">
          Not refreshed since {timeOfDay(since)}
          <button type="button" class="plain small" onClick={() => void refresh()}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}
