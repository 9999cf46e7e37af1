import { t } from './texts.ts';
import type { FilterKey, FilterName, Filters } from './view.ts';

/** What the API takes as a value of these; of the other filters it takes any, the empty value for none. */
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

/** As many as the API takes, of a filter and of all. */
const [MOST_VALUES, MOST_IN_ALL] = [20, 50];

/** Why a filter takes no more values. */
export function whyFull(filters: Filters, key: FilterKey): string | undefined {
  if ((filters[key]?.length ?? 0) >= MOST_VALUES)
    return t('A filter takes {most} values at most.', { most: MOST_VALUES });
  return Object.values(filters).flat().length >= MOST_IN_ALL
    ? t('All filters together take {most} values at most.', { most: MOST_IN_ALL })
    : undefined;
}

/** The filters with one more value. */
export const added = (filters: Filters, key: FilterKey, value: string): Filters =>
  hasValue(filters, key, value) ? filters : { ...filters, [key]: [...(filters[key] ?? []), value] };

/** The filters without a value, and without the filter where it was the last. */
export function removed(filters: Filters, key: FilterKey, value: string): Filters {
  const { [key]: before = [], ...others } = filters;
  const left = before.filter((one) => one !== value);
  return left.length > 0 ? { ...filters, [key]: left } : others;
}

/** The filters with the values of one in another. */
export function moved(filters: Filters, from: FilterKey, to: FilterKey): Filters {
  const { [from]: values = [], ...others } = filters;
  return values.reduce<Filters>((all, value) => added(all, to, value), others);
}

/** The filters without this value if it was set; else with it, in place of the others or beside them. */
export function toggled(filters: Filters, key: FilterKey, value: string, isAnother: boolean): Filters {
  if (hasValue(filters, key, value)) return removed(filters, key, value);
  if (isAnother && whyFull(filters, key)) return filters;
  return isAnother ? added(filters, key, value) : { ...filters, [key]: [value] };
}

type Modifiers = { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean };

/** Whether a click asks for another value beside those before. With Shift, because no other key lets Enter press a button. */
export const isForAnother = ({ ctrlKey, metaKey, shiftKey }: Modifiers): boolean => ctrlKey || metaKey || shiftKey;
