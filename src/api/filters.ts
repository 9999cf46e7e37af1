// Filters choose the visits that a report counts. This file has their schemas and reads them.
//
// A filter comes in three forms: `filters[page]=/a` and `filters[page][like]=/blog/*` in a URL, `{ "page": { "like":
// ["/blog/*"] } }` in a body. All three become one condition by operator. A value without an operator means `is`. A
// filter takes 20 values per operator, and a query 50 in all.
//
// Values are brought into the form in which they are stored. For example, `de` becomes `DE`. A goal becomes its page
// or event. `readFilters` is called by every report.

import * as v from 'valibot';
import { normalizeHost } from '../classify/source.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { PositiveId, text } from '../lib/http/fields.ts';
import {
  FILTERS,
  type FilterName,
  isClosed,
  OPERATORS,
  type Operator,
  VISIT_TEXT_FIELDS,
} from '../stats/dimensions.ts';
import type { Condition, Filters } from '../stats/query.ts';
import type { Db } from '../store/db.ts';
import { findGoal, type Target } from '../store/sites/goals.ts';
import { EVENT_NAME, GoalId, Page, PagePattern, Pattern, whole } from './input.ts';

const SOURCE_HELP = fault('no_source');
const COUNTRY_HELP = fault('no_country');

const Source = v.pipe(
  v.string(),
  v.regex(/^[^\s/:]*$/, SOURCE_HELP),
  v.transform((host) => normalizeHost(host) ?? host.toLowerCase()),
);

export const Device = v.picklist(['Desktop', 'Mobile', 'Tablet', ''], fault('no_device'));

type TextSchema = v.GenericSchema<string, string>;

/** The values of filters that do not take any text. */
const VALUES: Partial<Record<FilterName, TextSchema>> = {
  page: Page,
  entry: Page,
  exit: Page,
  source: Source,
  country: v.pipe(v.string(), v.regex(/^(?:[A-Za-z]{2})?$/, COUNTRY_HELP), v.toUpperCase()),
  device: Device,
  event: text(EVENT_NAME),
};

export const SourcePattern = v.pipe(Pattern, v.toLowerCase());

/** Patterns of filters that are changed before they are stored. Other patterns are stored as typed. */
const PATTERNS: Partial<Record<FilterName, TextSchema>> = {
  page: PagePattern,
  entry: PagePattern,
  exit: PagePattern,
  source: SourcePattern,
};

const MOST_PAGEVIEWS = 1_000_000;
const PAGEVIEWS_HELP = fault('no_pageviews');
const Pageviews = whole(0, MOST_PAGEVIEWS, PAGEVIEWS_HELP);

const MOST_OF_ONE = 20;
const MOST_OF_ALL = 50;

const makeList = <ValueSchema extends v.GenericSchema<string, string | number>>(value: ValueSchema) =>
  v.optional(v.pipe(v.array(value), v.maxLength(MOST_OF_ONE, fault('too_many_values', { most: MOST_OF_ONE }))));

const isLiteral = (operator: Operator): boolean => operator === 'is' || operator === 'not';

const chooseSchema = (name: FilterName, operator: Operator): TextSchema =>
  isLiteral(operator) ? (VALUES[name] ?? v.string()) : (PATTERNS[name] ?? Pattern);

const listOperators = (name: FilterName): Operator[] =>
  OPERATORS.filter((operator) => isLiteral(operator) || !isClosed(name));

/** ListsSchema the parameters of a filter: one for a single value, and a list for each operator. */
const listFilterParameters = (name: FilterName): [string, v.GenericSchema][] => [
  [`filters[${name}]`, v.optional(VALUES[name] ?? v.string())],
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

/** Filters on properties of a visit, which mean the same on every site. Reports of all sites take only these. */
export const VisitFilterParameters = makeEntries(VISIT_TEXT_FIELDS);

export const FilterParameters = {
  ...makeEntries(FILTERS),
  'filters[goal]': v.optional(GoalId),
  'filters[goal][is]': makeList(GoalId),
  'filters[goal][not]': makeList(GoalId),
  'filters[pageviews]': v.optional(Pageviews),
  'filters[pageviews][is]': makeList(Pageviews),
  'filters[pageviews][not]': makeList(Pageviews),
};

const LISTS_HELP = fault('no_condition');
const NONE_HELP = fault('no_value');

type ValueSchema = v.GenericSchema<string, string> | v.GenericSchema<number, number>;

const makeTextCondition = (name: FilterName) =>
  makeCondition(listOperators(name), (operator) => chooseSchema(name, operator));

/** Schemas of filters in a body, by their names in the OpenAPI document. Filters with equal values share one. */
export const CONDITIONS = {
  PageCondition: makeTextCondition('page'),
  SourceCondition: makeTextCondition('source'),
  CountryCondition: makeTextCondition('country'),
  DeviceCondition: makeTextCondition('device'),
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
  country: 'CountryCondition',
  device: 'DeviceCondition',
  event: 'EventCondition',
};

/** All filters as a body has them. Exclusions take and give this form. */
export const FilterObject = v.strictObject({
  ...Object.fromEntries(FILTERS.map((name) => [name, v.optional(chooseCondition(name))])),
  goal: v.optional(CONDITIONS.NumberCondition),
  pageviews: v.optional(CONDITIONS.PageviewCondition),
});
type FilterObject = v.InferOutput<typeof FilterObject>;

/** Writes the filters of a body as parameters of a URL. */
export const writeParameters = (filters: FilterObject): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, asked]): [string, unknown][] =>
      typeof asked === 'object'
        ? Object.entries(asked).map(([operator, values]) => [`filters[${name}][${operator}]`, values])
        : [[`filters[${name}]`, asked]],
    ),
  );

/** Finds what is wrong with a value, or with a value in the lists. */
function findFault({ input, issues }: v.UnionIssue<v.BaseIssue<unknown>>): string {
  const isOne = typeof input !== 'object';
  const [fault] = (issues ?? []).filter(({ path, expected }) => (path === undefined) === isOne && expected !== 'never');
  return fault?.message ?? LISTS_HELP;
}

/** Makes the schema of a filter in a body: one value, or lists of values by operator. */
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

/** The filters that an answer repeats, by their names without brackets. */
export const Applied = v.record(
  v.string(),
  v.union([v.string(), v.number(), v.strictObject({ is: Values, not: Values, like: Values, unlike: Values })]),
);
type Applied = v.InferOutput<typeof Applied>;

/** Reads the filters of a query. Gives them twice: for the engine, and as the answer repeats them. */
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
      ...(conditions as Partial<Record<FilterName, Condition>>),
      ...(goal
        ? { goal: { ...(goal.is && { is: targets(goal.is) }), ...(goal.not && { not: targets(goal.not) }) } }
        : {}),
    },
    applied,
  };
}

/**
 * Reads filters from parameters. Refuses too many values, and a value without operator beside one with an operator.
 */
function readApplied(asked: Readonly<Record<string, unknown>>): Applied {
  const applied: Record<string, string | number | Record<string, unknown>> = {};
  let count = 0;
  for (const [name, value] of Object.entries(asked)) {
    const [, bare, operator] = /^filters\[(\w+)\](?:\[(\w+)\])?$/.exec(name) ?? [];
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
  return { type: goal.type, value: goal.value };
}
