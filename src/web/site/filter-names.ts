import type { Goal } from '../../api/goals.ts';
import { country } from '../format.ts';
import type { FilterName } from '../view.ts';

type Filter = {
  name: string;
  /** The breakdown whose values are suggested. */
  breakdown: string;
  /** What the empty value is called, where there is one. */
  emptyValue?: string;
};

export const FILTER_NAMES: Record<FilterName, Filter> = {
  page: { name: 'Page', breakdown: 'pages' },
  entry: { name: 'Entry page', breakdown: 'entry_pages' },
  source: { name: 'Source', breakdown: 'referrers', emptyValue: 'Direct' },
  country: { name: 'Country', breakdown: 'countries', emptyValue: 'Unknown' },
  device: { name: 'Device', breakdown: 'devices', emptyValue: 'Unknown' },
  browser: { name: 'Browser', breakdown: 'browsers', emptyValue: 'Unknown' },
  os: { name: 'Operating system', breakdown: 'operating_systems', emptyValue: 'Unknown' },
  event: { name: 'Event', breakdown: 'events' },
  goal: { name: 'Goal', breakdown: 'goals' },
  utm_source: { name: 'Campaign source', breakdown: 'utm_source', emptyValue: 'none' },
  utm_medium: { name: 'Campaign medium', breakdown: 'utm_medium', emptyValue: 'none' },
  utm_campaign: { name: 'Campaign name', breakdown: 'utm_campaign', emptyValue: 'none' },
};

export function filterValueText(name: FilterName, value: string, goals: Pick<Goal, 'id' | 'value'>[] = []): string {
  if (name === 'goal') return goals.find(({ id }) => String(id) === value)?.value ?? `number ${value}`;
  if (value === '') return FILTER_NAMES[name].emptyValue ?? 'none';
  return name === 'country' ? country(value.toUpperCase()) : value;
}
