// A view is what the URL of a report says: its range, its open tabs and its filters. This file has the names and the
// conditions of filters. A filter is about a dimension, a goal, the pageviews of a visit, or a property.
//
// Example: the filter `property:plan.not` with the value `pro` leaves out the visits whose plan is pro.
//
// address.ts reads and writes views. The filter form and the panels change them.

import {
  type Condition,
  FILTERS as DIMENSION_FILTERS,
  type FilterName as DimensionFilter,
  isClosed,
  NUMBER_FILTERS,
  type NumberFilter,
} from '../../stats/dimensions.ts';
import type { Choices } from './parameters.ts';

/** The name of a filter by a property of hits, such as `property:plan`. */
export type PropertyFilter = `property:${string}`;
/** The filters that every site has. In addition, each site has filters by its own properties. */
export type KnownFilter = DimensionFilter | NumberFilter;
export type FilterName = KnownFilter | PropertyFilter;
export const FILTERS: readonly KnownFilter[] = [...DIMENSION_FILTERS, ...NUMBER_FILTERS];

export const isNumber = (name: FilterName): name is NumberFilter =>
  (NUMBER_FILTERS as readonly string[]).includes(name);

const OF_PROPERTY = 'property:';
export const isProperty = (name: FilterName): name is PropertyFilter => name.startsWith(OF_PROPERTY);
export const filterOf = (property: string): PropertyFilter => `${OF_PROPERTY}${property}`;
export const propertyOf = (name: PropertyFilter): string => name.slice(OF_PROPERTY.length);

export const CONDITION_NAMES = {
  is: 'is',
  not: 'is not',
  contains: 'contains',
  lacks: 'does not contain',
} as const satisfies Record<Condition, string>;

/** True for the conditions "contains" and "does not contain". Their values are typed, and not chosen from a list. */
export const isTyped = (condition: Condition): boolean => condition === 'contains' || condition === 'lacks';

/**
 * The key of a filter in the URL. It is the name, such as `page`. A condition other than `is` follows after a dot, as
 * in `page.not`.
 */
export type FilterKey = FilterName | `${FilterName}.${Exclude<Condition, 'is'>}`;
/**
 * Filters with their values. The values of a filter are joined by "or". With the condition `not` or `lacks`, a visit
 * must match none of the values.
 */
export type Filters = Partial<Record<FilterKey, readonly string[]>>;

export const keyOf = (name: FilterName, condition: Condition): FilterKey =>
  condition === 'is' ? name : `${name}.${condition}`;

export function partsOf(key: FilterKey): [name: FilterName, condition: Condition] {
  const [name, condition = 'is'] = key.split('.') as [FilterName, Condition?];
  return [name, condition];
}

/**
 * Lists the conditions that a filter may have. "contains" makes no sense for numbers, or for a filter with a fixed list
 * of values, such as devices.
 */
export const conditionsOf = (name: FilterName): Condition[] =>
  !isProperty(name) && (isNumber(name) || isClosed(name)) ? ['is', 'not'] : ['is', 'not', 'contains', 'lacks'];

const FILTER_KEYS: readonly FilterKey[] = FILTERS.flatMap((name) =>
  conditionsOf(name).map((condition) => keyOf(name, condition)),
);

/**
 * Matches the key of a filter by a property, such as `property:plan.not`. The API allows only names of properties that
 * this expression matches. One of these names is `(other)`.
 */
const PROPERTY_KEY = /^property:(?:[a-z][a-z0-9_]{0,39}|\(other\))(?:\.(?:not|contains|lacks))?$/;

export const isKey = (name: string): name is FilterKey =>
  (FILTER_KEYS as readonly string[]).includes(name) || PROPERTY_KEY.test(name);

/** Lists the keys of filters in the order in which pages show the filters and URLs contain them. */
export const keysOf = (filters: Filters): FilterKey[] => [
  ...FILTER_KEYS.filter((key) => filters[key] !== undefined),
  ...(Object.keys(filters) as FilterKey[]).filter((key) => PROPERTY_KEY.test(key)),
];

/** What the URL says about a report. */
export type View = Choices & { filters: Filters };
