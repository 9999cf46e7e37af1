import { changeView, type View } from '../address.ts';
import type { ApiError } from '../api.ts';
import { Empty } from '../parts/states.tsx';
import { FilterBar } from './filter-bar.tsx';

type Props = { domain: string; view: View; error: ApiError };

/** An address that somebody typed, or that is older than what it names. */
export function Refused({ domain, view, error }: Props) {
  return (
    <>
      <FilterBar domain={domain} view={view} />
      <div class="card" role="alert">
        <Empty title="These figures cannot be shown">
          {error.status === 404 && view.filters.goal !== undefined ? (
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
