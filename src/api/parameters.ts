// The parameters of routes, as the OpenAPI document and the tools of AI assistants describe them.
//
// A parameter has a name, a place (path or query), a description and a schema. The schema is the one that checks the
// request. The description is in the tables of this file.
//
// Several routes may take the same parameter. Then `components` has this parameter only once: `range` is
// `#/components/parameters/range`, and `filters[page][is]` is `#/components/parameters/page.is`. `openapi.ts` and
// `src/mcp/arguments.ts` call these functions.

import type { Schema } from '../lib/http/input.ts';
import { DIMENSIONS, type DimensionName, type Operator } from '../stats/dimensions.ts';
import { type Json, writeJsonSchema } from './json-schema.ts';
import { PROPERTY_PARAMETER } from './property-filters.ts';
import { listNames, type Route } from './route.ts';

export type Parameter = {
  name: string;
  in: 'path' | 'query';
  required?: true;
  style?: string;
  explode?: boolean;
  description?: string;
  example?: unknown;
  schema: Json;
};

type ParameterText = { description: string; example?: unknown };

// biome-ignore format: this is a table, with one line for each parameter
const TEXTS: Record<string, ParameterText> = {
  site: { description: "The site's id or domain", example: 'example.com' },
  goal: { description: 'The id of a goal of the site', example: 1 },
  funnel: { description: 'The id of a funnel of the site', example: 1 },
  note: { description: 'The id of a note of the site', example: 1 },
  exclusion: { description: 'The id of an exclusion of the site', example: 1 },
  view: { description: 'The id of a saved view of the site', example: 1 },
  block: { description: 'The id of a block of the site', example: 1 },
  share: { description: 'The id of a share link of the site', example: 1 },
  alert: { description: 'The id of a custom alert of the site', example: 1 },
  channel: { description: 'The id of a notification channel of the site', example: 1 },
  import_id: { description: 'The id of an import of the site', example: 1 },
  upload: { description: 'The id of an upload of the site', example: 1 },
  embed: { description: 'The id of an origin of the site', example: 1 },
  member: { description: 'The id of a member of the team', example: 1 },
  token: { description: 'The id of a token', example: 1 },
  session: { description: 'The id of a session', example: 1 },
  range: { description: 'The days to answer for', example: '7d' },
  compare: { description: 'The days to compare with', example: 'previous' },
  compare_until: { description: 'When the compared days end' },
  format: { description: 'The format of the file', example: 'csv' },
  interval: { description: 'The time that a point of the chart covers', example: 'day' },
  metrics: { description: 'More figures to answer, by name' },
  breakdown: { description: 'What the rows are' },
  by: { description: 'What the rows are', example: 'pages' },
  event: { description: 'The event with these labels or properties', example: 'signup' },
  property: { description: 'The property whose values you want', example: 'plan' },
  limit: { description: 'The number of rows to answer', example: 10 },
  before: { description: 'Only what is older than the one with this id', example: 100 },
  offset: { description: 'The number of rows to skip, or of bytes that were sent before', example: 0 },
  domain: { description: 'The domain that the site may get', example: 'new.example' },
  after: { description: 'The number of the last one that you have', example: 0 },
  as_of: { description: 'The answer at the end of this day', example: '2026-05-03' },
  sort: { description: 'The figure that sorts rows, largest first (default: visitors)' },
  order: { description: 'With asc, the smallest first', example: 'asc' },
  search: { description: 'A text in the value of a row (upper or lower case)', example: 'blog' },
  crawler: { description: 'The id of a crawler, to answer its pages', example: 'gptbot' },
  metric: { description: 'The figure to compare', example: 'visitors' },
  sites: { description: 'The ids of sites (default: all that you may see)', example: '1,2' },
  date: { description: 'A day of the site', example: '2026-03-10' },
  from: { description: 'The first day', example: '2026-03-01' },
  to: { description: 'The last day', example: '2026-03-31' },
  direction: { description: 'Whether the next pages are answered, or those before', example: 'after' },
  steps: { description: 'How many pages to follow', example: 3 },
  patterns: { description: 'Patterns of private segments', example: '/users/*' },
  parameters: { description: 'Names of page parameters, one a line', example: 'p' },
  url: { description: 'A URL of the site', example: '/?p=1' },
};

const VALUES: Record<string, unknown> = {
  ...{ page: '/pricing', entry: '/', exit: '/thanks', event: 'signup', source: 'example.org', country: 'DE' },
  ...{ device: 'Mobile', browser: 'Firefox', os: 'Windows', goal: 1, pageviews: 1 },
  ...{ utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'spring' },
};

const NUMBERS: Record<string, string> = { goal: 'Id of a goal that was reached', pageviews: 'Number of pageviews' };

const CONDITIONS: Record<Operator, string> = {
  is: 'is one of these',
  not: 'is none of these',
  like: 'matches one of these patterns',
  unlike: 'matches none of these patterns',
};

const FILTER = /^filters\[(\w+)\](?:\[(\w+)\])?$/;

const ID: Json = { type: 'integer', minimum: 1 };

/**
 * Lists the parameters of a route: first the parameters of the path, then the parameters of the query. For a route that
 * does not use filters, the list has no filters.
 */
export function listParameters(
  { path, query, unfiltered }: Route,
  convert = (schema: Schema) => writeJsonSchema(schema, 'input'),
) {
  const names = listNames(path);
  const { properties = {}, required = [] } = (query ? convert(query) : {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const inPath = names.map((name) =>
    describeParameter(name, 'path', true, properties[name] ?? (name === 'site' ? { type: 'string' } : ID)),
  );
  const inQuery = Object.entries(properties)
    .filter(([name]) => !names.includes(name) && !(unfiltered && name.startsWith('filters[')))
    .map(([name, schema]) => describeParameter(name, 'query', required.includes(name), schema));
  return [...inPath, ...inQuery];
}

/**
 * Stands in the key of a filter (`makeKey`) in place of the operator, if the filter has none. So the key of
 * `filters[page]` is `page.1`.
 */
const ONE = '1';

/**
 * Finds the parameters that several routes have, so that the document describes each one only once. Returns them, and a
 * function that writes a reference to such a parameter.
 */
export function shareParameters(all: readonly (readonly Parameter[])[]) {
  const uses = new Map<string, number>();
  for (const one of all.flat()) uses.set(JSON.stringify(one), (uses.get(JSON.stringify(one)) ?? 0) + 1);
  const shared: Record<string, Parameter> = {};
  for (const [json, count] of uses) {
    const one = JSON.parse(json) as Parameter;
    // Two different parameters may have one name, such as `goal` in a path and in a query. Only the first one gets a
    // shared description.
    if (count > 1) shared[makeKey(one.name)] ??= one;
  }
  const texts = new Set(Object.values(shared).map((one) => JSON.stringify(one)));
  return {
    shared,
    refer: (one: Parameter): Json =>
      texts.has(JSON.stringify(one)) ? { $ref: `#/components/parameters/${makeKey(one.name)}` } : one,
  };
}

/**
 * Filters by properties. Each site chooses the names of its properties, so the document describes all these filters as
 * one object. Each entry of the object is a parameter, such as `filters[property:plan][is]`.
 */
const OF_PROPERTIES: Parameter = {
  ...{ name: PROPERTY_PARAMETER, in: 'query', style: 'form', explode: true },
  description: 'Filters such as filters[property:plan]=pro, or with an operator as other filters',
  schema: { type: 'object', additionalProperties: { type: ['string', 'array'], items: { type: 'string' } } },
};

/**
 * Describes a parameter for the OpenAPI document. The description in the tables of this file comes first, and then the
 * schema's own description, if it has one. If the schema has an example, the tables are not used, because the name may
 * have another meaning there. For example, `from` is a day in one report, and a page in another.
 */
function describeParameter(name: string, place: Parameter['in'], required: boolean, json: Json): Parameter {
  if (name === PROPERTY_PARAMETER) return OF_PROPERTIES;
  const { description: own, examples, ...schema } = json;
  const { description, example } = Array.isArray(examples) ? { example: examples[0] } : (findText(name) ?? {});
  const said = [description, own].filter((text) => text !== undefined).join(': ');
  return {
    ...{ name, in: place, ...(required && { required }) },
    ...(said === '' ? {} : { description: said }),
    ...(example === undefined ? {} : { example }),
    schema: convertDefault(schema),
  };
}

function findText(name: string): ParameterText | undefined {
  const [, filter, operator] = FILTER.exec(name) ?? [];
  if (filter === undefined) return TEXTS[name];
  const noun = NUMBERS[filter] ?? DIMENSIONS[filter as DimensionName].name;
  const value = VALUES[filter];
  const example = operator?.endsWith('like') ? `${value}*` : value;
  return {
    description: `${noun} ${operator ? CONDITIONS[operator as Operator] : 'is this'}`,
    ...(value === undefined ? {} : { example: operator ? [example] : example }),
  };
}

/**
 * Turns the default value of a number parameter into a number. In the schema, the default value is a text, because
 * every value in a URL is text.
 */
const convertDefault = (schema: Json): Json =>
  schema.type === 'integer' && 'default' in schema ? { ...schema, default: Number(schema.default) } : schema;

/**
 * Makes the key of a parameter in the document, such as `page.is` for `filters[page][is]`. Each report refers to about
 * a hundred parameters of filters, so short keys keep the document small.
 */
function makeKey(name: string): string {
  const [, filter, operator = ONE] = FILTER.exec(name) ?? [];
  return filter === undefined ? name : `${filter}.${operator}`;
}
