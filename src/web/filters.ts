// A filter has a name, a condition and values, such as `country: ['DE', 'FR']`. The functions here check and change the
// filters of a view. They never change an object, and give a new one.
//
// Example: `toggled({country: ['DE']}, 'country', 'FR', true)` is `{country: ['DE', 'FR']}`.
//
// Rows of panels and the filter form call them.

import { t } from './texts.ts';
import type { FilterKey, FilterName, Filters } from './view.ts';

/**
 * The values that the API takes for these filters. Other filters take any value, and the empty one stands for "none".
 */
const FORMATS: Partial<Record<FilterName, RegExp>> = {
  page: /^\//,
  entry: /^\//,
  exit: /^\//,
  event: /./s,
  goal: /./,
  pageviews: /^\d{1,6}$/,
};

export const isFilter = (name: FilterName, value: string): boolean => FORMATS[name]?.test(value) ?? true;

export const hasValue = (filters: Filters, key: FilterKey, value: string): boolean =>
  filters[key]?.includes(value) ?? false;

/** The API's limits: values of one filter, and of all filters. */
const [MOST_VALUES, MOST_IN_ALL] = [20, 50];

/** The sentence for a filter that is full. Undefined if one more value fits. */
export function whyFull(filters: Filters, key: FilterKey): string | undefined {
  if ((filters[key]?.length ?? 0) >= MOST_VALUES)
    return t('A filter takes {most} values at most.', { most: MOST_VALUES });
  return Object.values(filters).flat().length >= MOST_IN_ALL
    ? t('All filters together take {most} values at most.', { most: MOST_IN_ALL })
    : undefined;
}

/** Adds a value to a filter. */
export const added = (filters: Filters, key: FilterKey, value: string): Filters =>
  hasValue(filters, key, value) ? filters : { ...filters, [key]: [...(filters[key] ?? []), value] };

/** Removes a value from a filter. A filter without values is removed as well. */
export function removed(filters: Filters, key: FilterKey, value: string): Filters {
  const { [key]: before = [], ...others } = filters;
  const left = before.filter((one) => one !== value);
  return left.length > 0 ? { ...filters, [key]: left } : others;
}

/** Moves all values of one filter to another. */
export function moved(filters: Filters, from: FilterKey, to: FilterKey): Filters {
  const { [from]: values = [], ...others } = filters;
  return values.reduce<Filters>((all, value) => added(all, to, value), others);
}

/**
 * Removes the value if it is set. Otherwise sets it: beside the filter's other values if `isAnother`, or else in
 * their place.
 */
export function toggled(filters: Filters, key: FilterKey, value: string, isAnother: boolean): Filters {
  if (hasValue(filters, key, value)) return removed(filters, key, value);
  if (isAnother && whyFull(filters, key)) return filters;
  return isAnother ? added(filters, key, value) : { ...filters, [key]: [value] };
}

type Modifiers = { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean };

/**
 * Whether a click selects another value beside those selected. Shift counts too, because Enter with Ctrl presses no
 * button.
 */
export const isForAnother = ({ ctrlKey, metaKey, shiftKey }: Modifiers): boolean => ctrlKey || metaKey || shiftKey;
