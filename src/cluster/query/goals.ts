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

/**
 * Counts the visitors and hits of each goal. Rollups (`fromRollups`) have one row for each page. For a pattern such as
 * `/blog/*`, a visitor of two such pages would count twice. So a query with a pattern reads visits (`isFromSums` in
 * stats/sums.ts).
 */
export async function countGoals(
  count: CountVisits,
  { where, bind }: VisitSelection,
  { goals }: Of<'goals'>,
  scope: Pick<Scope, 'ranges'>,
  { summed }: DayGroups,
) {
  const ofGoals = goals.flatMap((goal, i) => {
    const hits = overHits('arrayCount', matchTarget(goal, bind));
    return [
      [`v${i}`, `uniqExactIf(${VISITOR}, ${hits} > 0)`],
      [`h${i}`, `sum(${hits})`],
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
  };
}

/**
 * Counts the visitors that reached each step of a funnel. In SQL each hit becomes a number. Bit i of the number is set
 * if the hit reaches step i. A visitor with `s` steps reaches the next step by a later hit with bit `s`.
 */
export async function countFunnel(
  count: CountVisits,
  { where, bind }: VisitSelection,
  { steps }: Of<'funnel'>,
  scope: Pick<Scope, 'ranges'>,
) {
  const mask = steps.map((step, i) => `bitShiftLeft(toUInt32(${matchTarget(step, bind)}), ${i})`).join(' + ');
  const found = await count<{ reached: number; visitors: number }>(
    { ...scope, where },
    {
      keys: { reached: 'reached' },
      sums: { visitors: 'count()' },
      from: (visits) => `SELECT arrayFold((s, m) -> if(bitTest(m, s), toUInt8(s + 1), s),
          arrayFlatten(arrayMap(x -> x.2, arraySort(x -> x.1, groupArray((start, masks))))), toUInt8(0)) AS reached
        FROM (SELECT ${VISITOR} AS who, start, arrayFilter(m -> m > 0, ${overHits('arrayMap', mask)}) AS masks
          FROM (${visits}) WHERE notEmpty(masks))
        GROUP BY who`,
    },
  );
  return {
    steps: steps.map((_, i) => found.reduce((sum, { reached, visitors }) => sum + (reached > i ? visitors : 0), 0)),
  };
}
