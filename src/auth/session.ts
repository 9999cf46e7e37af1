// The cookies of the server, and the check that a change by cookie comes from a page of this server.
//
//   daybook          the session, for 30 days at most; scripts cannot read it
//   daybook-browser  marks a browser that signed in before, for 400 days; it gives no access
//   daybook-half     a right password that waits for a second factor, for 10 minutes
//
// Browsers send cookies with requests of any page. So a change by cookie is refused if the headers name another
// origin or none. The API and the pages of `src/forms` use these functions.

import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../lib/errors.ts';
import { DAY, MINUTE } from '../lib/time.ts';
import { LONGEST } from '../store/people/sessions.ts';

/** How long a right password waits for the second factor. */
export const HALF_SECONDS = 10 * MINUTE;

type Name = 'daybook' | 'daybook-browser' | 'daybook-half';

/** Writes the cookie that signs a browser in. An empty secret signs it out. */
export const writeSessionCookie = (baseUrl: string, secret: string): string =>
  writeCookie(baseUrl, 'daybook', secret, secret === '' ? 0 : LONGEST);

const SECRET = /^[0-9A-Za-z]{43}$/;

/** Reads the secret of the session; undefined if it cannot be one of this server. */
export function readSecret(cookies: string | undefined, baseUrl: string): string | undefined {
  const secret = readCookie(cookies, baseUrl, 'daybook');
  return SECRET.test(secret) ? secret : undefined;
}

/** The longest time for which browsers keep a cookie. */
const BROWSER_AGE = 400 * DAY;

/** Writes the mark of a browser that signed in before. The mark stays after signing out and gives no access. */
export const writeBrowserCookie = (baseUrl: string, value: string): string =>
  writeCookie(baseUrl, 'daybook-browser', value, BROWSER_AGE);

export const readBrowser = (cookies: string | undefined, baseUrl: string): string =>
  readCookie(cookies, baseUrl, 'daybook-browser');

/** Writes the cookie between a right password and the second factor. An empty value ends it. */
export const writeHalfCookie = (baseUrl: string, value: string): string =>
  writeCookie(baseUrl, 'daybook-half', value, value === '' ? 0 : HALF_SECONDS);

export const readHalf = (cookies: string | undefined, baseUrl: string): string =>
  readCookie(cookies, baseUrl, 'daybook-half');

/** Refuses a change by cookie that does not come from a page of this server. Held by test/auth/session.test.ts. */
export function assertSameOrigin(headers: IncomingHttpHeaders, baseUrl: string): void {
  if (!isOwn(headers, baseUrl)) throw new Problem('foreign_origin');
}

/**
 * Refuses a form that comes from a page of another site. Forms behind secret links allow requests without an origin,
 * because programs send them too.
 */
export function assertNotForeign(headers: IncomingHttpHeaders, baseUrl: string): void {
  if (isOwn(headers, baseUrl) === false) throw new Problem('foreign_origin');
}

/**
 * Whether a request comes from a page of this server; undefined if its headers do not say. Browsers say so in
 * Sec-Fetch-Site, but only over https. Without https the origin decides.
 */
function isOwn(headers: IncomingHttpHeaders, baseUrl: string): boolean | undefined {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined || origin === 'null') return undefined;
  return origin === baseUrl || origin === `${new URL(baseUrl).protocol}//${host}`;
}

function readCookie(cookies: string | undefined, baseUrl: string, name: Name): string {
  const start = `${nameCookie(baseUrl, name)}=`;
  const own = cookies?.split('; ').find((one) => one.startsWith(start));
  return own?.slice(start.length) ?? '';
}

/** Writes a cookie that scripts cannot read and that forms of other sites are sent without. */
function writeCookie(baseUrl: string, name: Name, value: string, age: number): string {
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  return `${nameCookie(baseUrl, name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`;
}

/** Names a cookie. With the prefix __Host- browsers take it only over https, for this host and all of its paths. */
const nameCookie = (baseUrl: string, name: Name): string => (isSecure(baseUrl) ? `__Host-${name}` : name);

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:');
