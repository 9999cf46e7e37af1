import { noTotals } from '../../stats/measured.ts';
import type { Of } from '../../stats/question.ts';
import { type Count, type Reach, type Selection, VISITOR } from './aggregate.ts';
import { reaches } from './filters.ts';
import type { Plan } from './plan.ts';

export async function goals(
  count: Count,
  { where, bind }: Selection,
  { goals }: Of<'goals'>,
  reach: Pick<Reach, 'ranges'>,
  { summed }: Plan,
) {
  const ofGoals = goals.flatMap((goal, i) => {
    const hits = `arrayCount((p, e) -> ${reaches(goal, bind)}, h_page, h_event)`;
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
        { ...reach, where },
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
    (sum, part) => ({ visitors: sum.visitors + part.visitors, visits: sum.visits + part.visits }),
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

/** Each step is reached at the earliest hit after the one before, over all visits of a visitor. */
export async function funnel(
  count: Count,
  { where, bind }: Selection,
  { steps }: Of<'funnel'>,
  reach: Pick<Reach, 'ranges'>,
) {
  const mask = steps.map((step, i) => `bitShiftLeft(toUInt32(${reaches(step, bind)}), ${i})`).join(' + ');
  const found = await count<{ reached: number; visitors: number }>(
    { ...reach, where },
    {
      keys: { reached: 'reached' },
      sums: { visitors: 'count()' },
      from: (visits) => `SELECT arrayFold((s, m) -> if(bitTest(m, s), toUInt8(s + 1), s),
          arrayFlatten(arrayMap(x -> x.2, arraySort(x -> x.1, groupArray((start, masks))))), toUInt8(0)) AS reached
        FROM (SELECT ${VISITOR} AS who, start, arrayFilter(m -> m > 0, arrayMap((p, e) -> ${mask}, h_page, h_event)) AS masks
          FROM (${visits}) WHERE notEmpty(masks))
        GROUP BY who`,
    },
  );
  return {
    steps: steps.map((_, i) => found.reduce((sum, { reached, visitors }) => sum + (reached > i ? visitors : 0), 0)),
  };
}
