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

/**
 * Hits and engagement messages of one site on one day, in the order in which they came in. Words are ids of terms, 0 for
 * the empty text; engaged is -1 for a hit, and for an engagement message its seconds.
 */
export type Rows = {
  count: number;
  second: Int32Array;
  visitor: Float64Array;
  engaged: Int32Array;
  words: Record<Word, Int32Array>;
};

/** Room for so many rows. */
export const emptyRows = (room: number): Rows => ({
  count: 0,
  second: new Int32Array(room),
  visitor: new Float64Array(room),
  engaged: new Int32Array(room),
  words: Object.fromEntries(WORDS.map((word) => [word, new Int32Array(room)])) as Record<Word, Int32Array>,
});
