import fc from 'fast-check';
import type { Query } from './visits.ts';

export const maybe = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<Query> =>
  fc.oneof(fc.constant({}), fc.record({ [name]: value }));

/** Patterns that a text fits, and some that it may not fit. */
export const patternsOf = (text: string): string[] => {
  const letters = [...text];
  const [head, tail] = [letters.slice(0, letters.length / 2).join(''), letters.slice(letters.length / 2).join('')];
  return ['*', `${text}*`, `${head}*`, `*${tail}`, `*${head}*`, `${head}*${tail}`, `*${tail}*${head}*`, text || '*'];
};

/** A filter by one value, or by what one or two operators say of several. */
export function asked(name: string, value: fc.Arbitrary<string>): fc.Arbitrary<Query> {
  const values = fc.array(value, { minLength: 1, maxLength: 3 });
  const pattern = fc.tuple(value, fc.nat(7)).map(([text, kind]) => patternsOf(text)[kind] ?? '*');
  const patterns = fc.array(pattern, { minLength: 1, maxLength: 2 });
  const isClosed = ['country', 'region', 'device', 'screen', 'channel', 'language', 'goal', 'pageviews'].includes(name);
  const operators = ['is', 'not', ...(isClosed ? [] : ['like', 'unlike'])];
  const named = (operator: string) =>
    (operator.endsWith('like') ? patterns : values).map((of): Query => ({ [`filters[${name}][${operator}]`]: of }));
  const operator = fc.oneof(...operators.map(named));
  return fc.oneof(
    value.map((one): Query => ({ [`filters[${name}]`]: one })),
    operator,
    fc.tuple(operator, operator).map(([one, other]) => ({ ...one, ...other })),
  );
}

export const OF_VISITS =
  'visits pageviews bounce_rate visit_duration conversions conversion_rate revenue revenue_per_visitor'.split(' ');
export const OF_PAGES = 'visits pageviews time_on_page scroll_depth'.split(' ');

const CURRENCY = fc.constantFrom('EUR', 'EUR', 'JPY', 'KWD', 'USD');

/** With a currency where money is asked for. */
export const withCurrency = (query: fc.Arbitrary<Query>): fc.Arbitrary<Query> =>
  fc
    .tuple(query, CURRENCY)
    .map(([one, currency]) => (String(one.metrics).includes('revenue') ? { ...one, currency } : one));

/** Which figures rows have and which rows there are; of a goal only where there is one. */
export const rowsWith = (metrics: string[], search: fc.Arbitrary<string>): fc.Arbitrary<Query>[] => [
  fc.oneof(
    fc.constant({}),
    withCurrency(
      fc
        .tuple(
          fc.subarray(metrics, { minLength: 1 }),
          fc.option(fc.nat(5)),
          maybe('goal', fc.constantFrom('0', '1', '2')),
        )
        .map(([names, sort, goal]): Query => {
          const by = sort === null ? undefined : names[sort % names.length];
          return { ...goal, metrics: names.join(), ...(by === undefined ? {} : { sort: by }) };
        }),
    ),
  ),
  maybe('search', search),
  maybe('offset', fc.constantFrom('0', '1', '2', '100000')),
];

/** Conversions are asked for where there are goals; where none of them is named it is the main goal. */
export function withGoal({ metrics = '', goal, sort, ...query }: Query, goals: readonly { id: number }[]): Query {
  const isOfGoal = (name: string) => name.startsWith('conversion');
  const names = String(metrics).split(',');
  const asked = names.filter((name) => name !== '' && (goals.length > 0 || !isOfGoal(name)));
  const named = goal === undefined ? undefined : goals[Number(goal) % goals.length]?.id.toString();
  const { currency, ...plain } = query;
  return {
    ...plain,
    ...(currency !== undefined && asked.some((name) => name.startsWith('revenue')) ? { currency } : {}),
    ...(asked.length > 0 ? { metrics: asked.join() } : {}),
    ...(sort !== undefined && asked.includes(String(sort)) ? { sort } : {}),
    ...(named !== undefined && asked.some(isOfGoal) ? { goal: named } : {}),
  };
}
