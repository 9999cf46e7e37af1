import { changeView } from '../address.ts';
import type { ApiError } from '../api.ts';
import { Empty } from '../parts/empty.tsx';
import type { View } from '../view.ts';
import { FilterBar } from './filter-bar.tsx';

type Props = { domain: string | undefined; view: View; error: ApiError };

/** Shown when the address has a range or filter that the API refuses: mistyped, or about a goal that was removed. */
export function InvalidView({ domain, view, error }: Props) {
  return (
    <>
      <FilterBar domain={domain} view={view} />
      <div class="card" role="alert">
        <Empty title="These figures cannot be shown">
          {error.status === 404 && (view.filters.goal ?? view.filters['goal.not']) !== undefined ? (
            <p>The goal that the visits are filtered by does not exist any more.</p>
          ) : (
            <p>{error.message}</p>
          )}
          <p>
            <button type="button" class="primary" onClick={() => changeView({ range: '30d', filters: {} })}>
              Show the last 30 days
            </button>
          </p>
        </Empty>
      </div>
    </>
  );
}
