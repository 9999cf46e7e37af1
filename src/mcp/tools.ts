// Lists the tools for AI assistants. Each tool is a route of the API that only reads, with the question that the route
// answers.
//
// Invariant: the list of all tools has less than 20 kB (test/mcp/tools.test.ts). An assistant reads the whole list
// before its first question. For this reason, some reports are not tools: another tool gives their figures.
//
// Example: the report `timeseries` is not a tool, because `query` with `{ "by": ["day"] }` gives its figures.
// messages.ts lists the tools and finds the tool of a call.

import * as v from 'valibot';
import type { Json } from '../api/json-schema.ts';
import { Limit, ReportParameters } from '../api/query.ts';
import type { Route } from '../api/route.ts';
import { routes } from '../api/routes.ts';
import { BreakdownQuery } from '../api/stats.ts';
import { writeInputSchema } from './arguments.ts';
import { writeBodySchema } from './question.ts';

/** The routes of the API that are tools. Each row has the name of the tool, and the question that the tool answers. */
const NAMES: Record<string, readonly [name: string, title: string]> = {
  '/sites': ['sites', 'Which sites can I read?'],
  '/sites/{site}': ['site', 'How is a site set up?'],
  '/sites/{site}/funnels': ['funnels', 'Which funnels does a site have?'],
  '/sites/{site}/notes': ['notes', 'What happened on which day?'],
  '/sites/{site}/notes/{note}/effect': ['effect', 'Did a change on a day have an effect?'],
  '/sites/{site}/exclusions': ['exclusions', 'Which visits are excluded?'],
  '/sites/{site}/query': ['query', 'Which figures, by page, source, country, device, event, property, day or hour?'],
  '/sites/{site}/stats/overview': ['overview', 'How many visitors, and how do they compare?'],
  '/sites/{site}/stats/explain': ['explain', 'Why did a figure change?'],
  '/sites/{site}/stats/breakdown/{breakdown}': [
    'breakdown',
    'Which labels has an event, and which properties are there?',
  ],
  '/sites/{site}/stats/goals': ['goals', 'How many visitors reach each goal?'],
  '/sites/{site}/stats/live': ['live', 'What do visitors read right now?'],
  '/sites/{site}/stats/bots': ['ai_crawlers', 'Which AI crawlers come, and what do they read?'],
  '/sites/{site}/stats/funnels/{funnel}': ['funnel', 'Where do visitors leave a funnel?'],
  '/sites/{site}/stats/journeys': ['journeys', 'What do visits see next, or before?'],
  '/sites/{site}/stats/vitals': ['vitals', 'How fast are the pages?'],
  '/sites/{site}/stats/search': ['google_searches', 'What do people search on Google?'],
  '/sites/{site}/stats/drops': ['drops', 'What was not counted, and why?'],
  '/sites/{site}/stats/outages': ['outages', 'When were hits not collected?'],
  '/sites/{site}/stats/days': ['days', 'Can each day be trusted?'],
  '/stats/overview': ['all_overview', 'How many visitors on all sites together?'],
  '/stats/timeseries': ['all_timeseries', 'How did all sites together develop over time?'],
  '/stats/breakdown/{breakdown}': ['all_breakdown', 'Which sites, sources or countries, of all sites?'],
  '/stats/realtime': ['all_realtime', 'How many visitors are on all sites now?'],
};

/** Routes whose tool has another description than the route, or fewer arguments. */
const CHANGED: Record<string, Pick<Route, 'summary'> & Partial<Pick<Route, 'query'>>> = {
  '/sites/{site}/query': {
    summary:
      'Get figures of one site by up to three keys at once, such as {"by": ["channel", "week"], "metrics": ["visitors", "revenue"]}. Two keys of hits, such as event and page, belong to the same hit. Values and days without visits have no row',
  },
  '/sites/{site}/stats/breakdown/{breakdown}': {
    summary: 'List the labels of an event, or the names of your own properties, by visitors. All else is in query',
    query: v.strictObject({
      ...ReportParameters,
      breakdown: v.picklist(['event_labels', 'properties']),
      ...{ event: BreakdownQuery.entries.event, limit: Limit },
    }),
  },
};

export type Tool = {
  row: Route;
  name: string;
  /**
   * Describes the tool for the method tools/list. Making the description takes long. So it is made when an assistant
   * asks for the list, and not when the server starts.
   */
  listed(): { name: string; title: string; description: string; inputSchema: Json; annotations: Json };
};

/**
 * Hints for AI assistants, with the names that the Model Context Protocol defines. There is no `destructiveHint`,
 * because a tool that only reads destroys nothing.
 */
const ANNOTATIONS = { readOnlyHint: true, openWorldHint: false };

export const TOOLS: ReadonlyMap<string, Tool> = new Map(routes.flatMap(makeTools).map((tool) => [tool.name, tool]));

function makeTools(route: Route): Tool[] {
  const [name, title] = NAMES[route.path] ?? [];
  const doesRead = route.method === 'GET' || route.asks;
  if (!doesRead || name === undefined || title === undefined) return [];
  const row = { ...route, ...CHANGED[route.path] };
  const listed = () => ({
    ...{ name, title, description: `${row.summary}.` },
    inputSchema: row.body ? writeBodySchema(row) : writeInputSchema(row),
    annotations: ANNOTATIONS,
  });
  return [{ row, name, listed }];
}
