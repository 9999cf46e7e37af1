// The cookies of the server. This file also checks that a request with a cookie comes from a page of this server. The
// API and the pages of `src/forms` use these functions.
//
// * `daybook`: the session, for at most 30 days. Scripts cannot read this cookie.
// * `daybook-browser`: marks a browser that has signed in before, for 400 days. This cookie gives no access.
// * `daybook-half`: shows that the password was right and a second factor is missing, for 10 minutes.
// * `daybook-oidc`: marks a browser that has begun a sign-in with a provider, for 10 minutes (oidc.ts).
// * `daybook-share-7`: shows that the password of the share link 7 was right, for 30 days (share-password.ts).
//
// Invariant: a change that uses a cookie is refused if the headers name another origin, or no origin. Otherwise a page
// of another website could make the change, because browsers may send cookies with its requests.

import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../lib/errors.ts';
import { DAY, MINUTE } from '../lib/time.ts';
import { LONGEST } from '../store/people/sessions.ts';

/** The time for entering the second factor after the right password. */
export const HALF_SECONDS = 10 * MINUTE;

type Name = 'daybook' | 'daybook-browser' | 'daybook-half' | 'daybook-oidc' | `daybook-share-${number}`;

/** An empty secret deletes the cookie, which signs the browser out. */
export const writeSessionCookie = (baseUrl: string, secret: string): string =>
  writeCookie(baseUrl, 'daybook', secret, secret === '' ? 0 : LONGEST);

const SECRET = /^[0-9A-Za-z]{43}$/;

/**
 * Returns the secret in the session cookie. Returns undefined if the cookie does not have the form of a secret (43
 * letters and digits). This function does not check whether the secret is valid.
 */
export function readSecret(cookies: string | undefined, baseUrl: string): string | undefined {
  const secret = readCookie(cookies, baseUrl, 'daybook');
  return SECRET.test(secret) ? secret : undefined;
}

/** How long the cookie `daybook-browser` is valid. No browser keeps a cookie longer than 400 days. */
const BROWSER_AGE = 400 * DAY;

/**
 * Marks a browser that has signed in before. The cookie gives no access and stays after signing out. Wrong passwords
 * that strangers enter do not make this browser wait (sign-in.ts).
 */
export const writeBrowserCookie = (baseUrl: string, value: string): string =>
  writeCookie(baseUrl, 'daybook-browser', value, BROWSER_AGE);

export const readBrowser = (cookies: string | undefined, baseUrl: string): string =>
  readCookie(cookies, baseUrl, 'daybook-browser');

/**
 * Marks a browser that has sent the right password, but not the second factor yet. An empty value deletes the cookie.
 */
export const writeHalfCookie = (baseUrl: string, value: string): string =>
  writeCookie(baseUrl, 'daybook-half', value, value === '' ? 0 : HALF_SECONDS);

export const readHalf = (cookies: string | undefined, baseUrl: string): string =>
  readCookie(cookies, baseUrl, 'daybook-half');

/** Ties a sign-in with a provider to this browser. The cookie gives no access. */
export const writeOidcCookie = (baseUrl: string, secret: string): string =>
  writeCookie(baseUrl, 'daybook-oidc', secret, HALF_SECONDS);

export function readOidcSecret(cookies: string | undefined, baseUrl: string): string | undefined {
  const secret = readCookie(cookies, baseUrl, 'daybook-oidc');
  return SECRET.test(secret) ? secret : undefined;
}

export const writeShareCookie = (baseUrl: string, id: number, value: string, seconds: number): string =>
  writeCookie(baseUrl, `daybook-share-${id}`, value, seconds);

export const readShareCookie = (cookies: string | undefined, baseUrl: string, id: number): string =>
  readCookie(cookies, baseUrl, `daybook-share-${id}`);

/**
 * Throws if the request does not come from a page of this server. Browsers may send the session cookie with requests of
 * other websites too. Without this check, another website could make a change in the name of its visitor. Tested by
 * test/auth/session.test.ts.
 */
export function assertSameOrigin(headers: IncomingHttpHeaders, baseUrl: string): void {
  if (!isOwn(headers, baseUrl)) throw new Problem('foreign_origin');
}

/**
 * Refuses a form that comes from a page of another website. A request without an origin is allowed, because programs
 * may send such forms too. This is safe only for forms whose URL has a secret.
 */
export function assertNotForeign(headers: IncomingHttpHeaders, baseUrl: string): void {
  if (isOwn(headers, baseUrl) === false) throw new Problem('foreign_origin');
}

/**
 * Tells whether a request comes from a page of this server. Returns undefined if the headers do not say from which page
 * it comes. Browsers send Sec-Fetch-Site only over https and to localhost. Without it, the header Origin decides.
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

/**
 * Writes the header that sets a cookie. Scripts cannot read the cookie (HttpOnly), and browsers do not send it with
 * POST requests of other websites (SameSite=Lax).
 */
function writeCookie(baseUrl: string, name: Name, value: string, age: number): string {
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  return `${nameCookie(baseUrl, name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`;
}

/**
 * Adds the prefix __Host- to the name of a cookie over https. Browsers accept such a cookie only over https, and send
 * it only to this host.
 */
const nameCookie = (baseUrl: string, name: Name): string => (isSecure(baseUrl) ? `__Host-${name}` : name);

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:');
