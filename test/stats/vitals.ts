import assert from 'node:assert/strict';
import { compareText, percent } from './arithmetic.ts';
import { type Counted, pageviewsIn } from './visits.ts';

/** Up to `good` a value is good, and above `poor` it is poor. */
const BOUNDS = {
  lcp: { good: 2500, poor: 4000 },
  inp: { good: 200, poor: 500 },
  cls: { good: 0.1, poor: 0.25 },
  fcp: { good: 1800, poor: 3000 },
  ttfb: { good: 800, poor: 1800 },
};
type Vital = keyof typeof BOUNDS;

function figuresOf(vital: Vital, counted: readonly Counted[]) {
  const values = counted.flatMap(({ measured }) => measured?.[vital] ?? []).sort((one, other) => one - other);
  const { good, poor } = BOUNDS[vital];
  const at = (share: number) => values[Math.ceil((share * values.length) / 100) - 1] ?? null;
  const shareOf = (test: (value: number) => boolean) => percent(values.filter(test).length, values.length, 1);
  return {
    ...{ p50: at(50), p75: at(75), p95: at(95), count: values.length },
    good: shareOf((value) => value <= good),
    middle: shareOf((value) => value > good && value <= poor),
    poor: shareOf((value) => value > poor),
  };
}

const READ: Record<string, (counted: Counted) => string> = {
  none: () => '',
  pages: ({ hit }) => hit.page,
  devices: ({ visit }) => visit.hits[0].device,
  countries: ({ visit }) => visit.hits[0].country,
  browsers: ({ visit }) => visit.hits[0].browser,
};

/** What was measured of pageviews, with the percentiles of the values as they came. */
export function vitalsOf(
  counted: readonly Counted[],
  { by = 'none', limit = '10' }: Record<string, string | undefined>,
) {
  const measured = pageviewsIn(counted).filter((one) => Object.keys(one.measured ?? {}).length > 0);
  const groups = Map.groupBy(measured, READ[by] ?? (() => ''));
  if (by === 'none' && measured.length === 0) groups.set('', []);
  const rows = [...groups]
    .sort(([one, own], [other, others]) => others.length - own.length || compareText(one, other))
    .slice(0, Number(limit))
    .map(([value, own]) => ({
      value,
      ...Object.fromEntries((Object.keys(BOUNDS) as Vital[]).map((vital) => [vital, figuresOf(vital, own)])),
    }));
  return { by, error: 0.02, bounds: BOUNDS, rows };
}

type Figures = Record<string, number | null>;
type Rows = { rows: (Record<string, Figures> & { value: string })[] };

/** Gives the percentiles of the reference where those of the answer differ by no more than it says. */
export function settle(answer: Rows & { error: number }, expected: object): object {
  const others = (expected as Rows).rows;
  const rows = answer.rows.map((row, i) => {
    const settled = Object.keys(BOUNDS).map((vital) => {
      const [own, other] = [row[vital] ?? {}, others[i]?.[vital] ?? {}];
      const near = ['p50', 'p75', 'p95'].map((name) => {
        const [one, wanted] = [own[name] ?? null, other[name] ?? null];
        const isNear = one !== null && wanted !== null && Math.abs(one - wanted) <= answer.error * wanted + 1e-9;
        return [name, isNear ? wanted : one];
      });
      return [vital, { ...own, ...Object.fromEntries(near) }];
    });
    return { value: row.value, ...Object.fromEntries(settled) };
  });
  assert.equal(answer.error, 0.02);
  return { ...answer, rows };
}
