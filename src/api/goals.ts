import * as v from 'valibot';
import { Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Id, Time } from '../lib/http/fields.ts';
import { checked } from '../lib/http/input.ts';
import { iso } from '../lib/time.ts';
import * as goals from '../store/sites/goals.ts';
import { fitTarget, GoalTarget, GoalTargetAnswer, LeastScroll, TargetProperty, TargetType } from './input.ts';
import type { SiteCall } from './route.ts';

export const Goal = v.strictObject({ id: Id, ...GoalTargetAnswer.entries, created_at: Time });
export type Goal = v.InferOutput<typeof Goal>;

export const NewGoal = GoalTarget;

/**
 * A change may have only `type` or only `value`. So the function `change` adds the goal's stored fields, and checks the
 * goal as a whole.
 */
export const GoalChange = v.partial(
  v.strictObject({
    ...{ type: TargetType, value: v.string(fault('no_text')) },
    ...{ property: v.nullable(TargetProperty), scroll: v.nullable(LeastScroll) },
  }),
);

export const list = ({ db, site }: SiteCall): Goal[] => goals.listGoals(db, site.id).map(answer);

export const assertRoom = ({ db, site }: SiteCall): void => goals.assertRoomForGoal(db, site.id);

export const add = ({ db, site, body, now }: SiteCall<v.InferOutput<typeof NewGoal>>): Goal =>
  answer(goals.addGoal(db, site.id, fitTarget(site, body), now));

export const change = ({ db, site, id, body, now }: SiteCall<v.InferOutput<typeof GoalChange>>): Goal => {
  const goal = goals.findGoal(db, site.id, id);
  if (!goal) throw new Problem('not_found');
  const { type, value } = goal;
  const { property = goal.property ?? null, scroll: depth, ...asked } = body;
  // A goal that becomes an event loses its depth, because an event has no depth.
  const scroll = depth ?? (depth === undefined && (body.type ?? type) === 'page' ? goal.scroll : undefined);
  const more = { ...(property && { property }), ...(scroll && { scroll }) };
  const target = fitTarget(site, checked(GoalTarget, { type, value, ...asked, ...more }));
  return answer(goals.changeGoal(db, site.id, goal, target, now));
};

export const remove = ({ db, site, id, now }: SiteCall): void => goals.removeGoal(db, site.id, id, now);

const answer = (goal: goals.Goal): Goal => ({ ...goal, created_at: iso(goal.created_at) });
