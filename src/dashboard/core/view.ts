import {
  type Condition,
  FILTERS as DIMENSION_FILTERS,
  type FilterName as DimensionFilter,
  isClosed,
  NUMBER_FILTERS,
  type NumberFilter,
} from '../../stats/dimensions.ts';
import type { Choices } from './parameters.ts';

export type FilterName = DimensionFilter | NumberFilter;
export const FILTERS: readonly FilterName[] = [...DIMENSION_FILTERS, ...NUMBER_FILTERS];

export const isNumber = (name: FilterName): name is NumberFilter =>
  (NUMBER_FILTERS as readonly string[]).includes(name);

export const CONDITION_NAMES = {
  is: 'is',
  not: 'is not',
  contains: 'contains',
  lacks: 'does not contain',
} as const satisfies Record<Condition, string>;

/** True for the conditions "contains" and "does not contain". Their values are typed, and not chosen from a list. */
export const isTyped = (condition: Condition): boolean => condition === 'contains' || condition === 'lacks';

/** The key of a filter in the URL: its name, such as `page`, and any condition other than `is`, as in `page.not`. */
export type FilterKey = FilterName | `${FilterName}.${Exclude<Condition, 'is'>}`;
/** The values of a filter are joined by "or". With the condition `not`, a visit must have none of the values. */
export type Filters = Partial<Record<FilterKey, readonly string[]>>;

export const keyOf = (name: FilterName, condition: Condition): FilterKey =>
  condition === 'is' ? name : `${name}.${condition}`;

export function partsOf(key: FilterKey): [name: FilterName, condition: Condition] {
  const [name, condition = 'is'] = key.split('.') as [FilterName, Condition?];
  return [name, condition];
}

/**
 * Lists the conditions that a filter may have. A filter with a fixed list of values, such as devices, or with numbers
 * has no condition "contains".
 */
export const conditionsOf = (name: FilterName): Condition[] =>
  isNumber(name) || isClosed(name) ? ['is', 'not'] : ['is', 'not', 'contains', 'lacks'];

export const FILTER_KEYS: readonly FilterKey[] = FILTERS.flatMap((name) =>
  conditionsOf(name).map((condition) => keyOf(name, condition)),
);

/** What the URL says about a report. */
export type View = Choices & { filters: Filters };
