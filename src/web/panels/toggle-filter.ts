import type { FilterName, Filters } from '../address.ts';

/** What the API takes as a value: of the others, any, and the empty one for none. */
const FORM: Partial<Record<FilterName, RegExp>> = { page: /^\//, entry: /^\//, event: /./s, goal: /./ };

export const isFilter = (name: FilterName, value: string): boolean => FORM[name]?.test(value) ?? true;

/** The filters with this one too, or without it where it was on. */
export function toggled(filters: Filters, name: FilterName, value: string): Filters {
  const { [name]: before, ...others } = filters;
  return before === value ? others : { ...others, [name]: value };
}
