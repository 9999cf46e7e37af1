// Conditions are the filters of a query, translated for one site: tests on columns of visits, and tests on hits.
// Invariant: equal filters have an equal `text`. The cache of selections uses this text as its key.
// Example: a filter says "country is DE, and the goal /buy was reached". The filter becomes a test on the column
// `country`, and a test on hits: pageviews of page /buy. A visit is selected if its country passes and one of its hits
// passes.
// Queries and exclusions make conditions. select.ts finds the visits that meet them.
import { isPattern } from '../../lib/pattern.ts';
import { NARROWING_FILTERS, VISIT_FILTERS } from '../../stats/dimensions.ts';
import type { Condition, Filters } from '../../stats/query.ts';
import type { Target, TargetProperty } from '../../store/sites/goals.ts';
import { readProperty } from '../column/properties.ts';
import type { Texts } from '../rows/terms.ts';
import { chooseTexts, type ReadColumn, readDimension } from './dimension-column.ts';
import { type HitTest, PAGEVIEW, readPage } from './hit-filter.ts';
import { countAllPageviews } from './per-visit.ts';
import { type ColumnTest, makeColumnTest, makeTermTest, type TermTest, testNumbers } from './term-filter.ts';

/**
 * A visit passes if its columns pass all tests of `values`. For each list in `some`, a hit of the visit must pass a
 * test of the list. No hit of the visit may pass a test in `none`.
 */
export type Conditions = {
  values: (readonly [ReadColumn, ColumnTest])[];
  some: HitTest[][];
  none: HitTest[][];
  /** The filters as a text, which is the key in the cache of selections. */
  text: string;
  /**
   * A hit must pass this test to count. With filters by page and host name, only hits that pass both count. Without
   * such filters, every hit passes.
   */
  narrowing: HitTest;
  pages: TermTest | undefined;
};

export function makeConditions(filters: Filters, texts: Texts): Conditions {
  const { event = {}, goal, pageviews, property = {}, ...values } = filters;
  const events = makeEventTests(event, texts);
  const pages = values.page && makeTermTest(values.page, texts);
  const where = [
    ...NARROWING_FILTERS.flatMap((name) => {
      const condition = values[name];
      const test = condition && makeColumnTest(condition, texts, name === 'page' ? pages : undefined);
      return test ? [[readDimension(name, texts), test] as const] : [];
    }),
    ...Object.entries(property).map(([name, condition]) => makePropertyTest(name, condition, texts)),
  ];
  return {
    values: [
      ...VISIT_FILTERS.flatMap((name): Conditions['values'] => {
        const condition = values[name];
        const own = chooseTexts(name, texts);
        return condition === undefined ? [] : [[readDimension(name, texts), makeColumnTest(condition, own)]];
      }),
      ...(pageviews ? [[readPageviews, testNumbers(pageviews)] as const] : []),
    ],
    some: [
      ...events.some,
      ...(goal?.is ? [makeHitTests(goal.is, texts)] : []),
      ...(where.length === 0 ? [] : [[{ where }]]),
    ],
    none: [...events.none, ...(goal?.not ? [makeHitTests(goal.not, texts)] : [])],
    text: JSON.stringify(filters),
    narrowing: { where },
    pages,
  };
}

const readPageviews: ReadColumn = (day) => ({ terms: NO_TERMS, codes: countAllPageviews(day) });

const NO_TERMS = new Uint8Array(0);

export const isUnfiltered = ({ values, some, none }: Conditions): boolean =>
  values.length + some.length + none.length === 0;

export const hasOnlyPages = ({ values, some, none, narrowing, pages }: Conditions): boolean =>
  pages !== undefined && narrowing.where?.length === 1 && values.length + none.length === 0 && some.length === 1;

/**
 * Adds a condition: at least one hit of a visit must pass one of `tests`. `target`, the goal of these tests, is added
 * to `text`, the key in the cache of selections.
 */
export const addHitTests = (conditions: Conditions, tests: HitTest[], target: Target | undefined): Conditions => ({
  ...conditions,
  some: [...conditions.some, tests],
  text: JSON.stringify([conditions.text, target]),
});

/** A hit without the property meets no condition on it, not even `not`. */
const makePropertyTest = (name: string, { not = [], ...condition }: Condition, texts: Texts) =>
  [readProperty(name, texts), makeColumnTest({ ...condition, not: [...not, ''] }, texts)] as const;

const testPages = (pages: readonly string[], texts: Texts): ColumnTest =>
  makeColumnTest(pages.some(isPattern) ? { like: pages } : { is: pages }, texts);

/**
 * Makes tests for the targets of a goal, such as page /buy or event signup. A hit reaches the goal if it passes one of
 * the tests.
 */
export function makeHitTests(targets: readonly Target[], texts: Texts): HitTest[] {
  const [plain, narrow] = [false, true].map((isNarrow) =>
    targets.filter(({ property, scroll }) => ((property ?? scroll) !== undefined) === isNarrow),
  ) as [Target[], Target[]];
  const { page = [], event = [] } = Object.groupBy(plain, ({ type }) => type);
  const readValues = (some: readonly Target[]) => some.map(({ value }) => value);
  return [
    ...narrow.map((target) => narrowTarget(target, texts)),
    ...(page.length > 0 ? [{ where: [[readPage, testPages(readValues(page), texts)] as const], event: PAGEVIEW }] : []),
    ...(event.length > 0 ? [{ event: makeColumnTest({ is: readValues(event) }, texts) }] : []),
  ];
}

const readScroll: ReadColumn = ({ column }) => column('scroll');

/** The column has the percentage plus one, and 0 for a page whose depth is not known. */
const testDepth =
  (least: number): ColumnTest =>
  ({ codes }) => ({ codes: Uint8Array.from(codes, (packed) => Number(packed > least)), code: 1 });

/** Makes the test of a property with a value or a pattern. */
export const testProperty = ({ name, value }: TargetProperty, texts: Texts): HitTest => ({
  where: [makePropertyTest(name, isPattern(value) ? { like: [value] } : { is: [value] }, texts)],
});

/** Makes the test of one target with a property or a depth, from the test of its page or event. */
function narrowTarget({ property, scroll, ...target }: Target, texts: Texts): HitTest {
  const [test = {}] = makeHitTests([target], texts);
  const { where = [] } = property ? testProperty(property, texts) : {};
  const ofDepth = scroll === undefined ? [] : [[readScroll, testDepth(scroll)] as const];
  return { ...test, where: [...(test.where ?? []), ...where, ...ofDepth] };
}

/**
 * Makes tests for a filter by event. With both `is` and `like`, one hit of a visit may meet `is`, and another hit
 * `like`. Pageviews have an empty event name, which a pattern such as * would accept. So `not: ['']` leaves pageviews
 * out.
 */
function makeEventTests({ is, not, like, unlike }: Condition, texts: Texts): Pick<Conditions, 'some' | 'none'> {
  const test = (values?: readonly string[], patterns?: readonly string[]): HitTest[][] => [
    ...(values ? [[{ event: makeColumnTest({ is: values }, texts) }]] : []),
    ...(patterns ? [[{ event: makeColumnTest({ not: [''], like: patterns }, texts) }]] : []),
  ];
  return { some: test(is, like), none: test(not, unlike) };
}
