import type { Goal } from '../api/goals.ts';
import type { DashboardMessage } from '../lang/dashboard.ts';

/** Names of the two types of goals and of steps of a funnel. */
export const GOAL_TYPES: Record<Goal['type'], DashboardMessage> = { page: 'Page', event: 'Event' };
