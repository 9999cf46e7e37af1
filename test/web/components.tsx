import type { Loaded } from '../../src/web/api.ts';

/** An answer as components get it. */
export function loaded<Data>(data: Data): Loaded<Data> {
  return { data, error: undefined, isStale: false, reload() {} };
}

/** What people read in HTML: its texts, with a space wherever there was a tag. */
export const textIn = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
