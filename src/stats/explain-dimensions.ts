/**
 * The dimensions that the search tries, and what each is about. The simplest come first: if two describe the same
 * visitors, the first is taken. Versions are left out, because they change with every release of a browser.
 */
export const EXPLAIN_DIMENSIONS = {
  channel: 'channel',
  source: 'channel',
  utm_campaign: 'channel',
  utm_source: 'channel',
  utm_medium: 'channel',
  country: 'country',
  language: 'country',
  region: 'country',
  city: 'country',
  device: 'device',
  os: 'device',
  browser: 'device',
  screen: 'device',
  entry: 'entry',
} as const;
export type ExplainDimension = keyof typeof EXPLAIN_DIMENSIONS;
export const EXPLAIN_DIMENSION_NAMES = Object.keys(EXPLAIN_DIMENSIONS) as ExplainDimension[];
