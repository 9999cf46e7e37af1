// Turns the arguments of a tool into a request with a body. The arguments are the site in the path, and the fields of
// the body.
//
// Invariant: an error names the argument that is wrong. This file checks the names of arguments and filters. The API
// checks the values, and its errors name fields of the body. A field of the body and its argument have equal names. For
// tools without a body, arguments.ts checks the names.
//
// Example: `{ "site": "example.com", "by": ["country"], "any": [{ "page": "/pricing" }] }` becomes a POST to
// /api/v1/sites/example.com/query. The body has all arguments except the site. `tools.ts` calls `writeBodySchema`, and
// `mount.ts` calls `writeBody`.

import { type Json, writeJsonSchema } from '../api/json-schema.ts';
import { listNames, type Route } from '../api/route.ts';
import type { Schema } from '../lib/http/input.ts';
import { FILTERS, NUMBER_FILTERS, OPERATORS } from '../stats/dimensions.ts';
import { assertKnown, assertKnownFilters, writePath } from './arguments.ts';

const KNOWN_FILTERS = [...FILTERS, ...NUMBER_FILTERS];
const OWN_PROPERTY: Json = { pattern: '^property:' };

const VALUE: Json = { type: ['string', 'integer'] };
const LIST: Json = { type: 'array', minItems: 1, items: VALUE };
const FILTER: Json = {
  anyOf: [
    VALUE,
    {
      type: 'object',
      minProperties: 1,
      properties: Object.fromEntries(OPERATORS.map((name) => [name, LIST])),
      additionalProperties: false,
    },
  ],
};

/** Descriptions of arguments, and types that the schema of the body cannot express. */
const LISTED: Record<string, Json> = {
  range: { description: 'today, 7d, 30d, month (until today), last-month, all (730 days) or 2026-01-01~2026-01-31' },
  by: { description: 'What the rows are. Empty for one row with the totals' },
  metrics: {
    description:
      'bounce_rate, visit_duration and conversions need keys of visits. time_on_page and scroll_depth need page or hostname',
  },
  any: {
    description: 'Groups of filters, as in filters. A visit must also pass one of the groups',
    items: { type: 'object', minProperties: 1 },
  },
  goal: { description: 'Id of the goal of conversions (default: the main goal)' },
  currency: { description: 'Of revenue, such as EUR (default: that of the site)' },
  compare: { description: 'previous, year or days. Adds previous figures to rows without times' },
  sort: { description: 'A metric, largest first, or a key, smallest first' },
};

/**
 * Fields of the body that are not arguments of the tool. The tool does not need `interval`, because `by` may name a
 * time such as `week`.
 */
const LEFT_OUT = ['interval'];

export function writeBodySchema({ path, body }: Route): Json {
  const { properties } = writeJsonSchema(body as Schema, 'input') as { properties: Record<string, Json> };
  const filters = describeFilters(properties.filters as FiltersJson);
  const listed = Object.entries(properties)
    .filter(([name]) => !LEFT_OUT.includes(name))
    .map(
      ([name, { pattern: _, format: __, ...json }]) =>
        [name, name === 'filters' ? filters : { ...json, ...LISTED[name] }] as const,
    );
  const inPath = listNames(path).map((name) => [name, { type: ['string', 'integer'] }] as const);
  return {
    type: 'object',
    required: inPath.map(([name]) => name),
    additionalProperties: false,
    properties: Object.fromEntries([...inPath, ...listed]),
  };
}

type FiltersJson = { properties: Record<string, { anyOf: Json[] }> };

/**
 * Describes the filters. Filters with numbers or with few possible values have schemas of their own. All other filters
 * share one schema, because separate schemas would take 13 kB.
 */
function describeFilters({ properties }: FiltersJson): Json {
  const own = Object.entries(properties).flatMap(([name, { anyOf }]) => {
    const { type, enum: values } = anyOf[0] ?? {};
    const value = values ? { enum: values } : { type };
    return values || type === 'integer' ? [[name, { anyOf: [value, { type: 'object' }] }]] : [];
  });
  return {
    type: 'object',
    description: 'A visit must pass all. A value, or lists by operator',
    propertyNames: { anyOf: [{ enum: KNOWN_FILTERS }, OWN_PROPERTY] },
    properties: Object.fromEntries(own),
    additionalProperties: FILTER,
  };
}

/** Writes the path and the body of the API request whose response is the result of a tool call. */
export function writeBody(row: Route, given: unknown): { path: string; body: string } {
  const { entries } = row.body as unknown as { entries: object };
  const inPath = listNames(row.path);
  const values = given as Record<string, unknown>;
  assertKnown(values, [...inPath, ...Object.keys(entries).filter((name) => !LEFT_OUT.includes(name))]);
  assertKnownFilters(values.filters, KNOWN_FILTERS, 'filters.');
  if (Array.isArray(values.any)) {
    for (const [i, group] of values.any.entries()) assertKnownFilters(group, KNOWN_FILTERS, `any.${i}.`);
  }
  const body = Object.entries(values).filter(([name]) => !inPath.includes(name));
  return { path: writePath(row, values), body: JSON.stringify(Object.fromEntries(body)) };
}
