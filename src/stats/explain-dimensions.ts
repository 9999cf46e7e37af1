/**
 * The dimensions that the search tries, each with its kind. If two dimensions describe the same visitors, the answer
 * names the first one. Therefore the simplest are first. Versions of browsers are not among them, because they change
 * with every release.
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
