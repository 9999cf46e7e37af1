// Adds up the revenue of hits in SQL.
//
// Invariant: the text of a revenue has the form of stats/revenue.ts: `EUR 1999` is 19.99 euros. On a day with too many
// different texts, the text may be `(other)`.
//
// Example: the visits of a day have the revenues `EUR 1999` and `USD 100`. `countRevenue` gives { EUR: 1999, USD: 100 }
// for the day. measure.ts, rows.ts, table.ts and goals.ts use this file for queries, and seal.ts and reduced-rollups.ts
// for rollups.
import { OTHER, REVENUE } from '../../stats/dimensions.ts';
import { findCut, listRanges, listRevenueSpans, type Query } from '../../stats/query.ts';
import { type Amounts, addAmounts, HALF } from '../../stats/revenue.ts';
import { type CountVisits, type Scope, selectHits, type VisitSelection } from './aggregate.ts';
import { type Bind, overHits } from './filters.ts';

type DayAmount = { day: number; value: string; amount: number };

const CURRENCY = "splitByChar(' ', m)[1]";
const AMOUNT = `if(m = '${OTHER}', 1, toUInt64OrZero(splitByChar(' ', m)[2]))`;

/**
 * Adds up the revenue of each span, by currency. An overview may compare today, which is not over, with an earlier day.
 * On the earlier day, only hits before the same time of day count.
 */
export async function countRevenue(
  count: CountVisits,
  query: Query,
  { where, counted }: VisitSelection,
): Promise<Amounts[]> {
  const cut = findCut(query);
  const ofDays = (scope: Scope) =>
    count<DayAmount>(scope, {
      keys: { day: 'day', value: CURRENCY },
      sums: { amount: `sum(${AMOUNT})` },
      from: (visits) => selectHits(visits, `m <> '' AND ${counted}`, ['m']),
      fromRollups: {
        sums: { amount: `toUInt64(visitors) * ${HALF} + hits` },
        where: `dimension = '${REVENUE}'`,
      },
    });
  const [days, cutOnes] = await Promise.all([
    ofDays({ ranges: listRanges(query), where }),
    cut ? ofDays({ ranges: [{ from: cut.day, to: cut.day + 1 }], where, until: cut.until }) : [],
  ]);
  return listRevenueSpans(query).map(({ from, to }, i) => {
    const sums: Amounts = {};
    const own = days.filter(({ day }) => day >= from && day < to);
    for (const { value, amount } of [...own, ...(cut && i === 1 ? cutOnes : [])]) addAmounts(sums, { [value]: amount });
    return sums;
  });
}

/** Makes SQL for the revenue of one hit in a currency. A hit that does not meet the condition gives 0. */
const writeAmount = (currency: string, condition: string, bind: Bind): string =>
  `if(${CURRENCY} = ${bind(currency)} AND ${condition}, ${AMOUNT}, 0)`;

/** Makes SQL for the revenue of a visit in a currency. Only hits that meet the condition count. */
export const sumOfVisit = (currency: string | undefined, condition: string, bind: Bind): string =>
  currency === undefined ? '0' : `arraySum(${overHits('arrayMap', writeAmount(currency, condition, bind))})`;

/**
 * Makes SQL for the revenue of a hit in a currency. Without a currency, the query does not ask for revenue, and the SQL
 * gives 0.
 */
export const amountOfHit = (currency: string | undefined, bind: Bind): string =>
  currency === undefined ? 'toUInt64(0)' : `toUInt64(${writeAmount(currency, '1', bind)})`;

/**
 * Makes SQL for the rollup of each day's revenue, from stored visits. A rollup has no column for an amount, which may
 * need more than 32 bits. So the column `visitors` gets the upper half of the amount, and `hits` the lower half.
 */
export const selectRevenueRollup = (visits: string): string =>
  `SELECT site, day, slice, '${REVENUE}' AS dimension, '' AS event, ${CURRENCY} AS value,
     toUInt32(intDiv(sum(${AMOUNT}), ${HALF})) AS visitors, toUInt32(sum(${AMOUNT}) % ${HALF}) AS hits
   FROM (SELECT site, day, slice, arrayJoin(h_revenue) AS m FROM ${visits}) WHERE m <> '' GROUP BY site, day, slice, value`;
