import { isIP } from 'node:net';
import { isbot } from 'isbot';
import { cachedBriefly } from '../lib/cached-briefly.ts';
import { readAgent } from './agent.ts';
import { findCrawler } from './crawlers.ts';

const SHORTEST = 16;
const LONGEST = 500;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The oldest versions that people still use; an agent with an older one is nearly always a script. */
const OLDEST: Record<string, [version: RegExp, major: number]> = {
  Chrome: [/Chrome\/(\d{1,4})/, 70],
  Firefox: [/Firefox\/(\d{1,4})/, 68],
  Safari: [/Version\/(\d{1,4})/, 12],
};

/** On these the browser comes with the device and stays as old as it. */
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

/**
 * Whether a bot sent the request. The headers are given only for a browser's own request; a server that passes a hit on knows
 * no more than the agent.
 */
export function isBot(
  userAgent: string,
  headers: { acceptLanguage?: string | undefined; brands?: string | undefined } | undefined,
): boolean {
  if (userAgent.length < SHORTEST || userAgent.length > LONGEST) return true;
  if (headers && (!headers.acceptLanguage || headers.brands?.includes('HeadlessChrome'))) return true;
  return isBotAgent(userAgent);
}

/** Whether a browser prefetches the page, for a visit that may never come; by the raw Sec-Purpose and X-Moz headers. */
export const isPrefetch = ({
  purpose = '',
  moz = '',
}: {
  purpose?: string | undefined;
  moz?: string | undefined;
}): boolean => /prefetch|prerender/i.test(purpose) || /prefetch/i.test(moz);
