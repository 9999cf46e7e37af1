import type { DashboardMessage } from '../../../lang/dashboard.ts';
import type { View } from '../../core/view.ts';
import { steppedRange } from '../../dates/range.ts';

/**
 * The shortcuts that the help lists. `keys` look alike in every language. Keys in `named` have a name in each language.
 */
export const SHORTCUTS: { keys?: string[]; named?: DashboardMessage[]; does: DashboardMessage }[] = [
  { keys: ['T'], does: 'Today' },
  { keys: ['W'], does: 'The last 7 days' },
  { keys: ['M'], does: 'The last 30 days' },
  { keys: ['Y'], does: 'The last 12 months' },
  { keys: ['←', '→'], does: 'Previous period, next period' },
  { keys: ['Esc'], does: 'Clear all filters' },
  { named: ['Ctrl+click', 'Shift+Enter'], does: 'Add the selected row to the filter' },
  { keys: ['-'], does: 'Filter out the selected row' },
  { keys: ['B'], does: 'Break down the selected row' },
  { keys: ['E'], does: 'Explain the change of the selected row' },
  { keys: ['?'], does: 'Show these shortcuts' },
];

const RANGES = new Map([
  ['t', 'today'],
  ['w', '7d'],
  ['m', '30d'],
  ['y', '12m'],
]);
const DIRECTIONS = new Map([
  ['ArrowLeft', -1 as const],
  ['ArrowRight', 1 as const],
]);

/**
 * Returns how a key changes the view: the range, or with Escape the filters. Returns undefined if the key changes
 * nothing.
 */
export function changeForKey(key: string, { range, filters }: View, today: string): Partial<View> | undefined {
  const direction = DIRECTIONS.get(key);
  const next = direction ? steppedRange(range, today, direction) : RANGES.get(key.toLowerCase());
  if (next !== undefined) return next === range ? undefined : { range: next };
  return key === 'Escape' && Object.keys(filters).length > 0 ? { filters: {} } : undefined;
}
