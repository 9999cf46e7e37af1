// Conditions are the filters of a query in terms of a site: tests on columns of visits, and tests on hits.
// Invariant: equal filters have equal `text`, because selections are cached by it.
//
// Example: "country is DE, and the goal /buy was reached" becomes one test on the column `country` and one list of hit tests: pageviews of
// page /buy. A visit is selected if it passes the first and has a hit that passes the second.
//
// select.ts carries conditions out. Scans, real-time reports, previews and exclusions make them.
import { isPattern } from '../../lib/pattern.ts';
import { VISIT_FILTERS } from '../../stats/dimensions.ts';
import type { Condition, Filters } from '../../stats/query.ts';
import type { Target } from '../../store/sites/goals.ts';
import type { ColumnName } from '../column/column.ts';
import type { Texts } from '../rows/terms.ts';
import { type HitTest, PAGEVIEW } from './hit-filter.ts';
import { type ColumnTest, makeColumnTest, makeTermTest, type TermTest, testNumbers } from './term-filter.ts';

/** A visit is selected if it passes all of `values`. It must have a hit for each list of `some`, and no hit for any list of `none`. */
export type Conditions = {
  values: [ColumnName | 'pageviews', ColumnTest][];
  some: HitTest[][];
  none: HitTest[][];
  /** The filters as a text, by which selections are cached. */
  text: string;
  /** The hits of the selected visits that count: with a page filter, only those on its pages. */
  narrowing: HitTest;
  /** The pages of the page filter. */
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

/** True if the only filter is one of pages. */
export const hasOnlyPages = ({ values, some, none, pages }: Conditions): boolean =>
  pages !== undefined && values.length + none.length === 0 && some.length === 1;

/** Adds one condition: a hit that reaches a target. */
export const addHitTests = (conditions: Conditions, tests: HitTest[], target: Target | undefined): Conditions => ({
  ...conditions,
  some: [...conditions.some, tests],
  text: JSON.stringify([conditions.text, target]),
});

/** Makes a test for some pages. Each may be a pattern. */
const testPages = (pages: readonly string[], texts: Texts): ColumnTest =>
  makeColumnTest(pages.some(isPattern) ? { like: pages } : { is: pages }, texts);

/** Makes the tests for some targets. A hit that passes one of the tests reaches one of the targets. */
export function makeHitTests(targets: readonly Target[], texts: Texts): HitTest[] {
  const { page = [], event = [] } = Object.groupBy(targets, ({ type }) => type);
  const readValues = (some: readonly Target[]) => some.map(({ value }) => value);
  return [
    ...(page.length > 0 ? [{ page: testPages(readValues(page), texts), event: PAGEVIEW }] : []),
    ...(event.length > 0 ? [{ event: makeColumnTest({ is: readValues(event) }, texts) }] : []),
  ];
}

/** Makes the tests of an event filter. Each operator asks for a hit of its own. Pageviews have the empty event, so they never pass. */
function makeEventTests({ is, not, like, unlike }: Condition, texts: Texts): Pick<Conditions, 'some' | 'none'> {
  const test = (values?: readonly string[], patterns?: readonly string[]): HitTest[][] => [
    ...(values ? [[{ event: makeColumnTest({ is: values }, texts) }]] : []),
    ...(patterns ? [[{ event: makeColumnTest({ not: [''], like: patterns }, texts) }]] : []),
  ];
  return { some: test(is, like), none: test(not, unlike) };
}
