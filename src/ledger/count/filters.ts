// Conditions are the filters of a query, translated for one site: tests on columns of visits, and tests on hits.
// Invariant: equal filters have an equal `text`. This text is the key in the cache of selections, the lists of visits
// that passed some filters.
//
// Example: a filter says "country is DE, and the goal /buy was reached". It becomes a test on the column `country` and
// a test on hits: pageviews of page /buy. A visit is selected if its country passes the first test and one of its hits
// passes the second.
//
// Scans, real-time reports, previews and exclusions make conditions. select.ts finds the visits that meet them.
import { isPattern } from '../../lib/pattern.ts';
import { VISIT_FILTERS } from '../../stats/dimensions.ts';
import type { Condition, Filters } from '../../stats/query.ts';
import type { Target } from '../../store/sites/goals.ts';
import type { ColumnName } from '../column/column.ts';
import type { Texts } from '../rows/terms.ts';
import { type HitTest, PAGEVIEW } from './hit-filter.ts';
import { type ColumnTest, makeColumnTest, makeTermTest, type TermTest, testNumbers } from './term-filter.ts';

/**
 * The filters of a query as tests. A visit passes if three things hold. Its columns pass all tests of `values`, such as
 * "country is DE". For each list of `some`, a hit of the visit passes a test of the list. No hit of the visit passes a
 * test of `none`.
 */
export type Conditions = {
  values: [ColumnName | 'pageviews', ColumnTest][];
  some: HitTest[][];
  none: HitTest[][];
  /**
   * The filters as a text. This text is the key in the cache of selections, the lists of visits that passed some
   * filters.
   */
  text: string;
  /**
   * The test that a hit must pass to count. With a filter by page, only hits on its pages count. Without one, the test
   * is empty, and all hits of the visits that passed count.
   */
  narrowing: HitTest;
  pages: TermTest | undefined;
};

export function makeConditions(filters: Filters, texts: Texts): Conditions {
  const { page, event = {}, goal, pageviews, ...values } = filters;
  const events = makeEventTests(event, texts);
  const pages = page && makeTermTest(page, texts);
  const onPage = page && makeColumnTest(page, texts, pages);
  return {
    values: [
      ...VISIT_FILTERS.flatMap((name): Conditions['values'] => {
        const condition = values[name];
        return condition === undefined ? [] : [[name, makeColumnTest(condition, texts)]];
      }),
      ...(pageviews ? [['pageviews', testNumbers(pageviews)] satisfies Conditions['values'][number]] : []),
    ],
    some: [
      ...events.some,
      ...(goal?.is ? [makeHitTests(goal.is, texts)] : []),
      ...(onPage === undefined ? [] : [[{ page: onPage }]]),
    ],
    none: [...events.none, ...(goal?.not ? [makeHitTests(goal.not, texts)] : [])],
    text: JSON.stringify(filters),
    narrowing: onPage === undefined ? {} : { page: onPage },
    pages,
  };
}

export const isUnfiltered = ({ values, some, none }: Conditions): boolean =>
  values.length + some.length + none.length === 0;

export const hasOnlyPages = ({ values, some, none, pages }: Conditions): boolean =>
  pages !== undefined && values.length + none.length === 0 && some.length === 1;

/**
 * Adds a condition: at least one hit of a visit must reach the target, such as page /buy. `tests` has the tests for
 * this target.
 */
export const addHitTests = (conditions: Conditions, tests: HitTest[], target: Target | undefined): Conditions => ({
  ...conditions,
  some: [...conditions.some, tests],
  text: JSON.stringify([conditions.text, target]),
});

const testPages = (pages: readonly string[], texts: Texts): ColumnTest =>
  makeColumnTest(pages.some(isPattern) ? { like: pages } : { is: pages }, texts);

/**
 * Makes tests for the targets of a goal, such as page /buy or event signup. A hit that passes one of these tests
 * reaches one of the targets.
 */
export function makeHitTests(targets: readonly Target[], texts: Texts): HitTest[] {
  const { page = [], event = [] } = Object.groupBy(targets, ({ type }) => type);
  const readValues = (some: readonly Target[]) => some.map(({ value }) => value);
  return [
    ...(page.length > 0 ? [{ page: testPages(readValues(page), texts), event: PAGEVIEW }] : []),
    ...(event.length > 0 ? [{ event: makeColumnTest({ is: readValues(event) }, texts) }] : []),
  ];
}

/**
 * Makes tests for a filter by event, such as "event is signup". If the filter has both `is` and `like`, two different
 * hits of a visit may meet them. Pageviews have an empty event name. `not: ['']` keeps a pattern such as * from
 * accepting pageviews.
 */
function makeEventTests({ is, not, like, unlike }: Condition, texts: Texts): Pick<Conditions, 'some' | 'none'> {
  const test = (values?: readonly string[], patterns?: readonly string[]): HitTest[][] => [
    ...(values ? [[{ event: makeColumnTest({ is: values }, texts) }]] : []),
    ...(patterns ? [[{ event: makeColumnTest({ not: [''], like: patterns }, texts) }]] : []),
  ];
  return { some: test(is, like), none: test(not, unlike) };
}
