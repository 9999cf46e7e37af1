import type { SumSite } from '../../src/exchange/format.ts';

/** The site of a file in tests of imports, with the settings of a new site. */
export const SITE = {
  domain: 'example.com',
  privatePaths: '',
  pageParameters: '',
  dimensionsOff: '',
  timeZone: 'UTC',
  earliestDay: 0,
} satisfies SumSite;
