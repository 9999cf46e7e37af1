// Filters choose the visits that a report counts. This file has the schemas of filters and reads filters.
//
// A URL has a filter as `filters[page]=/a`, or with an operator as `filters[page][like]=/blog/*`. A body has this
// filter as `{ "page": "/a" }` or `{ "page": { "like": ["/blog/*"] } }`. All these forms are read into one form, which
// has a list of values for each operator. A value without an operator gets the operator `is`. A filter may have 20
// values per operator, and a query 50 values in all.
//
// Values are changed to the form in which hits store them (filter-values.ts). A goal becomes its page or event. Every
// report that takes filters calls `readFilters`.

import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { PositiveId } from '../lib/http/fields.ts';
import { FILTERS, type FilterName, isClosed, OPERATORS, type Operator, VISIT_DIMENSIONS } from '../stats/dimensions.ts';
import type { Condition, Filters } from '../stats/query.ts';
import type { Db } from '../store/db.ts';
import { findGoal, type Target } from '../store/sites/goals.ts';
import { AnyText, PATTERNS, type TextSchema, VALUES } from './filter-values.ts';
import { GoalId, Pattern, whole } from './input.ts';
import { isPropertyFilter, PROPERTY_PARAMETERS, readPropertyFilters } from './property-filters.ts';

/**
 * Matches a filter in a URL, such as `filters[page][like]`, and finds its name and its operator. For a property such as
 * `plan`, the name of the filter is `property:plan`.
 */
const FILTER_PARAMETER = /^filters\[(\w+|property:[\w()]+)\](?:\[(\w+)\])?$/;

const MOST_PAGEVIEWS = 1_000_000;
const PAGEVIEWS_HELP = fault('no_pageviews');
const Pageviews = whole(0, MOST_PAGEVIEWS, PAGEVIEWS_HELP);

const MOST_OF_ONE = 20;
const MOST_OF_ALL = 50;

const makeList = <ValueSchema extends v.GenericSchema<string, string | number>>(value: ValueSchema) =>
  v.optional(v.pipe(v.array(value), v.maxLength(MOST_OF_ONE, fault('too_many_values', { most: MOST_OF_ONE }))));

const isLiteral = (operator: Operator): boolean => operator === 'is' || operator === 'not';

const chooseSchema = (name: FilterName, operator: Operator): TextSchema =>
  isLiteral(operator) ? (VALUES[name] ?? AnyText) : (PATTERNS[name] ?? Pattern);

const listOperators = (name: FilterName): Operator[] =>
  OPERATORS.filter((operator) => isLiteral(operator) || !isClosed(name));

/**
 * Lists the parameters that a filter can have in a URL. The first parameter takes one value. Each operator has a
 * parameter that takes a list of values.
 */
const listFilterParameters = (name: FilterName): [string, v.GenericSchema][] => [
  [`filters[${name}]`, v.optional(VALUES[name] ?? AnyText)],
  ...listOperators(name).map((operator): [string, v.GenericSchema] => [
    `filters[${name}][${operator}]`,
    makeList(chooseSchema(name, operator)),
  ]),
];

type ListsSchema<ValueSchema> = v.OptionalSchema<v.GenericSchema<string[], ValueSchema[]>, undefined>;
type FilterEntries<Filter extends FilterName> = {
  [Name in Filter as `filters[${Name}]`]: v.OptionalSchema<TextSchema, undefined>;
} & { [Name in Filter as `filters[${Name}][${Operator}]`]: ListsSchema<string> };

const makeEntries = <Name extends FilterName>(names: readonly Name[]) =>
  Object.fromEntries(names.flatMap(listFilterParameters)) as unknown as FilterEntries<Name>;

/**
 * A report over all sites takes only filters by dimensions of visits, which mean the same on every site. It takes no
 * filter by a goal, because a goal belongs to one site.
 */
export const VisitFilterParameters = makeEntries(VISIT_DIMENSIONS);

export const FilterParameters = {
  ...makeEntries(FILTERS),
  'filters[goal]': v.optional(GoalId),
  'filters[goal][is]': makeList(GoalId),
  'filters[goal][not]': makeList(GoalId),
  'filters[pageviews]': v.optional(Pageviews),
  'filters[pageviews][is]': makeList(Pageviews),
  'filters[pageviews][not]': makeList(Pageviews),
  ...PROPERTY_PARAMETERS,
};

const LISTS_HELP = fault('no_condition');
const NONE_HELP = fault('no_value');

type ValueSchema = v.GenericSchema<string, string> | v.GenericSchema<number, number>;

const makeTextCondition = (name: FilterName) =>
  makeCondition(listOperators(name), (operator) => chooseSchema(name, operator));

/**
 * The schemas of filters in a body, by their names in the OpenAPI document. Filters with the same kind of values share
 * one schema.
 */
export const CONDITIONS = {
  PageCondition: makeTextCondition('page'),
  SourceCondition: makeTextCondition('source'),
  HostnameCondition: makeTextCondition('hostname'),
  CountryCondition: makeTextCondition('country'),
  RegionCondition: makeTextCondition('region'),
  DeviceCondition: makeTextCondition('device'),
  LanguageCondition: makeTextCondition('language'),
  ScreenCondition: makeTextCondition('screen'),
  ChannelCondition: makeTextCondition('channel'),
  EventCondition: makeTextCondition('event'),
  TextCondition: makeTextCondition('browser'),
  NumberCondition: makeCondition(['is', 'not'], () => PositiveId),
  PageviewCondition: makeCondition(['is', 'not'], () =>
    v.pipe(
      v.number(PAGEVIEWS_HELP),
      v.safeInteger(PAGEVIEWS_HELP),
      v.minValue(0, PAGEVIEWS_HELP),
      v.maxValue(MOST_PAGEVIEWS, PAGEVIEWS_HELP),
    ),
  ),
};

const CONDITION_NAMES: Partial<Record<FilterName, keyof typeof CONDITIONS>> = {
  page: 'PageCondition',
  entry: 'PageCondition',
  exit: 'PageCondition',
  source: 'SourceCondition',
  hostname: 'HostnameCondition',
  country: 'CountryCondition',
  region: 'RegionCondition',
  language: 'LanguageCondition',
  screen: 'ScreenCondition',
  channel: 'ChannelCondition',
  device: 'DeviceCondition',
  event: 'EventCondition',
};

/** All filters in the form of a body, for example in a request that adds an exclusion or an alert. */
export const FilterObject = v.pipe(
  v.objectWithRest(
    {
      ...Object.fromEntries(FILTERS.map((name) => [name, v.optional(chooseCondition(name))])),
      goal: v.optional(CONDITIONS.NumberCondition),
      pageviews: v.optional(CONDITIONS.PageviewCondition),
    },
    CONDITIONS.TextCondition,
    fault('no_object'),
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    for (const [key, value] of Object.entries(dataset.typed ? dataset.value : {})) {
      if (FILTER_NAMES.includes(key) || isPropertyFilter(key)) continue;
      const path = [
        { type: 'object', origin: 'key', input: dataset.value as Record<string, unknown>, key, value },
      ] as const;
      addIssue({
        message: fault('not_known_of', { known: [...FILTER_NAMES, 'property:NAME'].join(', ') }),
        path: [...path],
      });
    }
  }),
);
const FILTER_NAMES: readonly string[] = [...FILTERS, 'goal', 'pageviews'];

/**
 * A group of at least one filter. An exclusion has one group. The query of a table may list several groups as `any`.
 * Then the table counts only visits that pass one of these groups.
 */
export const FilterGroup = v.pipe(
  FilterObject,
  v.check((filters) => Object.keys(filters).length > 0, fault('no_filter')),
  v.metadata({ minProperties: 1 }),
);

type FilterObject = v.InferOutput<typeof FilterObject>;

/** Turns the filters of a body into parameters of a URL, because `readFilters` reads only parameters. */
export const writeParameters = (filters: FilterObject): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, asked]): [string, unknown][] =>
      typeof asked === 'object'
        ? Object.entries(asked).map(([operator, values]) => [`filters[${name}][${operator}]`, values])
        : [[`filters[${name}]`, asked]],
    ),
  );

/**
 * Finds the message about a wrong value. A filter is either one value or lists of values. So the schema reports the
 * faults of both forms, but only the faults of the form that was sent count.
 */
function findFault({ input, issues }: v.UnionIssue<v.BaseIssue<unknown>>): string {
  const isOne = typeof input !== 'object';
  const [fault] = (issues ?? []).filter(({ path, expected }) => (path === undefined) === isOne && expected !== 'never');
  return fault?.message ?? LISTS_HELP;
}

function makeCondition(operators: readonly Operator[], schemaFor: (operator: Operator) => ValueSchema) {
  const lists = operators.map((operator) => {
    const values = v.array(schemaFor(operator) as v.GenericSchema<string | number>, LISTS_HELP);
    const list = v.pipe(
      values,
      v.minLength(1, NONE_HELP),
      v.maxLength(MOST_OF_ONE, fault('too_many_values', { most: MOST_OF_ONE })),
    );
    return [operator, v.optional(list)] as const;
  });
  const any = v.pipe(
    v.strictObject(Object.fromEntries(lists), LISTS_HELP),
    v.check((given) => Object.keys(given).length > 0, NONE_HELP),
    v.metadata({ minProperties: 1 }),
  );
  return v.union([schemaFor('is'), any], findFault);
}

function chooseCondition(name: FilterName) {
  const known = CONDITION_NAMES[name] ?? (isClosed(name) ? undefined : 'TextCondition');
  return known ? CONDITIONS[known] : makeTextCondition(name);
}

const Values = v.optional(v.array(v.union([v.string(), v.number()])));

/** The schema of the filters that an answer repeats. Here the names of filters have no brackets, such as `page`. */
export const Applied = v.record(
  v.string(),
  v.union([v.string(), v.number(), v.strictObject({ is: Values, not: Values, like: Values, unlike: Values })]),
);
type Applied = v.InferOutput<typeof Applied>;

/** Reads the filters of a query. `filters` is for the engine. The answer repeats `applied`. */
export function readFilters(
  db: Db,
  siteId: number,
  asked: Readonly<Record<string, unknown>>,
): { filters: Filters; applied: Applied } {
  const applied = readApplied(asked);
  const { goal, ...conditions } = Object.fromEntries(
    Object.entries(applied).map(([name, value]) => [name, typeof value === 'object' ? value : { is: [value] }]),
  );
  const targets = (ids: readonly unknown[] = []) => ids.map((id) => findTarget(db, siteId, Number(id)));
  return {
    filters: {
      ...(readPropertyFilters(conditions) as Partial<Record<FilterName, Condition>>),
      ...(goal
        ? { goal: { ...(goal.is && { is: targets(goal.is) }), ...(goal.not && { not: targets(goal.not) }) } }
        : {}),
    },
    applied,
  };
}

/**
 * Finds the filters among the parameters. Refuses too many values, and a filter that is sent both with an operator and
 * without one.
 */
function readApplied(asked: Readonly<Record<string, unknown>>): Applied {
  const applied: Record<string, string | number | Record<string, unknown>> = {};
  let count = 0;
  for (const [name, value] of Object.entries(asked)) {
    const [, bare, operator] = FILTER_PARAMETER.exec(name) ?? [];
    if (bare === undefined || value === undefined) continue;
    count += [value].flat().length;
    if (count > MOST_OF_ALL) throw invalid({ [name]: coded('too_many_values_of_all', { most: MOST_OF_ALL }) });
    const before = applied[bare];
    if (operator === undefined) applied[bare] = value as string | number;
    else if (before === undefined || typeof before === 'object') applied[bare] = { ...before, [operator]: value };
    else
      throw invalid({ [`filters[${bare}]`]: coded('cannot_stand_beside', { name, instead: `filters[${bare}][is]` }) });
  }
  return applied as Applied;
}

function findTarget(db: Db, siteId: number, id: number): Target {
  const goal = findGoal(db, siteId, id);
  if (!goal) throw new Problem('not_found');
  const { id: _, created_at: __, ...target } = goal;
  return target;
}
