// Counts goals and funnels in SQL. For a goal, the hits that reach the goal are counted, and the visitors of these
// hits. For a funnel, the visitors that reached each step are counted.
//
// Invariant: a visitor reaches a step only with a hit after the hit that reached the previous step. The hits may be in
// different visits of the day.
//
// Example: a funnel has the steps /, /buy and paid. A visitor who sees /buy, / and /buy has reached two steps: / and
// then /buy. measure.ts uses this file.
import { noTotals } from '../../stats/aggregates.ts';
import type { Of } from '../../stats/query.ts';
import { type CountVisits, type Scope, VISITOR, type VisitSelection } from './aggregate.ts';
import type { DayGroups } from './day-groups.ts';
import { matchTarget, overHits } from './filters.ts';
import { amountOfHit, sumOfVisit } from './revenue.ts';

/**
 * Counts the visitors and hits of each goal. Rollups (`fromRollups`) have one row for each page. For a pattern such as
 * `/blog/*`, a visitor of two such pages would count twice. So a query with a pattern reads visits and no rollups
 * (`isFromSums` in stats/sums.ts).
 */
export async function countGoals(
  count: CountVisits,
  { where, bind }: VisitSelection,
  { goals, currency }: Of<'goals'>,
  scope: Pick<Scope, 'ranges'>,
  { summed }: DayGroups,
) {
  const ofGoals = goals.flatMap((goal, i) => {
    const hits = overHits('arrayCount', matchTarget(goal, bind));
    return [
      [`v${i}`, `uniqExactIf(${VISITOR}, ${hits} > 0)`],
      [`h${i}`, `sum(${hits})`],
      ...(currency === undefined ? [] : [[`r${i}`, `sum(${sumOfVisit(currency, matchTarget(goal, bind), bind)})`]]),
    ];
  });
  const rolled = goals.flatMap(({ type, value }, i) => {
    const isOne = `dimension = '${type}s' AND value = ${bind(value)}`;
    return [
      [`v${i}`, `if(${isOne}, visitors, 0)`],
      [`h${i}`, `if(${isOne}, hits, 0)`],
    ];
  });
  const sums = { visitors: `uniqExact(${VISITOR})`, visits: 'count()', ...Object.fromEntries(ofGoals) };
  const values = goals.map(({ value }) => bind(value));
  const found =
    (
      await count<Record<string, number>>(
        { ...scope, where },
        {
          sums,
          fromRollups: {
            sums: Object.fromEntries(rolled),
            where: values.length === 0 ? '0' : `dimension IN ('pages', 'events') AND value IN (${values.join(', ')})`,
          },
        },
      )
    )[0] ?? {};
  const all = summed.reduce(
    (sum, slice) => ({ visitors: sum.visitors + slice.visitors, visits: sum.visits + slice.visits }),
    {
      visitors: found.visitors ?? 0,
      visits: found.visits ?? 0,
    },
  );
  return {
    totals: [{ ...noTotals(), ...all }],
    goals: goals.map((_, i) => ({ visitors: found[`v${i}`] ?? 0, hits: found[`h${i}`] ?? 0 })),
    ...(currency === undefined ? {} : { earned: goals.map((_, i) => found[`r${i}`] ?? 0) }),
  };
}

/**
 * Counts the visitors that reached each step of a funnel. In SQL each hit becomes a number. Bit i of the number is set
 * if the hit reaches step i. A visitor who has reached steps 0 and 1 reaches the next step by a later hit with bit 2.
 * The SQL also returns the revenue of the hit that reaches the last step.
 */
export async function countFunnel(
  count: CountVisits,
  { where, bind }: VisitSelection,
  { steps, currency }: Of<'funnel'>,
  scope: Pick<Scope, 'ranges'>,
) {
  const mask = steps.map((step, i) => `bitShiftLeft(toUInt32(${matchTarget(step, bind)}), ${i})`).join(' + ');
  const hit = `(${mask}, ${amountOfHit(currency, bind)})`;
  const last = `s.1 = ${steps.length - 1}`;
  const found = await count<{ reached: number; visitors: number; earned: number }>(
    { ...scope, where },
    {
      keys: { reached: 'state.1' },
      sums: { visitors: 'count()', earned: 'sum(state.2)' },
      from: (visits) => `SELECT arrayFold((s, h) -> if(bitTest(h.1, s.1), (toUInt8(s.1 + 1), if(${last}, h.2, s.2)), s),
          arrayFlatten(arrayMap(x -> x.2, arraySort(x -> x.1, groupArray((start, reaching))))), (toUInt8(0), toUInt64(0))) AS state
        FROM (SELECT ${VISITOR} AS who, start, arrayFilter(h -> h.1 > 0, ${overHits('arrayMap', hit)}) AS reaching
          FROM (${visits}) WHERE notEmpty(reaching))
        GROUP BY who`,
    },
  );
  return {
    steps: steps.map((_, i) => found.reduce((sum, { reached, visitors }) => sum + (reached > i ? visitors : 0), 0)),
    ...(currency === undefined ? {} : { earned: [found.reduce((sum, { earned }) => sum + earned, 0)] }),
  };
}
