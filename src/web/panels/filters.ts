import type { FilterKey, FilterName, Filters } from '../view.ts';

/** What the API takes as a value of these; of the other filters it takes any, the empty value for none. */
const FORMATS: Partial<Record<FilterName, RegExp>> = {
  page: /^\//,
  entry: /^\//,
  exit: /^\//,
  event: /./s,
  goal: /./,
};

export const isFilter = (name: FilterName, value: string): boolean => FORMATS[name]?.test(value) ?? true;

/** The filters with this one added, or without it if it was set. */
export function toggled(filters: Filters, name: FilterKey, value: string): Filters {
  const { [name]: before, ...others } = filters;
  return before === value ? others : { ...others, [name]: value };
}
