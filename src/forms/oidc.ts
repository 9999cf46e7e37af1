// Signing in with a provider. This file has the link for the sign-in page, and two paths. The first path leads to the
// provider. The provider sends the browser back to the second path.
//
// The provider checks the password and the second factor. So daybook does not ask for its own second factor. Before an
// important change, a link with `again=yes` makes the provider ask for the password again. auth/oidc.ts has the
// protocol, and vouched.ts decides who gets an account.
//
// Example: /sign-in/oidc?next=/account leads to the provider, and from there to /account. `mount.ts` mounts both paths.

import type { Hono } from 'hono';
import { makeRateProblem } from '../auth/identity.ts';
import { CALLBACK, type Oidc } from '../auth/oidc.ts';
import { readOidcSecret, writeOidcCookie } from '../auth/session.ts';
import { coded } from '../lang/coded.ts';
import { Problem } from '../lib/errors.ts';
import { makeAddressKey } from '../lib/http/address.ts';
import { redirect } from '../lib/http/answer.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import { findReason } from '../lib/reason.ts';
import { seconds } from '../lib/time.ts';
import type { C } from './form.ts';
import { type Html, html } from './html.ts';
import type { Pages } from './link.ts';
import type { PageSay } from './say.ts';
import { keepOwnPath, readIpAddress, startSession } from './session.ts';
import { findVouchedUser } from './vouched.ts';

/**
 * The longest path to return to, in characters. With a longer path, some providers would refuse the URL, so / replaces
 * the path.
 */
const LONGEST_NEXT = 1_000;

export function mountOidc(app: Hono<Env>, pages: Pages): void {
  const { oidc, config, clock, log, limits } = pages;
  if (!oidc) return;
  const { baseUrl } = config;

  function takeTurn(c: C): void {
    const taken = limits.oidc.take(makeAddressKey(readIpAddress(c, pages)));
    if (!taken.allowed) throw makeRateProblem(clock, taken);
  }

  async function begin(provider: Oidc, c: C): Promise<Response> {
    takeTurn(c);
    const path = keepOwnPath(c.req.query('next') ?? '/');
    const { url, secret } = await provider.begin({
      baseUrl,
      known: readOidcSecret(c.req.header('Cookie'), baseUrl),
      next: path.length > LONGEST_NEXT ? '/' : path,
      again: c.req.query('again') === 'yes',
    });
    return redirect(url, { 'Set-Cookie': writeOidcCookie(baseUrl, secret) });
  }

  async function finish(provider: Oidc, c: C): Promise<Response> {
    takeTurn(c);
    const [, query = ''] = c.req.url.split('?');
    const secret = readOidcSecret(c.req.header('Cookie'), baseUrl);
    const { next, age, ...person } = await provider.finish({ baseUrl, query, secret });
    const found = findVouchedUser(pages, person, next);
    const reauthenticatedAt = age === undefined ? 0 : seconds(clock) - age;
    return startSession(pages, c, found.id, redirect(keepOwnPath(found.next)), reauthenticatedAt);
  }

  const logged = (handle: typeof begin) => (c: C) =>
    handle(oidc, c).catch((error: unknown) => {
      if (error instanceof Problem && error.cause !== undefined)
        log('signing in with the provider failed', { code: error.said.code, reason: findReason(error.cause) });
      throw error;
    });
  mountPath(app, '/sign-in/oidc', { GET: logged(begin) });
  mountPath(app, CALLBACK, { GET: logged(finish) });
}

/**
 * Writes the link that starts the sign-in. Without a provider, returns an empty text. With `again`, the provider asks
 * for the password even if the user is signed in there.
 */
export const writeProviderLink = ({ oidc }: Pages, { t }: PageSay, next: string, again = false): Html =>
  oidc
    ? html`<p><a class="button" href="/sign-in/oidc?next=${encodeURIComponent(next)}${again ? '&again=yes' : ''}">${t('Sign in with {name}', { name: oidc.name })}</a></p>`
    : html``;

/**
 * Writes the link for signing in. With --auth-header, the link leads to the sign-in page, which signs the person in by
 * the header.
 */
export const writeSignInLink = (pages: Pages, say: PageSay, next: string): Html =>
  pages.config.authHeader === undefined
    ? writeProviderLink(pages, say, next)
    : html`<p><a class="button" href="/sign-in?next=${encodeURIComponent(next)}">${say.t('Sign in')}</a></p>`;

/**
 * Throws if --password-sign-in is off. Then people sign in only with the provider, a proxy, or a link from the
 * terminal.
 */
export function assertPasswordSignIn({ config }: Pages): void {
  if (!config.passwordSignIn) throw new Problem('role_forbidden', { message: coded('password_sign_in_off') });
}
