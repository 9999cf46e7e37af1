import {
  type Condition,
  FILTERS as DIMENSION_FILTERS,
  type FilterName as DimensionFilter,
  isClosed,
  NUMBER_FILTERS,
  type NumberFilter,
} from '../../stats/dimensions.ts';

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

/** True if the condition is about a part of a text. Its value is typed, and not chosen from a list. */
export const isTyped = (condition: Condition): boolean => condition === 'contains' || condition === 'lacks';

/** The name of a filter in the URL, such as `page`. A condition other than `is` is added, as in `page.not`. */
export type FilterKey = FilterName | `${FilterName}.${Exclude<Condition, 'is'>}`;
/** The values of a filter are joined by "or". With the condition `not`, a visit must have none of the values. */
export type Filters = Partial<Record<FilterKey, readonly string[]>>;

export const keyOf = (name: FilterName, condition: Condition): FilterKey =>
  condition === 'is' ? name : `${name}.${condition}`;

export function partsOf(key: FilterKey): [name: FilterName, condition: Condition] {
  const [name, condition = 'is'] = key.split('.') as [FilterName, Condition?];
  return [name, condition];
}

/** Lists the conditions of a filter. A filter whose values come from a fixed list has no condition "contains". */
export const conditionsOf = (name: FilterName): Condition[] =>
  isNumber(name) || isClosed(name) ? ['is', 'not'] : ['is', 'not', 'contains', 'lacks'];

export const FILTER_KEYS: readonly FilterKey[] = FILTERS.flatMap((name) =>
  conditionsOf(name).map((condition) => keyOf(name, condition)),
);

/** What the URL says about a report. `more` has other choices, such as the open tabs, by their names in the URL. */
export type View = { range: string; filters: Filters; more: Record<string, string> };
