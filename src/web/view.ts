export const FILTERS = [
  'page',
  'entry',
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'country',
  'device',
  'browser',
  'os',
  'event',
  'goal',
] as const;
export type FilterName = (typeof FILTERS)[number];
export type Filters = Partial<Record<FilterName, string>>;

/** What the page of a site shows. `more` holds which tabs are open and the like, by names of their own. */
export type View = { range: string; filters: Filters; more: Record<string, string> };
