import fc from 'fast-check';
import { TEXT_FIELDS, type TextField } from '../../src/stats/dimensions.ts';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';

const text = fc.constantFrom('', 'a', 'b');
const texts = Object.fromEntries(TEXT_FIELDS.map((word) => [word, text])) as Record<TextField, typeof text>;
export const anyProperties = fc.constantFrom('', '', '{"plan":"a"}', '{"plan":"b","theme":"a"}');
const anyRevenue = fc.constantFrom('', '', 'EUR 1999', 'EUR 5', 'USD 100', '(other)');
const words = fc.record({ ...texts, properties: anyProperties, revenue: anyRevenue });

/** A hit or a sign of life of today, of few visitors and words, at moments where visits begin and end. */
export const anyHit: fc.Arbitrary<Hit> = fc
  .record({
    visitor: fc.nat(3),
    second: fc.oneof(fc.constantFrom(0, 1_800, 1_801, 3_600, 3_601, 86_399), fc.nat(86_399), fc.nat(9_000)),
    engaged: fc.constantFrom(null, null, 0, 30),
    scroll: fc.constantFrom(undefined, 0, 100),
    words,
  })
  .map(({ words, scroll, ...numbers }) =>
    pageview({
      ...numbers,
      ...words,
      ...(numbers.engaged === null || scroll === undefined ? {} : { scroll }),
      day: TODAY,
    }),
  );
