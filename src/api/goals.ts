import * as v from 'valibot';
import { Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Id, Time } from '../lib/http/fields.ts';
import { checked } from '../lib/http/input.ts';
import { iso } from '../lib/time.ts';
import * as goals from '../store/sites/goals.ts';
import { fitTarget, Target, TargetAnswer, TargetProperty, TargetType } from './input.ts';
import type { SiteCall } from './route.ts';

export const Goal = v.strictObject({ id: Id, ...TargetAnswer.entries, created_at: Time });
export type Goal = v.InferOutput<typeof Goal>;

export const NewGoal = Target;

/** A change may have only `type` or only `value`. So the function `change` checks both together. */
export const GoalChange = v.partial(
  v.strictObject({ type: TargetType, value: v.string(fault('no_text')), property: v.nullable(TargetProperty) }),
);

export const list = ({ db, site }: SiteCall): Goal[] => goals.listGoals(db, site.id).map(answer);

export const assertRoom = ({ db, site }: SiteCall): void => goals.assertRoomForGoal(db, site.id);

export const add = ({ db, site, body, now }: SiteCall<v.InferOutput<typeof NewGoal>>): Goal =>
  answer(goals.addGoal(db, site.id, fitTarget(site, body), now));

export const change = ({ db, site, id, body }: SiteCall<v.InferOutput<typeof GoalChange>>): Goal => {
  const goal = goals.findGoal(db, site.id, id);
  if (!goal) throw new Problem('not_found');
  const { type, value } = goal;
  const { property = goal.property ?? null, ...asked } = body;
  const target = fitTarget(site, checked(Target, { type, value, ...asked, ...(property && { property }) }));
  return answer(goals.changeGoal(db, site.id, goal, target));
};

export const remove = ({ db, site, id }: SiteCall): void => goals.removeGoal(db, site.id, id);

const answer = (goal: goals.Goal): Goal => ({ ...goal, created_at: iso(goal.created_at) });
