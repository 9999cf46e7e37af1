// A filter has a name, a condition and values, such as `country: ['DE', 'FR']`. These functions check and change the
// filters of a view. They return new filters, and never change the object that they get.
//
// Example: `toggled({country: ['DE']}, 'country', 'FR', true)` is `{country: ['DE', 'FR']}`.
//
// The rows of panels and the filter form call these functions.

import { t } from './texts.ts';
import { type FilterKey, type FilterName, type Filters, isProperty, keyOf } from './view.ts';

/**
 * The form that the API requires for the values of some filters: a path, a text that is not empty, or a number. A
 * filter by a property also needs a text that is not empty. All other filters accept any text. For these filters, an
 * empty text selects the visits without a value.
 */
const FORMATS: Partial<Record<FilterName, RegExp>> = {
  page: /^\//,
  entry: /^\//,
  exit: /^\//,
  event: /./s,
  goal: /./,
  pageviews: /^\d{1,6}$/,
};

export const isFilter = (name: FilterName, value: string): boolean =>
  isProperty(name) ? value !== '' : (FORMATS[name]?.test(value) ?? true);

export const hasValue = (filters: Filters, key: FilterKey, value: string): boolean =>
  filters[key]?.includes(value) ?? false;

/** The API's limits on the number of values: in one filter, and in all filters together. */
const [MOST_VALUES, MOST_IN_ALL] = [20, 50];

/** Explains why no further value can be added to a filter. Returns undefined if a further value is allowed. */
export function whyFull(filters: Filters, key: FilterKey): string | undefined {
  if ((filters[key]?.length ?? 0) >= MOST_VALUES)
    return t('A filter can have at most {most} values.', { most: MOST_VALUES });
  return Object.values(filters).flat().length >= MOST_IN_ALL
    ? t('All filters together can have at most {most} values.', { most: MOST_IN_ALL })
    : undefined;
}

export const added = (filters: Filters, key: FilterKey, value: string): Filters =>
  hasValue(filters, key, value) ? filters : { ...filters, [key]: [...(filters[key] ?? []), value] };

/** Removes one value from a filter. If the filter has no other value, the whole filter is removed. */
export function removed(filters: Filters, key: FilterKey, value: string): Filters {
  const { [key]: before = [], ...others } = filters;
  const left = before.filter((one) => one !== value);
  return left.length > 0 ? { ...filters, [key]: left } : others;
}

export function moved(filters: Filters, from: FilterKey, to: FilterKey): Filters {
  const { [from]: values = [], ...others } = filters;
  return values.reduce<Filters>((all, value) => added(all, to, value), others);
}

/**
 * Removes the value if the filter has it. Otherwise adds the value. With `isAnother`, the filter keeps its other
 * values, and a full filter does not change. Without `isAnother`, the value replaces the other values.
 */
export function toggled(filters: Filters, key: FilterKey, value: string, isAnother: boolean): Filters {
  if (hasValue(filters, key, value)) return removed(filters, key, value);
  if (isAnother && whyFull(filters, key)) return filters;
  return isAnother ? added(filters, key, value) : { ...filters, [key]: [value] };
}

/**
 * Adds a value that visits must not have, such as "Country is not FR". If a filter "Country is FR" exists, FR is
 * removed from it.
 */
export function filteredOut(filters: Filters, name: FilterName, value: string): Filters {
  const [others, key] = [removed(filters, name, value), keyOf(name, 'not')];
  return whyFull(others, key) ? filters : added(others, key, value);
}

type Modifiers = { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean };

/**
 * True for a click with Ctrl, Cmd or Shift. Such a click adds a value to the selected values. A plain click replaces
 * the selected values. On the keyboard, people use Shift+Enter, because Enter with Ctrl does not click a button.
 */
export const isForAnother = ({ ctrlKey, metaKey, shiftKey }: Modifiers): boolean => ctrlKey || metaKey || shiftKey;

/**
 * Says whether a value is selected as a filter. Rows of panels and countries on the map show this. `onSelect` is what a
 * click does. All fields are missing if the value cannot be a filter, such as the page `(other)`.
 */
export type Selection = {
  isSelected?: boolean;
  /** True if only other values are selected. This value is then shown in a paler colour. */
  isBeside?: boolean;
  /** Selects the value, or deselects it if it is selected. With `isAnother`, other selected values stay selected. */
  onSelect?(isAnother: boolean): void;
  /** Sets a filter that leaves out the visits with this value. */
  onFilterOut?(): void;
};
