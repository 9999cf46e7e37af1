// Turns the arguments of a tool into a request of the API. The arguments are the parameters of the tool's route. All
// filters are in one object, because assistants do not accept names with brackets.
//
// Example: `{ "site": "example.com", "filters": { "page": { "like": ["/blog/*"] } } }` becomes
// `?filters[page][like]=/blog/*` in the URL of the API. The API checks the values. An error names an argument in the
// assistant's form: `filters.page.like`, not `filters[page][like]`.
//
// `mount.ts` calls `writeUrl` for each call of a tool, and `tools.ts` calls `writeInputSchema`.

import * as v from 'valibot';
import type { Json } from '../api/json-schema.ts';
import { listParameters, type Parameter } from '../api/parameters.ts';
import { isPropertyFilter } from '../api/property-filters.ts';
import { listNames, type Route } from '../api/route.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { checked } from '../lib/http/input.ts';
import { BASE } from '../lib/http/paths.ts';
import { OPERATORS } from '../stats/dimensions.ts';

/**
 * In the table of routes, this filter stands for all filters by properties. The table cannot list these filters,
 * because each site chooses the names of its properties.
 */
const PROPERTY = 'property';

const FILTER = /^filters\[(\w+)\](?:\[(\w+)\])?/;

type FilterOperators = Record<string, string[]>;
type ArgumentNames = { plain: string[]; filters: FilterOperators };

/**
 * Shorter descriptions than in the API. An assistant reads all tools before its first query, and the names of the
 * arguments say enough.
 */
const SHORT: Record<string, string> = {
  range: 'Such as 7d, month or 2026-01-01~2026-01-31',
  compare: 'previous (as many days before), year (a year before) or days',
  compare_until: 'now: up to this time of day, if the range ends today',
  limit: '',
  offset: '',
};

/**
 * Only the tool `query` lists the names of filters. An assistant reads all tools before its first query, so repeating
 * the list would cost too much.
 */
const FILTERS_HELP = 'As in the tool query';

const CONDITION: Json = { type: ['string', 'integer', 'object'] };

export function writeInputSchema(row: Route): Json {
  const filters = Object.keys(listArguments(row).filters).filter((name) => name !== PROPERTY);
  const plain = listParameters(row).filter(({ name }) => !FILTER.test(name));
  const properties = Object.fromEntries(plain.map((one) => [one.name, describeArgument(one)]));
  const required = plain.filter((one) => one.required).map(({ name }) => name);
  const frame = { type: 'object', ...(required.length > 0 ? { required } : {}), additionalProperties: false };
  if (filters.length === 0) return { ...frame, properties };
  const filtered = { type: 'object', description: FILTERS_HELP, additionalProperties: CONDITION };
  return { ...frame, properties: { ...properties, filters: filtered } };
}

const Value = v.pipe(v.union([v.string(), v.number()], fault('no_value_or_number')), v.transform(String));
const FILTER_HELP = fault('no_condition');
/**
 * An empty list is refused. Without a value, the filter would be missing in the URL, and the response would count all
 * visits.
 */
const Values = v.pipe(v.array(Value), v.minLength(1, fault('no_value')));
const Filter = v.union([Value, v.record(v.string(), Values)], FILTER_HELP);
const Arguments = v.objectWithRest({ filters: v.optional(v.record(v.string(), Filter, fault('no_filters'))) }, Value);

/** Writes the URL of the API request whose response is the result of a tool call. */
export function writeUrl(row: Route, given: unknown): string {
  const { filters, ...values } = readArguments(row, given);
  const inPath = listNames(row.path);
  const query = Object.entries(values).filter(([name]) => !inPath.includes(name));
  return `${writePath(row, values)}?${new URLSearchParams([...query, ...listPairs(filters)])}`;
}

/** Writes the path of a route, and puts values in place of the names in braces. */
export const writePath = ({ path }: Route, values: Record<string, unknown>): string =>
  BASE + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodePart(name, values[name]));

/**
 * Rewrites an error of the API, because assistants name filters in another form. For example, `filters[page][like]`
 * becomes `filters.page.like`.
 */
export const nameArguments = (refusal: string): string =>
  refusal.replaceAll(/filters\[([\w:]+)\](?:\[(\w+)\])?/g, (_, name: string, operator?: string) =>
    operator === undefined ? `filters.${name}` : `filters.${name}.${operator}`,
  );

/** Reads the arguments. Throws for an argument, filter or operator that the tool does not have. */
function readArguments(row: Route, given: unknown): v.InferOutput<typeof Arguments> {
  const { plain, filters } = listArguments(row);
  if (typeof given === 'object' && given !== null) {
    assertKnown(given, Object.keys(filters).length > 0 ? [...plain, 'filters'] : plain);
  }
  const read = checked(Arguments, given);
  // The schema drops names such as `constructor` without an error. For this reason, the original names are checked
  // here.
  const known = Object.keys(filters).filter((name) => name !== PROPERTY);
  assertKnownFilters((given as { filters?: unknown }).filters, known, 'filters.', {
    takesProperties: PROPERTY in filters,
    operators: (name) => filters[name] ?? OPERATORS,
  });
  return read;
}

type KnownConditions = { takesProperties: boolean; operators: (name: string) => readonly string[] };

/**
 * Throws for an unknown filter or operator. In the error, `place` stands in front of the name. An example is
 * `filters.`.
 */
export function assertKnownFilters(
  given: unknown,
  known: readonly string[],
  place: string,
  { takesProperties, operators }: KnownConditions = { takesProperties: true, operators: () => OPERATORS },
): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return;
  for (const [name, condition] of Object.entries(given)) {
    if (!takesProperties || !isPropertyFilter(name)) assertKnown({ [name]: condition }, known, place);
    if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) continue;
    assertKnown(condition, operators(name), `${place}${name}.`);
    if (Object.keys(condition).length === 0) throw invalid({ [`${place}${name}`]: coded('no_value') });
  }
}

export function assertKnown(given: object, known: readonly string[], place = ''): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw invalid({ [`${place}${unknown}`]: coded('not_known_of', { known: known.join(', ') }) });
}

function* listPairs(filters: v.InferOutput<typeof Arguments>['filters'] = {}): Generator<[string, string]> {
  for (const [name, asked] of Object.entries(filters)) {
    if (typeof asked === 'string') yield [`filters[${name}]`, asked];
    else
      for (const [operator, values] of Object.entries(asked)) {
        for (const value of values) yield [`filters[${name}][${operator}]`, value];
      }
  }
}

/** Encodes a value as one segment of a path. The value then cannot lead to another path. */
function encodePart(name: string, value: unknown): string {
  if (value === undefined || value === '') throw invalid({ [name]: coded('required') });
  if (value === '.' || value === '..') throw new Problem('not_found');
  // Half of a surrogate pair cannot be encoded, so `toWellFormed` replaces it.
  return encodeURIComponent(String(value).toWellFormed());
}

/** Lists the arguments of a tool. There is no argument `filters` if the tool's report does not use filters. */
function listArguments({ path, query, unfiltered }: Route): ArgumentNames {
  const { entries = {} } = (query ?? {}) as { entries?: object };
  const all = [...new Set([...listNames(path), ...Object.keys(entries)])];
  const filters: FilterOperators = {};
  for (const name of unfiltered ? [] : all) {
    const [, filter, operator] = FILTER.exec(name) ?? [];
    if (filter !== undefined) filters[filter] = [...(filters[filter] ?? []), ...(operator ? [operator] : [])];
  }
  return { plain: all.filter((name) => !FILTER.test(name)), filters };
}

/**
 * Describes an argument briefly, because an assistant reads all tools before its first query. Errors give the details.
 */
function describeArgument({ name, schema, description }: Parameter): Json {
  const { pattern: _, format: __, ...json } = schema;
  // The list of all crawler ids would be too long, so it is removed. An assistant finds the ids in the report itself.
  if (name === 'crawler') delete json.enum;
  const short = SHORT[name] ?? description;
  return short === '' ? json : { ...json, description: short };
}
