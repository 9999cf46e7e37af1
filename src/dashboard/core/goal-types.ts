import type { Goal } from '../../api/goals.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { percent } from './format.ts';
import { t } from './texts.ts';

/** The names of the types of goals. The steps of funnels have these types too. */
export const GOAL_TYPES: Record<Goal['type'], DashboardMessage> = { page: 'Page', event: 'Event' };

/** Names a goal or a step of a funnel. Examples: "signup with plan = pro", "/docs/* scrolled to 75%". */
export function nameTarget({ value, property, scroll }: Pick<Goal, 'value' | 'property' | 'scroll'>): string {
  const target =
    scroll === undefined ? value : t('{target} scrolled to {percent}', { target: value, percent: percent(scroll) });
  return property === undefined ? target : t('{target} with {name} = {value}', { target, ...property });
}
