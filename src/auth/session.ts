import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../lib/errors.ts';
import { LONGEST } from '../store/sessions.ts';

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:');

/** Browsers take a cookie with the prefix __Host- only over https, for this host alone and for all of its paths. */
const nameOf = (baseUrl: string): string => (isSecure(baseUrl) ? '__Host-daybook' : 'daybook');

/** Signs a browser in, or with an empty secret out. Scripts cannot read it, and forms of other sites are sent without it. */
export function sessionCookie(baseUrl: string, secret: string): string {
  const age = secret === '' ? 0 : LONGEST;
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  return `${nameOf(baseUrl)}=${secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`;
}

const SECRET = /^[0-9A-Za-z]{43}$/;

/** The secret in the cookies of a request, if it can be one of ours. */
export function secretIn(cookies: string | undefined, baseUrl: string): string | undefined {
  const start = `${nameOf(baseUrl)}=`;
  const own = cookies?.split('; ').find((cookie) => cookie.startsWith(start));
  const secret = own?.slice(start.length) ?? '';
  return SECRET.test(secret) ? secret : undefined;
}

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
