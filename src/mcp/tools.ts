import type { Json } from '../api/json-schema.ts';
import type { Route } from '../api/route.ts';
import { routes } from '../api/routes.ts';
import { writeInputSchema } from './arguments.ts';

/** The routes of the API that are tools. Each has a name, and the question that the tool answers. */
const NAMES: Record<string, readonly [name: string, title: string]> = {
  '/sites': ['sites', 'Which sites can I read?'],
  '/sites/{site}': ['site', 'How is a site set up?'],
  '/sites/{site}/funnels': ['funnels', 'Which funnels does a site have?'],
  '/sites/{site}/notes': ['notes', 'What happened on which day?'],
  '/sites/{site}/notes/{note}/effect': ['effect', 'Did a change on a day have an effect?'],
  '/sites/{site}/exclusions': ['exclusions', 'Which visits are excluded?'],
  '/sites/{site}/stats/overview': ['overview', 'How many visitors, and how do they compare?'],
  '/sites/{site}/stats/timeseries': ['timeseries', 'How did visitors develop over time?'],
  '/sites/{site}/stats/breakdown/{breakdown}': ['breakdown', 'Which pages, sources, countries, devices or events?'],
  '/sites/{site}/stats/goals': ['goals', 'How many visitors reach each goal?'],
  '/sites/{site}/stats/realtime': ['realtime', 'How many visitors are there now?'],
  '/sites/{site}/stats/live': ['live', 'What do visitors read right now?'],
  '/sites/{site}/stats/bots': ['ai_crawlers', 'Which AI crawlers come, and what do they read?'],
  '/sites/{site}/stats/funnels/{funnel}': ['funnel', 'Where do visitors leave a funnel?'],
  '/sites/{site}/stats/journeys': ['journeys', 'What do visits see next, or before?'],
  '/sites/{site}/stats/assistants': ['ai_assistants', 'How many visitors do AI assistants send?'],
  '/sites/{site}/stats/vitals': ['vitals', 'How fast are the pages?'],
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
  /** Describes the tool for the method tools/list. The first request makes the description, because this takes long. */
  listed(): { name: string; title: string; description: string; inputSchema: Json; annotations: Json };
};

/**
 * Hints for AI assistants, with the names of the Model Context Protocol. The hint `destructiveHint` is missing, because
 * a tool that only reads destroys nothing.
 */
const ANNOTATIONS = { readOnlyHint: true, openWorldHint: false };

export const TOOLS: ReadonlyMap<string, Tool> = new Map(routes.flatMap(makeTools).map((tool) => [tool.name, tool]));

function makeTools(row: Route): Tool[] {
  const [name, title] = NAMES[row.path] ?? [];
  if (row.method !== 'GET' || name === undefined || title === undefined) return [];
  const listed = () => ({
    ...{ name, title, description: `${row.summary}.` },
    inputSchema: writeInputSchema(row),
    annotations: ANNOTATIONS,
  });
  return [{ row, name, listed }];
}
