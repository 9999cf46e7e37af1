import { FILTERS as DIMENSION_FILTERS, type FilterName as DimensionFilter } from '../stats/dimensions.ts';

export type FilterName = DimensionFilter | 'goal';
export const FILTERS: readonly FilterName[] = [...DIMENSION_FILTERS, 'goal'];
export type Filters = Partial<Record<FilterName, string>>;

/** What the page of a site shows. `more` holds which tabs are open and the like, by names of their own. */
export type View = { range: string; filters: Filters; more: Record<string, string> };
