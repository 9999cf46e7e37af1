// The dimensions in which explain.ts searches for the reason of a difference between two ranges of days.
//
// A kind is a group of similar dimensions, such as channel and source. The shares of their values vary alike from day
// to day. A kind has the name of one of its dimensions. difference-noise.ts measures the noise (how much shares vary)
// of this dimension, and uses it for the whole kind.
import { isHitKey, isPropertyKey, type PropertyKey } from './table-keys.ts';

/**
 * The dimensions that explain.ts tries, each with its kind. If two dimensions describe the same visitors, explain.ts
 * names the first one. Therefore the simplest dimensions are first. Browser versions are left out, because they change
 * with every release.
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

/** What explain.ts tries: dimensions, and properties of hits that the site has, such as `property:plan`. */
export type ExplainKey = ExplainDimension | PropertyKey;

/** Finds the kind of a dimension or property. Each property is a kind of its own. */
export const findKind = (key: ExplainKey): ExplainKey => (isPropertyKey(key) ? key : EXPLAIN_DIMENSIONS[key]);

/** The kinds whose dimensions have exactly one value for each visit, such as the country. */
export const VISIT_KINDS: readonly ExplainKey[] = [...new Set(EXPLAIN_DIMENSION_NAMES.map(findKind))].filter(
  (kind) => !isHitKey(kind),
);
