import type { Goal } from '../../api/goals.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';

/** The names for goals, and for steps of funnels, which have the types of goals. */
export const GOAL_TYPES: Record<Goal['type'], DashboardMessage> = { page: 'Page', event: 'Event' };
