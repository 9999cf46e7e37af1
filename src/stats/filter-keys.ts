import { CONDITIONS, FILTERS, NUMBER_FILTERS } from './dimensions.ts';

/**
 * Matches the key of a filter in a URL of the dashboard. The key is a name, such as `page` or `property:plan`. Any
 * condition other than `is` follows after a dot, as in `page.not`. Saved views have such keys.
 */
export const FILTER_KEY = new RegExp(
  `^(${[...FILTERS, ...NUMBER_FILTERS].join('|')}|property:[^.]*)(?:\\.(${Object.keys(CONDITIONS).join('|')}))?$`,
);
