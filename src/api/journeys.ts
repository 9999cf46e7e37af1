// The report of journeys: which pages visits saw after a start. The start is a page, a goal, or the entry to the site.
// The report can also show the pages before a page or a goal.
//
// The parameter `from` is a page such as `/pricing`, a pattern of pages such as `/guide/*`, `goal:3`, or `entry`. The
// answer is a tree of pages. `routes.ts` calls `showJourneys`.

import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { DIRECTIONS, type JourneyTree, MOST_NEXT, MOST_STEPS, ONLY_ROOT } from '../stats/journeys.ts';
import type { Of } from '../stats/query.ts';
import { findGoal } from '../store/sites/goals.ts';
import { Count, common } from './answers.ts';
import { fitTarget, TargetPage, whole } from './input.ts';
import { ReportParameters } from './query.ts';
import type { SiteCall } from './route.ts';
import { ask } from './stats.ts';

const ENTRY = 'entry';
const GOAL = /^goal:([1-9]\d{0,14})$/;

const isNamed = (from: string): boolean => from === ENTRY || GOAL.test(from);

export const JourneysQuery = v.strictObject({
  ...ReportParameters,
  from: v.optional(
    v.pipe(
      v.string(),
      v.check((from) => isNamed(from) || /^[/*]/.test(from), fault('no_journey_start')),
      v.check(
        (from) => isNamed(from) || v.is(TargetPage, from),
        ({ input }) => v.safeParse(TargetPage, input).issues?.[0].message ?? '',
      ),
      v.metadata({
        pattern: '^(?:entry|goal:[1-9][0-9]{0,14}|(?=[/*])[^*]*(?:\\*[^*]*){0,16})$',
        description: 'A page such as /pricing, a pattern such as /guide/*, goal: with the id of a goal, or entry',
        examples: ['/pricing'],
      }),
    ),
    ENTRY,
  ),
  direction: v.optional(v.picklist(DIRECTIONS, fault('none_of', { known: DIRECTIONS.join(', ') })), 'after'),
  steps: v.optional(whole(1, MOST_STEPS, fault('out_of_bounds', { least: 1, most: MOST_STEPS })), '3'),
  limit: v.optional(
    v.pipe(
      whole(1, MOST_NEXT, fault('out_of_bounds', { least: 1, most: MOST_NEXT })),
      v.metadata({ description: 'behind each page, with the rest as (other)' }),
    ),
    '10',
  ),
});
type JourneysQuery = v.InferOutput<typeof JourneysQuery>;

export const JourneyNode: v.GenericSchema<JourneyTree> = v.strictObject({
  value: v.string(),
  visits: Count,
  share: v.number(),
  ended: Count,
  next: v.array(v.lazy(() => JourneyNode)),
});

export const Journeys = v.strictObject({ ...common, root: JourneyNode });
export type Journeys = v.InferOutput<typeof Journeys>;

export async function showJourneys(call: SiteCall<undefined, JourneysQuery>): Promise<Journeys> {
  const { steps, limit, direction } = call.query;
  const start = readStart(call);
  const { span, found } = await ask(call, (frame) => ({
    ...frame,
    ...{ report: 'journeys', ...start, direction, steps, limit, followed: ONLY_ROOT },
  }));
  return { ...span, ...found };
}

type Start = Pick<Of<'journeys'>, 'name' | 'root'>;

/**
 * Reads where journeys start. If the site does not have the goal, the answer is 404. A filter by an unknown goal gives
 * 404 too.
 */
function readStart({ db, site, query: { from, direction } }: SiteCall<undefined, JourneysQuery>): Start {
  if (from === ENTRY && direction === 'before') throw invalid({ direction: coded('nothing_before_entry') });
  if (from === ENTRY) return { name: from, root: undefined };
  const id = GOAL.exec(from)?.[1];
  if (id === undefined) {
    const root = fitTarget(site, { type: 'page', value: v.parse(TargetPage, from) });
    return { name: root.value, root };
  }
  const goal = findGoal(db, site.id, Number(id));
  if (!goal) throw new Problem('not_found');
  const { type, value, property, scroll } = goal;
  return { name: from, root: { type, value, ...(property && { property }), ...(scroll !== undefined && { scroll }) } };
}
