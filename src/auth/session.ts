import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../lib/errors.ts';
import { DAY, MINUTE } from '../lib/time.ts';
import { LONGEST } from '../store/people/sessions.ts';

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:');

/** So long a right password waits for the second factor. */
export const HALF_SECONDS = 10 * MINUTE;

type Name = 'daybook' | 'daybook-browser' | 'daybook-half';

/** Browsers take a cookie with the prefix __Host- only over https, for this host alone and for all of its paths. */
const nameOf = (baseUrl: string, name: Name): string => (isSecure(baseUrl) ? `__Host-${name}` : name);

/** Scripts cannot read it, and forms of other sites are sent without it. */
function cookie(baseUrl: string, name: Name, value: string, age: number): string {
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  return `${nameOf(baseUrl, name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`;
}

function valueIn(cookies: string | undefined, baseUrl: string, name: Name): string {
  const start = `${nameOf(baseUrl, name)}=`;
  const own = cookies?.split('; ').find((one) => one.startsWith(start));
  return own?.slice(start.length) ?? '';
}

/** Signs a browser in, or with an empty secret out. */
export const sessionCookie = (baseUrl: string, secret: string): string =>
  cookie(baseUrl, 'daybook', secret, secret === '' ? 0 : LONGEST);

const SECRET = /^[0-9A-Za-z]{43}$/;

/** The secret in the cookies of a request, if it can be one of ours. */
export function secretIn(cookies: string | undefined, baseUrl: string): string | undefined {
  const secret = valueIn(cookies, baseUrl, 'daybook');
  return SECRET.test(secret) ? secret : undefined;
}

/** What browsers keep at most. */
const BROWSER_AGE = 400 * DAY;

/** By it a browser is known that has signed in before; it stays after signing out, and lets nobody in. */
export const browserCookie = (baseUrl: string, value: string): string =>
  cookie(baseUrl, 'daybook-browser', value, BROWSER_AGE);

export const browserIn = (cookies: string | undefined, baseUrl: string): string =>
  valueIn(cookies, baseUrl, 'daybook-browser');

/** With it somebody whose password was right is asked for a second factor; an empty one ends that. */
export const halfCookie = (baseUrl: string, value: string): string =>
  cookie(baseUrl, 'daybook-half', value, value === '' ? 0 : HALF_SECONDS);

export const halfIn = (cookies: string | undefined, baseUrl: string): string =>
  valueIn(cookies, baseUrl, 'daybook-half');

/**
 * Whether a request comes from a page of this server. Browsers say so in Sec-Fetch-Site, but not without https, where the
 * origin decides; undefined where there is neither.
 */
function isOwn(headers: IncomingHttpHeaders, baseUrl: string): boolean | undefined {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined || origin === 'null') return undefined;
  return origin === baseUrl || origin === `${new URL(baseUrl).protocol}//${host}`;
}

/**
 * Browsers send the cookie whichever site's page made the request, so a change by cookie must come from a page of this server.
 * Held by test/auth/session.test.ts.
 */
export function assertSameOrigin(headers: IncomingHttpHeaders, baseUrl: string): void {
  if (!isOwn(headers, baseUrl)) throw new Problem('foreign_origin');
}

/**
 * For a form behind a secret link, which programs may send too, and browsers without https may not say from where. But no page
 * of another site may send it, which could sign a visitor in as somebody else.
 */
export function assertNotForeign(headers: IncomingHttpHeaders, baseUrl: string): void {
  if (isOwn(headers, baseUrl) === false) throw new Problem('foreign_origin');
}
