import * as v from 'valibot';
import { type Json, jsonSchema } from '../api/json-schema.ts';
import { BASE } from '../api/mount.ts';
import { parametersOf } from '../api/parameters.ts';
import { namesIn, type Route } from '../api/route.ts';
import { routes } from '../api/routes.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { checked, type Schema } from '../lib/input.ts';

/** The routes that are tools, each with its name and its question. All else of a tool is said by its row in routes.ts. */
const NAMES: Record<string, readonly [name: string, title: string]> = {
  '/sites': ['sites', 'Which sites can I read?'],
  '/sites/{site}': ['site', 'How is a site set up?'],
  '/sites/{site}/funnels': ['funnels', 'Which funnels does a site have?'],
  '/sites/{site}/notes': ['notes', 'What happened on which day?'],
  '/sites/{site}/notes/{note}/effect': ['effect', 'Did a change on a day do anything?'],
  '/sites/{site}/exclusions': ['exclusions', 'Which visits are set aside?'],
  '/sites/{site}/stats/overview': ['overview', 'How many visitors, and how do they compare?'],
  '/sites/{site}/stats/timeseries': ['timeseries', 'How did visitors develop over time?'],
  '/sites/{site}/stats/breakdown/{breakdown}': ['breakdown', 'Which pages, sources, countries, devices or events?'],
  '/sites/{site}/stats/goals': ['goals', 'Who reached the goals?'],
  '/sites/{site}/stats/realtime': ['realtime', 'How many visitors are there now?'],
  '/sites/{site}/stats/live': ['live', 'What is read right now?'],
  '/sites/{site}/stats/bots': ['ai_crawlers', 'Which AI crawlers come, and what do they read?'],
  '/sites/{site}/stats/funnels/{funnel}': ['funnel', 'Where do visitors leave a funnel?'],
  '/sites/{site}/stats/assistants': ['ai_assistants', 'How many visitors do AI assistants send?'],
  '/sites/{site}/stats/drops': ['drops', 'What was not counted, and why?'],
  '/sites/{site}/stats/outages': ['outages', 'When were hits not collected?'],
  '/sites/{site}/stats/days': ['days', 'Can each day be trusted?'],
  '/stats/overview': ['all_overview', 'How many visitors on all sites together?'],
  '/stats/timeseries': ['all_timeseries', 'How did all sites together develop over time?'],
  '/stats/breakdown/{breakdown}': ['all_breakdown', 'Which sites, sources or countries, of all sites?'],
  '/stats/realtime': ['all_realtime', 'How many visitors are on all sites now?'],
};

export type Tool = {
  row: Route;
  name: string;
  /** What tools/list says of it, which takes a while to describe. */
  listed(): {
    name: string;
    title: string;
    description: string;
    inputSchema: Json;
    outputSchema: Json;
    annotations: Json;
  };
};

const FILTER = /^filters\[(\w+)\]/;
const FILTERS_HELP =
  'A visit must match all of them. Each is a value, such as {"country": "DE"}, or lists of values by operator: {"page": {"like": ["/blog/*"], "unlike": ["*/draft*"]}}. Operators are is, not, like and unlike; * stands for any text; an empty value for none, such as no source.';

/** Assistants refuse names with brackets, so that filters are one object; the API checks what is in it. */
function inputSchema(row: Route): Json {
  const all = parametersOf(row);
  const plain = all.filter(({ name }) => !FILTER.test(name));
  const filters = new Set(all.flatMap(({ name }) => FILTER.exec(name)?.[1] ?? []));
  const filtered = {
    type: 'object',
    description: FILTERS_HELP,
    properties: Object.fromEntries([...filters].map((name) => [name, {}])),
    additionalProperties: false,
  };
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(plain.map(({ name, schema }) => [name, schema])),
      ...(filters.size > 0 ? { filters: filtered } : {}),
    },
    required: plain.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function outputSchema(answer: Schema): Json {
  const definitions = { type: 'object', additionalProperties: { type: 'string' } };
  return {
    type: 'object',
    properties: { data: jsonSchema(answer, 'output'), definitions },
    required: ['data', 'definitions'],
    additionalProperties: false,
  };
}

const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

function toolOf(row: Route): Tool[] {
  const [name, title] = NAMES[row.path] ?? [];
  const { answer } = row;
  if (row.method !== 'GET' || name === undefined || title === undefined || !answer) return [];
  const listed = () => ({
    ...{ name, title, description: `${row.summary}.` },
    inputSchema: inputSchema(row),
    outputSchema: outputSchema(answer),
    annotations: ANNOTATIONS,
  });
  return [{ row, name, listed }];
}

/** By their names. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(routes.flatMap(toolOf).map((tool) => [tool.name, tool]));

const VALUE_HELP = 'Must be text or a number.';
const Value = v.pipe(v.union([v.string(), v.number()], VALUE_HELP), v.transform(String));
const FILTER_HELP = 'Must be a value, or lists of values named is, not, like or unlike.';
const Filter = v.union([Value, v.record(v.string(), v.array(Value))], FILTER_HELP);
const Arguments = v.objectWithRest(
  { filters: v.optional(v.record(v.string(), Filter, 'Must be an object of filters by their names.')) },
  Value,
);

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
  if (value === undefined || value === '') throw invalid({ [name]: 'Is required.' });
  if (value === '.' || value === '..') throw new Problem('not_found');
  return encodeURIComponent(String(value));
}

/** The address at which the API answers a call of a tool. */
export function addressOf({ row }: Tool, given: unknown): string {
  const { filters, ...values } = checked(Arguments, given);
  const inPath = namesIn(row.path);
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => partOf(name, values[name]));
  const query = Object.entries(values).filter(([name]) => !inPath.includes(name));
  return `${BASE}${path}?${new URLSearchParams([...query, ...pairsOf(filters)])}`;
}
