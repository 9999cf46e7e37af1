// Distinguishes bots from browsers by the user agent and the headers of a request.
//
// Invariant: a browser without the header Accept-Language counts as a bot. A user agent that is older than any browser
// in use counts as a bot too. User agents stay in memory for at most one second.
//
// Example: `curl/8.5.0` is a bot, because it has fewer than 16 characters. collect/outcome.ts calls `isBot` for each
// hit, and the import of access logs calls it for each line.

import { isIP } from 'node:net';
import { isbot } from 'isbot';
import { cachedBriefly } from '../lib/cached-briefly.ts';
import { readAgent } from './agent.ts';
import { findCrawler } from './crawlers.ts';

/**
 * True if a hit comes from a bot. `headers` are the headers of a browser. They are undefined if the hit comes from a
 * website's server, because then only the user agent is known.
 */
export function isBot(
  userAgent: string,
  headers: { acceptLanguage?: string | undefined; brands?: string | undefined } | undefined,
): boolean {
  if (userAgent.length < SHORTEST || userAgent.length > LONGEST) return true;
  if (headers && (!headers.acceptLanguage || headers.brands?.includes('HeadlessChrome'))) return true;
  return isBotAgent(userAgent);
}

/**
 * True if a browser loads a page in advance, before anybody opens it. Such a request is not a visit. `purpose` and
 * `moz` are the headers Sec-Purpose and X-Moz.
 */
export const isPrefetch = ({
  purpose = '',
  moz = '',
}: {
  purpose?: string | undefined;
  moz?: string | undefined;
}): boolean => /prefetch|prerender/i.test(purpose) || /prefetch/i.test(moz);

const SHORTEST = 16;
const LONGEST = 500;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The oldest versions of Chrome, Firefox and Safari that people still use. A user agent with an older version nearly
 * always comes from a script.
 */
const OLDEST: Record<string, [version: RegExp, major: number]> = {
  Chrome: [/Chrome\/(\d{1,4})/, 70],
  Firefox: [/Firefox\/(\d{1,4})/, 68],
  Safari: [/Version\/(\d{1,4})/, 12],
};

/**
 * Systems whose browser is part of the device and is never updated. On these systems, an old version does not mean a
 * bot.
 */
const BUILT_IN = ['KaiOS', 'PlayStation', 'Tizen', 'webOS'];

function isAncient(userAgent: string): boolean {
  const { browser, os } = readAgent(userAgent);
  const oldest = OLDEST[browser];
  if (!oldest || BUILT_IN.includes(os)) return false;
  const version = oldest[0].exec(userAgent)?.[1];
  return version !== undefined && Number(version) < oldest[1];
}

const isNoBrowser = (userAgent: string): boolean =>
  /[^ -~]/.test(userAgent) || isIP(userAgent) !== 0 || UUID.test(userAgent);

const isBotAgent = cachedBriefly(
  (userAgent) =>
    isNoBrowser(userAgent) || isbot(userAgent) || findCrawler(userAgent) !== undefined || isAncient(userAgent),
  2_000,
);
