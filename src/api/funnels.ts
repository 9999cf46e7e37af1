import * as v from 'valibot';
import { Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Id, Time, text } from '../lib/http/fields.ts';
import { iso } from '../lib/time.ts';
import * as funnels from '../store/sites/funnels.ts';
import type { Site } from '../store/sites/sites.ts';
import { fitTarget, Target, TargetAnswer } from './input.ts';
import type { SiteCall } from './route.ts';

export const Funnel = v.strictObject({
  id: Id,
  name: v.string(),
  steps: v.array(TargetAnswer),
  created_at: Time,
});
export type Funnel = v.InferOutput<typeof Funnel>;

const STEPS = fault('no_steps');

export const NewFunnel = v.strictObject({
  name: text(100),
  steps: v.pipe(v.array(Target, STEPS), v.minLength(2, STEPS), v.maxLength(8, STEPS)),
});

export const FunnelChange = v.partial(NewFunnel);

export const list = ({ db, site }: SiteCall): Funnel[] => funnels.listFunnels(db, site.id).map(answer);

export const assertRoom = ({ db, site }: SiteCall): void => funnels.assertRoomForFunnel(db, site.id);

export const add = ({ db, site, body, now }: SiteCall<v.InferOutput<typeof NewFunnel>>): Funnel =>
  answer(funnels.addFunnel(db, site.id, { ...body, steps: fitSteps(site, body.steps) }, now));

export function change({ db, site, id, body }: SiteCall<v.InferOutput<typeof FunnelChange>>): Funnel {
  const funnel = funnels.findFunnel(db, site.id, id);
  if (!funnel) throw new Problem('not_found');
  const { steps, ...other } = body;
  const change = steps ? { ...other, steps: fitSteps(site, steps) } : other;
  return answer(funnels.changeFunnel(db, site.id, funnel, change));
}

const fitSteps = (site: Site, steps: v.InferOutput<typeof NewFunnel>['steps']) =>
  steps.map((step) => fitTarget(site, step));

export const remove = ({ db, site, id }: SiteCall): void => funnels.removeFunnel(db, site.id, id);

const answer = (funnel: funnels.Funnel): Funnel => ({ ...funnel, created_at: iso(funnel.created_at) });
