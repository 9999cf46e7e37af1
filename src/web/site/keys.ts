import type { View } from '../view.ts';
import { steppedRange } from './range.ts';

export const KEYS = [
  { keys: ['T'], does: 'Today' },
  { keys: ['W'], does: 'The last 7 days' },
  { keys: ['M'], does: 'The last 30 days' },
  { keys: ['Y'], does: 'The last 12 months' },
  { keys: ['←', '→'], does: 'The period before, the period after' },
  { keys: ['Esc'], does: 'Clear all filters' },
  { keys: ['?'], does: 'Show this list' },
];

const RANGES = new Map([
  ['t', 'today'],
  ['w', '7d'],
  ['m', '30d'],
  ['y', '12m'],
]);
const STEPS = new Map([
  ['ArrowLeft', -1 as const],
  ['ArrowRight', 1 as const],
]);

/** What a key changes in what is looked at; undefined for keys that change nothing. */
export function changeForKey(key: string, { range, filters }: View, today: string): Partial<View> | undefined {
  const way = STEPS.get(key);
  const next = way ? steppedRange(range, today, way) : RANGES.get(key.toLowerCase());
  if (next !== undefined) return next === range ? undefined : { range: next };
  return key === 'Escape' && Object.keys(filters).length > 0 ? { filters: {} } : undefined;
}
