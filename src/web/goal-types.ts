import type { Goal } from '../api/goals.ts';

/** How people call the two types of goals and of steps of a funnel. */
export const GOAL_TYPES: Record<Goal['type'], string> = { page: 'Page', event: 'Event' };
