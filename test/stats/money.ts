import type { Notice } from './notices.ts';
import type { Counted, Query } from './visits.ts';

/** How many digits the amounts of a currency have. */
const DIGITS: Record<string, number> = { EUR: 2, JPY: 0, KWD: 3 };

/** The amounts of some hits in a currency, in the smallest unit. */
export const amountIn = (counted: readonly Counted[], currency: string): number =>
  counted.reduce((sum, { hit: { revenue } }) => {
    const [name, amount] = revenue.split(' ');
    return name === currency ? sum + Number(amount) : sum;
  }, 0);

export function written(amount: number, currency: string): string {
  const digits = DIGITS[currency] ?? 2;
  const whole = Math.floor(amount / 10 ** digits);
  return digits === 0 ? String(whole) : `${whole}.${String(amount % 10 ** digits).padStart(digits, '0')}`;
}

/** Half a cent and more counts as one. */
export function sharedBy(amount: number, visitors: number, currency: string): string | null {
  if (visitors === 0) return null;
  const rest = amount % visitors;
  return written((amount - rest) / visitors + (2 * rest >= visitors ? 1 : 0), currency);
}

const isAsked = ({ metrics = '' }: Query): boolean =>
  String(metrics)
    .split(',')
    .some((name) => name.startsWith('revenue'));

/** The currency that is asked for; none where no figure is one of money. */
export const currencyOf = (query: Query): string | undefined => (isAsked(query) ? String(query.currency) : undefined);

/** What is not in an answer: revenue in other currencies, and amounts beyond the cap of a day. */
export function revenueNotices(counted: readonly Counted[], currency: string | undefined): Notice[] {
  if (currency === undefined) return [];
  const texts = counted.map(({ hit: { revenue } }) => revenue).filter((text) => text !== '');
  const others = texts.filter((text) => text !== '(other)' && !text.startsWith(currency) && !text.endsWith(' 0'));
  const currencies = [...new Set(others.map((text) => text.slice(0, 3)))].sort().join(', ');
  const hits = texts.filter((text) => text === '(other)').length;
  const [noun, most] = [hits === 1 ? '1 hit' : `${hits} hits`, 50_000];
  return [
    ...(currencies === ''
      ? []
      : [
          {
            text: `Revenue in ${currencies} is not included, because this report is in ${currency}.`,
            ...{ code: 'other_currencies', values: { currencies, currency } },
          },
        ]),
    ...(hits === 0
      ? []
      : [
          {
            text: `The revenue of ${noun} is not included, because a day had more than 50000 different amounts.`,
            ...{ code: 'revenue_left_out', values: { hits, most } },
          },
        ]),
  ];
}
