import * as v from 'valibot';
import { Id, Time } from '../lib/fields.ts';
import { iso } from '../lib/time.ts';
import * as goals from '../store/goals.ts';
import { Target, TargetAnswer } from './input.ts';
import type { SiteCall } from './route.ts';

export const Goal = v.strictObject({ id: Id, ...TargetAnswer, created_at: Time });
export type Goal = v.InferOutput<typeof Goal>;

export const NewGoal = Target;

const answer = (goal: goals.Goal): Goal => ({ ...goal, created_at: iso(goal.created_at) });

export const list = ({ db, site }: SiteCall): Goal[] => goals.listGoals(db, site.id).map(answer);

export const add = ({ db, site, body, now }: SiteCall<v.InferOutput<typeof NewGoal>>): Goal =>
  answer(goals.addGoal(db, site.id, body, now));

export const remove = ({ db, site, id }: SiteCall): void => goals.removeGoal(db, site.id, id);
