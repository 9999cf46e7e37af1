// The names of filters and of their values, in the language of the page.
//
// Example: the filter `country.not` with the value DE is "Country is not Germany".
//
// The filter bar, the filter form and the exclusions show these names.

import type { Goal } from '../../api/goals.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import type { DimensionName } from '../../stats/dimensions.ts';
import { country, languageName } from './format.ts';
import { nameTarget } from './goal-types.ts';
import { NAMED_DIMENSIONS } from './named-dimensions.ts';
import { readable } from './readable.ts';
import { t } from './texts.ts';
import {
  CONDITION_NAMES,
  type FilterKey,
  type FilterName,
  isProperty,
  type KnownFilter,
  partsOf,
  propertyOf,
} from './view.ts';

type Filter = {
  name: DashboardMessage;
  /** The API's name of the breakdown whose values the filter form suggests, such as `countries`. */
  breakdown?: string;
  /** The text for the empty value, such as "Unknown" for a visit without a country. */
  emptyValue?: DashboardMessage;
};

const FILTER_NAMES: Record<KnownFilter, Filter> = {
  ...NAMED_DIMENSIONS,
  goal: { name: 'Goal' },
  pageviews: { name: 'Pages per visit' },
};

export const filterText = (name: FilterName): string =>
  isProperty(name) ? t('Property {name}', { name: propertyOf(name) }) : t(FILTER_NAMES[name].name);

export const emptyValueOf = (name: FilterName): DashboardMessage | undefined =>
  isProperty(name) ? undefined : FILTER_NAMES[name].emptyValue;

/** Finds the breakdown whose values the filter form suggests, and the parameters that this breakdown needs. */
export function suggestedBy(name: FilterName): { breakdown?: string | undefined; parameters: Record<string, string> } {
  return isProperty(name)
    ? { breakdown: 'property_values', parameters: { property: propertyOf(name) } }
    : { breakdown: FILTER_NAMES[name].breakdown, parameters: {} };
}

/**
 * Dimensions whose values have a different text in each language, such as DE for Germany. The functions write a value
 * in the language of the page.
 */
export const VALUE_NAMES: Partial<Record<DimensionName, (code: string) => string>> = {
  country,
  language: languageName,
  channel: (name) => t(name as DashboardMessage),
};

export function filterValueText(
  name: FilterName,
  value: string,
  goals: Pick<Goal, 'id' | 'value' | 'property'>[] = [],
): string {
  if (name === 'goal') {
    const goal = goals.find(({ id }) => String(id) === value);
    return goal ? nameTarget(goal) : t('unknown goal (ID {id})', { id: value });
  }
  if (value === '') return t(emptyValueOf(name) ?? 'none');
  const nameValue = VALUE_NAMES[name as DimensionName];
  return nameValue ? nameValue(value) : readable(name, value);
}

/** Writes the beginning of a filter's sentence, such as "Page is not". */
export function headOf(key: FilterKey): string {
  const [name, condition] = partsOf(key);
  return t('{name} {condition}', { name: filterText(name), condition: t(CONDITION_NAMES[condition]) });
}
