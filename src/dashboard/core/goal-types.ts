import type { Goal } from '../../api/goals.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { t } from './texts.ts';

/** The names of the types of goals. The steps of funnels have the same types. */
export const GOAL_TYPES: Record<Goal['type'], DashboardMessage> = { page: 'Page', event: 'Event' };

/** Names a goal or a step of a funnel, such as "signup" or "signup with plan = pro". */
export const nameTarget = ({ value: target, property }: Pick<Goal, 'value' | 'property'>): string =>
  property === undefined ? target : t('{target} with {name} = {value}', { target, ...property });
