import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../lib/errors.ts';
import { LONGEST } from '../store/sessions.ts';

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:');

/** Browsers take a name that begins so only over https, for this very host and the whole of it. */
const nameOf = (baseUrl: string): string => (isSecure(baseUrl) ? '__Host-daybook' : 'daybook');

/** What signs a browser in, or with an empty secret out. No script can read it, and no other site's form sends it along. */
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
 * Whether a page of this server asks: by the word of the browser, or, where it says nothing because there is no https, by
 * the origin; undefined where nobody says.
 */
function isOwn(headers: IncomingHttpHeaders, baseUrl: string): boolean | undefined {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined || origin === 'null') return undefined;
  return origin === baseUrl || origin === `${new URL(baseUrl).protocol}//${host}`;
}

/**
 * A cookie comes along whoever made the browser ask, so what changes something by it must come from a page of this server.
 * Held by test/auth/session.test.ts.
 */
export function assertSameOrigin(headers: IncomingHttpHeaders, baseUrl: string): void {
  if (!isOwn(headers, baseUrl)) throw new Problem('foreign_origin');
}

/**
 * For a form behind a secret link, which programs may send too, and browsers without https do not say from where. Nobody
 * else's page shall sign somebody in as whom it likes.
 */
export function assertNotForeign(headers: IncomingHttpHeaders, baseUrl: string): void {
  if (isOwn(headers, baseUrl) === false) throw new Problem('foreign_origin');
}
