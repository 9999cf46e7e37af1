// Reads and makes the session of a browser.
//
// Each session has a new secret. An attacker may put a known secret into somebody's browser before that person signs
// in. Signing in replaces this secret, so the attacker cannot use it. With the session, the browser gets a second
// cookie, `daybook-browser`, which stays after signing out. A browser with this cookie has its own limit of wrong
// passwords. So strangers cannot use up the tries of this browser.
//
// The second cookie stops working if the password changes, or if two-factor authentication is turned on or off. So a
// person with an old, stolen password loses this separate limit. The forms of this folder call these functions.

import { readHeaderEmail } from '../auth/header-email.ts';
import { keepVouched } from '../auth/identity.ts';
import { readBrowser, readSecret, writeBrowserCookie, writeSessionCookie } from '../auth/session.ts';
import { readAgent } from '../classify/agent.ts';
import { findClientAddress } from '../lib/http/address.ts';
import { redirect } from '../lib/http/answer.ts';
import { hashSecret, makeLinkSecret } from '../lib/secrets.ts';
import { seconds } from '../lib/time.ts';
import { parseUrl } from '../lib/url.ts';
import { hasFactors } from '../store/people/second-factors.ts';
import { addSession, findSignedIn, type SignedIn } from '../store/people/sessions.ts';
import { readSignedWords, signWords } from '../store/people/signed-cookies.ts';
import { findUserById } from '../store/people/users.ts';
import type { C } from './form.ts';
import type { Pages } from './link.ts';

export const readIpAddress = ({ env }: C, { config }: Pages): string =>
  findClientAddress(
    env.incoming.socket.remoteAddress ?? '',
    env.incoming.headers['x-forwarded-for']?.toString(),
    config.trust,
  );

export function readSignedIn({ db, clock, config }: Pages, c: C): SignedIn | undefined {
  const secret = readSecret(c.req.header('Cookie'), config.baseUrl);
  const now = seconds(clock);
  const found = secret === undefined ? undefined : findSignedIn(db, secret, now);
  return keepVouched(found, readHeaderEmail(config, c.env.incoming), now);
}

/** In the public demo, returns the guest. On any other server, returns the signed-in user. */
export const readViewer = (pages: Pages, c: C): Pick<SignedIn, 'userId' | 'email' | 'accountId'> | undefined => {
  const { db, guest } = pages;
  const user = guest === undefined ? undefined : findUserById(db, guest);
  return user ? { userId: user.id, email: user.email, accountId: user.accountId } : readSignedIn(pages, c);
};

/**
 * Makes a text that changes with the password, and when two-factor authentication is turned on or off. Some cookies and
 * links contain this text, so they stop working after each of these changes.
 */
export function makeFingerprint({ db }: Pages, userId: number): string {
  const password = findUserById(db, userId)?.password ?? '';
  return hashSecret(`${password} ${hasFactors(db, userId)}`).toString('base64url');
}

/**
 * Returns the id of a browser in which this user signed in before. Returns undefined for any other browser. Also
 * returns undefined if the password has changed since, or if two-factor authentication was turned on or off. Tested by
 * test/forms/factors.test.ts.
 */
export function readKnownBrowser(pages: Pages, c: C, userId: number): string | undefined {
  const cookie = readBrowser(c.req.header('Cookie'), pages.config.baseUrl);
  const [kind, user, fingerprint, id] = readSignedWords(pages.db, cookie) ?? [];
  return kind === 'browser' && user === String(userId) && fingerprint === makeFingerprint(pages, userId)
    ? id
    : undefined;
}

export function addKnownBrowser(pages: Pages, userId: number, answer: Response): Response {
  const { db, random, config } = pages;
  const known = signWords(db, random, ['browser', userId, makeFingerprint(pages, userId), makeLinkSecret(random)]);
  answer.headers.append('Set-Cookie', writeBrowserCookie(config.baseUrl, known));
  return answer;
}

/**
 * Starts a session with a new secret. `reauthenticatedAt` says when the user last typed a password, in seconds since
 * 1970. Without `reauthenticatedAt`, the session counts as if the user had just typed the password.
 */
export function startSession(
  pages: Pages,
  c: C,
  userId: number,
  answer: Response,
  reauthenticatedAt?: number,
): Response {
  const { db, clock, random, config } = pages;
  const { browser, os } = readAgent(c.req.header('User-Agent') ?? '');
  const secret = makeLinkSecret(random);
  const name = [browser, os].filter((word) => word !== '').join(' on ') || 'Unknown browser';
  db.write(() => addSession(db, { userId, secret, browser: name, now: seconds(clock), reauthenticatedAt }));
  answer.headers.append('Set-Cookie', writeSessionCookie(config.baseUrl, secret));
  return addKnownBrowser(pages, userId, answer);
}

const OWN = 'http://own.invalid/';

/**
 * Returns `next` if it is a path of this server, or else /. After signing in, a browser must not be redirected to
 * another server. A path that begins with // or /\ would lead to another host.
 */
export function keepOwnPath(next: string): string {
  const url = parseUrl(next, OWN);
  return url?.href.startsWith(OWN) && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}

export const signIn = (pages: Pages, c: C, userId: number, next: string): Response =>
  startSession(pages, c, userId, redirect(keepOwnPath(next)));
