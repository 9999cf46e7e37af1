import type { Goal } from '../../api/goals.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';

/** The names of the types of goals. The steps of funnels have the same types. */
export const GOAL_TYPES: Record<Goal['type'], DashboardMessage> = { page: 'Page', event: 'Event' };
