import {
  type Condition,
  FILTERS as DIMENSION_FILTERS,
  type FilterName as DimensionFilter,
  isClosed,
  NUMBER_FILTERS,
  type NumberFilter,
} from '../stats/dimensions.ts';

export type FilterName = DimensionFilter | NumberFilter;
export const FILTERS: readonly FilterName[] = [...DIMENSION_FILTERS, ...NUMBER_FILTERS];

export const isNumber = (name: FilterName): name is NumberFilter =>
  (NUMBER_FILTERS as readonly string[]).includes(name);

/** What a filter says of its value. */
export const CONDITION_NAMES = {
  is: 'is',
  not: 'is not',
  contains: 'contains',
  lacks: 'does not contain',
} as const satisfies Record<Condition, string>;

/** Conditions on a part of values, which is typed and not chosen. */
export const isTyped = (condition: Condition): boolean => condition === 'contains' || condition === 'lacks';

/** A filter in the address: its name, with a condition that is not `is`. */
export type FilterKey = FilterName | `${FilterName}.${Exclude<Condition, 'is'>}`;
/** With several values a filter asks for one of them, or for none of them. */
export type Filters = Partial<Record<FilterKey, readonly string[]>>;

export const keyOf = (name: FilterName, condition: Condition): FilterKey =>
  condition === 'is' ? name : `${name}.${condition}`;

export function partsOf(key: FilterKey): [name: FilterName, condition: Condition] {
  const [name, condition = 'is'] = key.split('.') as [FilterName, Condition?];
  return [name, condition];
}

/** Values that are chosen from a list contain nothing. */
export const conditionsOf = (name: FilterName): Condition[] =>
  isNumber(name) || isClosed(name) ? ['is', 'not'] : ['is', 'not', 'contains', 'lacks'];

export const FILTER_KEYS: readonly FilterKey[] = FILTERS.flatMap((name) =>
  conditionsOf(name).map((condition) => keyOf(name, condition)),
);

/** What the page of a site shows. `more` holds which tabs are open and the like, by names of their own. */
export type View = { range: string; filters: Filters; more: Record<string, string> };
