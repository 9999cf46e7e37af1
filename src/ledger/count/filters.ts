import { isPattern } from '../../lib/pattern.ts';
import { VISIT_FILTERS } from '../../stats/dimensions.ts';
import type { Condition, Filters } from '../../stats/question.ts';
import type { Target } from '../../store/sites/goals.ts';
import type { ColumnName } from '../column/column.ts';
import type { Texts } from '../rows/terms.ts';
import { type HitTest, PAGEVIEW } from './hit-filter.ts';
import { amongNumbers, type ColumnTest, makeColumnTest, makeTermTest, type TermTest } from './term-filter.ts';

/**
 * Filters in terms. A selected visit has each of the values, for each list of `some` a hit that meets one of its tests, and for each
 * of `none` no such hit.
 */
export type Conditions = {
  values: [ColumnName | 'pageviews', ColumnTest][];
  some: HitTest[][];
  none: HitTest[][];
  /** All of this as a text, by which the visits that it selects are kept. */
  text: string;
  /** Which hits of the selected visits count: only those on some pages. */
  narrowing: HitTest;
  /** Which of some pages these are. */
  pages: TermTest | undefined;
};

export const isUnfiltered = ({ values, some, none }: Conditions): boolean =>
  values.length + some.length + none.length === 0;

/** Whether the only filter is one of pages. */
export const hasOnlyPages = ({ values, some, none, pages }: Conditions): boolean =>
  pages !== undefined && values.length + none.length === 0 && some.length === 1;

/** The same conditions and one more: a hit that reaches a target. */
export const withHit = (conditions: Conditions, tests: HitTest[], target: Target | undefined): Conditions => ({
  ...conditions,
  some: [...conditions.some, tests],
  text: JSON.stringify([conditions.text, target]),
});

/** Pages that are one of these, each of which may be a pattern. */
const oneOfPages = (pages: readonly string[], texts: Texts): ColumnTest =>
  makeColumnTest(pages.some(isPattern) ? { like: pages } : { is: pages }, texts);

/** The tests of which a hit that reaches one of the targets meets one. */
export function makeHitTests(targets: readonly Target[], texts: Texts): HitTest[] {
  const { page = [], event = [] } = Object.groupBy(targets, ({ type }) => type);
  const valuesOf = (some: readonly Target[]) => some.map(({ value }) => value);
  return [
    ...(page.length > 0 ? [{ page: oneOfPages(valuesOf(page), texts), event: PAGEVIEW }] : []),
    ...(event.length > 0 ? [{ event: makeColumnTest({ is: valuesOf(event) }, texts) }] : []),
  ];
}

/** Each operator is of an event of its own. No pageview is named like an event. */
function eventTests({ is, not, like, unlike }: Condition, texts: Texts): Pick<Conditions, 'some' | 'none'> {
  const test = (values?: readonly string[], patterns?: readonly string[]): HitTest[][] => [
    ...(values ? [[{ event: makeColumnTest({ is: values }, texts) }]] : []),
    ...(patterns ? [[{ event: makeColumnTest({ not: [''], like: patterns }, texts) }]] : []),
  ];
  return { some: test(is, like), none: test(not, unlike) };
}

export function makeConditions(filters: Filters, texts: Texts): Conditions {
  const { page, event = {}, goal, pageviews, ...values } = filters;
  const events = eventTests(event, texts);
  const pages = page && makeTermTest(page, texts);
  const onPage = page && makeColumnTest(page, texts, pages);
  return {
    values: [
      ...VISIT_FILTERS.flatMap((name): Conditions['values'] => {
        const condition = values[name];
        return condition === undefined ? [] : [[name, makeColumnTest(condition, texts)]];
      }),
      ...(pageviews ? [['pageviews', amongNumbers(pageviews)] satisfies Conditions['values'][number]] : []),
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
