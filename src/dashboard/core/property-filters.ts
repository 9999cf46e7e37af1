import type { Breakdown } from '../../api/answers.ts';
import { sitePath } from './address.ts';
import { useData } from './api.ts';
import { filterOf, type PropertyFilter } from './view.ts';

/** Lists a filter for each property that the site has in a range, at most 100. Without a domain, the list is empty. */
export function usePropertyFilters(domain: string | undefined, range: string): PropertyFilter[] {
  const path = domain === undefined ? undefined : sitePath(domain, '/stats/breakdown/properties');
  const { data } = useData<Breakdown>(path, { range, limit: '100' }, 0);
  return (data?.rows ?? []).map(({ value }) => filterOf(value)).toSorted();
}
