import { isHitKey, isPropertyKey, type PropertyKey } from './table-keys.ts';

/**
 * The dimensions that the search tries, each with its kind. Dimensions of one kind are similar, so they vary alike from
 * day to day. If two dimensions describe the same visitors, the answer names the first one. Therefore the simplest
 * dimensions are first. Browser versions are left out, because they change with every release.
 */
const EXPLAIN_DIMENSIONS = {
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
  hostname: 'hostname',
} as const;
export type ExplainDimension = keyof typeof EXPLAIN_DIMENSIONS;
export const EXPLAIN_DIMENSION_NAMES = Object.keys(EXPLAIN_DIMENSIONS) as ExplainDimension[];

/** What the search tries: dimensions, and properties of hits that the site has, such as `property:plan`. */
export type ExplainKey = ExplainDimension | PropertyKey;

/**
 * Finds the kind of a dimension or property. The noise (how much shares vary from day to day) is measured once for each
 * kind. Each property is a kind of its own.
 */
export const findKind = (key: ExplainKey): ExplainKey => (isPropertyKey(key) ? key : EXPLAIN_DIMENSIONS[key]);

/** The kinds of dimensions for which each visit has exactly one value. */
export const VISIT_KINDS: readonly ExplainKey[] = [...new Set(EXPLAIN_DIMENSION_NAMES.map(findKind))].filter(
  (kind) => !isHitKey(kind),
);
