/**
 * The arguments of a tool: those of its route in routes.ts, with all filters in one object, because assistants refuse names with brackets.
 *
 *     { "site": "example.com", "filters": { "country": "DE", "page": { "like": ["/blog/*"] } } }
 *
 * is `?filters[country]=DE&filters[page][like]=/blog/*` of the API, which checks the values. An error names an argument as it was given.
 */

import * as v from 'valibot';
import type { Json } from '../api/json-schema.ts';
import { BASE } from '../api/mount.ts';
import { listParameters, type Parameter } from '../api/parameters.ts';
import { listNames, type Route } from '../api/route.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { checked } from '../lib/http/input.ts';

const FILTER = /^filters\[(\w+)\](?:\[(\w+)\])?/;

/** The operators of each filter, by its name. */
type Filters = Record<string, string[]>;
type Names = { plain: string[]; filters: Filters };

/** What a tool takes. Where filters do not apply there are none. */
function namesOf({ path, query, unfiltered }: Route): Names {
  const { entries = {} } = (query ?? {}) as { entries?: object };
  const all = [...new Set([...listNames(path), ...Object.keys(entries)])];
  const filters: Filters = {};
  for (const name of unfiltered ? [] : all) {
    const [, filter, operator] = FILTER.exec(name) ?? [];
    if (filter !== undefined) filters[filter] = [...(filters[filter] ?? []), ...(operator ? [operator] : [])];
  }
  return { plain: all.filter((name) => !FILTER.test(name)), filters };
}

/** A value, or lists of values by operator. */
const CONDITION: Json = { type: ['string', 'integer', 'object'], additionalProperties: { type: 'array' } };

/** An assistant reads all of this before its first question, so what an error tells as well is left out. */
function describe({ name, schema, description }: Parameter): Json {
  const { pattern: _, format: __, ...json } = schema;
  // There are seventy crawlers, and the report names those that came.
  if (name === 'crawler') delete json.enum;
  return { ...json, description };
}

/** The JSON Schema of a tool's arguments. */
export function inputSchema(row: Route): Json {
  const filters = Object.keys(namesOf(row).filters);
  const plain = listParameters(row).filter(({ name }) => !FILTER.test(name));
  const properties = Object.fromEntries(plain.map((one) => [one.name, describe(one)]));
  const required = plain.filter((one) => one.required).map(({ name }) => name);
  const frame = { type: 'object', required, additionalProperties: false };
  if (filters.length === 0) return { ...frame, properties };
  const filtered = {
    type: 'object',
    description: 'Which visits count. Each is a value, or lists of values by is, not, like, unlike',
    propertyNames: { enum: filters },
    additionalProperties: CONDITION,
  };
  return { ...frame, properties: { ...properties, filters: filtered } };
}

const Value = v.pipe(v.union([v.string(), v.number()], fault('no_value_or_number')), v.transform(String));
const FILTER_HELP = fault('no_condition');
const Filter = v.union([Value, v.record(v.string(), v.array(Value))], FILTER_HELP);
const Arguments = v.objectWithRest({ filters: v.optional(v.record(v.string(), Filter, fault('no_filters'))) }, Value);

function assertKnown(given: object, known: readonly string[], place = ''): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw invalid({ [`${place}${unknown}`]: coded('not_known_of', { known: known.join(', ') }) });
}

/** What is given, as far as the tool takes it; throws where it does not. */
function readArguments(row: Route, given: unknown): v.InferOutput<typeof Arguments> {
  const { plain, filters } = namesOf(row);
  if (typeof given === 'object' && given !== null) {
    assertKnown(given, Object.keys(filters).length > 0 ? [...plain, 'filters'] : plain);
  }
  const read = checked(Arguments, given);
  assertKnown(read.filters ?? {}, Object.keys(filters), 'filters.');
  for (const [name, asked] of Object.entries(read.filters ?? {})) {
    if (typeof asked === 'object') assertKnown(asked, filters[name] ?? [], `filters.${name}.`);
  }
  return read;
}

function* pairsOf(filters: v.InferOutput<typeof Arguments>['filters'] = {}): Generator<[string, string]> {
  for (const [name, asked] of Object.entries(filters)) {
    if (typeof asked === 'string') yield [`filters[${name}]`, asked];
    else
      for (const [operator, values] of Object.entries(asked)) {
        for (const value of values) yield [`filters[${name}][${operator}]`, value];
      }
  }
}

/** A value as a part of a path that no other path can be made with. */
function partOf(name: string, value: unknown): string {
  if (value === undefined || value === '') throw invalid({ [name]: coded('required') });
  if (value === '.' || value === '..') throw new Problem('not_found');
  return encodeURIComponent(String(value));
}

/** The path and query by which the API answers a call of a tool. */
export function addressOf(row: Route, given: unknown): string {
  const { filters, ...values } = readArguments(row, given);
  const inPath = listNames(row.path);
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => partOf(name, values[name]));
  const query = Object.entries(values).filter(([name]) => !inPath.includes(name));
  return `${BASE}${path}?${new URLSearchParams([...query, ...pairsOf(filters)])}`;
}

/** A refusal of the API, with its parameters named as the tool's arguments. */
export const inArguments = (refusal: string): string =>
  refusal.replaceAll(/filters\[(\w+)\](?:\[(\w+)\])?/g, (_, name: string, operator?: string) =>
    operator === undefined ? `filters.${name}` : `filters.${name}.${operator}`,
  );
