// Translates the filters of a query into conditions for one site. Conditions are tests on columns of visits, and tests
// on hits.
//
// Invariant: equal filters have an equal `text`. The cache of selections uses this text as its key.
//
// Example: a filter says "country is DE, and the goal /buy was reached". This filter becomes a test on the column
// `country`, and a test on hits: pageviews of page /buy. A visit is selected if its country passes and at least one of
// its hits passes. Queries and exclusions make conditions, and select.ts finds the visits that meet them.
import { isPattern } from '../../lib/pattern.ts';
import { NARROWING_FILTERS, VISIT_FILTERS } from '../../stats/dimensions.ts';
import type { Condition, Filters } from '../../stats/query.ts';
import type { Target, TargetProperty } from '../../store/sites/goals.ts';
import { readProperty } from '../column/properties.ts';
import type { Texts } from '../rows/terms.ts';
import type { Conditions } from './conditions.ts';
import { chooseTexts, type ReadColumn, readDimension } from './dimension-column.ts';
import { narrowByGroups } from './filter-groups.ts';
import { type HitTest, isNarrow, PAGEVIEW, readPage } from './hit-filter.ts';
import { countAllPageviews } from './per-visit.ts';
import { type ColumnTest, makeColumnTest, makeTermTest, testNumbers } from './term-filter.ts';

export function makeConditions({ any, ...filters }: Filters, texts: Texts): Conditions {
  const parts = makeParts(filters, texts);
  const text = JSON.stringify(filters);
  if (!any) return joinParts([parts], text);
  const groups = any.map((group) => joinParts([parts, makeParts(group, texts)], JSON.stringify([filters, group])));
  const narrowing = groups.some((group) => isNarrow(group.narrowing)) ? narrowByGroups(groups) : parts.narrowing;
  return { ...joinParts([], JSON.stringify([filters, any])), narrowing, any: groups };
}

/**
 * The tests of one set of filters. A hit counts only if it passes the test `narrowing`, for example "page is /buy". A
 * visit must have at least one hit that counts. So `joinParts` adds the test `narrowing` to `some`. For each entry of
 * `some`, a visit must have a hit that passes the entry.
 */
type Parts = Omit<Conditions, 'text' | 'any'>;

function makeParts(filters: Filters, texts: Texts): Parts {
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
    some: [...events.some, ...(goal?.is ? [makeHitTests(goal.is, texts)] : [])],
    none: [...events.none, ...(goal?.not ? [makeHitTests(goal.not, texts)] : [])],
    narrowing: { where },
    pages,
  };
}

/**
 * Joins the tests of several sets of filters. A hit counts only if it passes the test `narrowing` of every set. A visit
 * must have at least one hit that counts.
 */
function joinParts(parts: readonly Parts[], text: string): Conditions {
  const where = parts.flatMap(({ narrowing }) => narrowing.where ?? []);
  return {
    values: parts.flatMap(({ values }) => values),
    some: [...parts.flatMap(({ some }) => some), ...(where.length === 0 ? [] : [[{ where }]])],
    none: parts.flatMap(({ none }) => none),
    text,
    narrowing: { where },
    pages: parts.length === 1 ? parts[0]?.pages : undefined,
  };
}

const readPageviews: ReadColumn = (day) => ({ terms: NO_TERMS, codes: countAllPageviews(day) });

const NO_TERMS = new Uint8Array(0);

/**
 * Adds a condition: at least one hit of a visit must pass one of `tests`. `target` is the goal of these tests. The goal
 * becomes part of `text`, the key in the cache of selections.
 */
export const addHitTests = (conditions: Conditions, tests: HitTest[], target: Target | undefined): Conditions => ({
  ...conditions,
  some: [...conditions.some, tests],
  text: JSON.stringify([conditions.text, target]),
});

/**
 * Makes the test of a property. A hit without the property never passes, even if the condition only forbids values
 * (`not`).
 */
const makePropertyTest = (name: string, { not = [], ...condition }: Condition, texts: Texts) =>
  [readProperty(name, texts), makeColumnTest({ ...condition, not: [...not, ''] }, texts)] as const;

const testPages = (pages: readonly string[], texts: Texts): ColumnTest =>
  makeColumnTest(pages.some(isPattern) ? { like: pages } : { is: pages }, texts);

/**
 * Makes tests for targets. A target is the page or event of a goal or a step, such as page /buy or event signup. A hit
 * reaches one of the targets if it passes one of the tests.
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

/**
 * Makes the test of a depth. The column has the percentage plus one, or 0 for a page whose depth is not known. So the
 * depth is at least `least` if the value in the column is larger than `least`.
 */
const testDepth =
  (least: number): ColumnTest =>
  ({ codes }) => ({ codes: Uint8Array.from(codes, (packed) => Number(packed > least)), code: 1 });

/** Makes the test of a property with a value or a pattern. */
export const testProperty = ({ name, value }: TargetProperty, texts: Texts): HitTest => ({
  where: [makePropertyTest(name, isPattern(value) ? { like: [value] } : { is: [value] }, texts)],
});

/**
 * Makes the test of a target (the page or event of a goal or step) that also asks for a property or a depth. This test
 * extends the test of the page or event.
 */
function narrowTarget({ property, scroll, ...target }: Target, texts: Texts): HitTest {
  const [test = {}] = makeHitTests([target], texts);
  const { where = [] } = property ? testProperty(property, texts) : {};
  const ofDepth = scroll === undefined ? [] : [[readScroll, testDepth(scroll)] as const];
  return { ...test, where: [...(test.where ?? []), ...where, ...ofDepth] };
}

/**
 * Makes tests for a filter by event. With both `is` and `like`, one hit of a visit may meet `is`, and another hit
 * `like`. A pattern such as * would also accept pageviews, because their event name is empty. `not: ['']` leaves
 * pageviews out.
 */
function makeEventTests({ is, not, like, unlike }: Condition, texts: Texts): Pick<Conditions, 'some' | 'none'> {
  const test = (values?: readonly string[], patterns?: readonly string[]): HitTest[][] => [
    ...(values ? [[{ event: makeColumnTest({ is: values }, texts) }]] : []),
    ...(patterns ? [[{ event: makeColumnTest({ not: [''], like: patterns }, texts) }]] : []),
  ];
  return { some: test(is, like), none: test(not, unlike) };
}
