/** The words of a hit, in the order in which they are kept. */
export const WORDS = [
  'page',
  'event',
  'label',
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'country',
  'device',
  'browser',
  'os',
] as const;

export type Word = (typeof WORDS)[number];
