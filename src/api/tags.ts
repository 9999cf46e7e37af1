import type { Route } from './route.ts';

/** The groups of routes in the OpenAPI document. A route belongs to the first group whose pattern matches its path. */
export const TAGS = [
  { name: 'statistics', description: 'Reports of one site or of all sites', fits: /\/stats\/|\/effect$/ },
  { name: 'collecting', description: 'Hits and requests that your server sends', fits: /\/(?:hits|crawls)$/ },
  { name: 'goals', description: 'Goals and funnels of a site', fits: /\/(?:goals|funnels)\b/ },
  { name: 'notes', description: 'Notes on the chart', fits: /\/notes\b/ },
  { name: 'exclusions', description: 'Visits that no report counts', fits: /\/exclusions\b/ },
  {
    name: 'sites',
    description: 'Sites, with saved views, frames and private pages',
    fits: /^\/sites\b/,
  },
  {
    name: 'account',
    description: 'Your account, team, tokens and sessions',
    fits: /^\/(?:account|team|tokens|sessions)\b/,
  },
  { name: 'server', description: 'The server itself', fits: /^\/(?:server|cluster|sql)$/ },
];

export function findTag({ path }: Route): string {
  const tag = TAGS.find(({ fits }) => fits.test(path));
  if (!tag) throw new Error(`${path} has no tag`);
  return tag.name;
}
