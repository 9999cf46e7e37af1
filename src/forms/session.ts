import { readBrowser, readSecret, writeBrowserCookie, writeSessionCookie } from '../auth/session.ts';
import { readAgent } from '../classify/agent.ts';
import { clientAddress } from '../lib/http/address.ts';
import { redirect } from '../lib/http/answer.ts';
import { hashSecret, linkSecret } from '../lib/secrets.ts';
import { seconds } from '../lib/time.ts';
import { hasFactors } from '../store/people/second-factors.ts';
import { addSession, findSignedIn, type SignedIn } from '../store/people/sessions.ts';
import { signed, wordsIn } from '../store/people/signed-cookies.ts';
import { findUserById } from '../store/people/users.ts';
import type { C } from './form.ts';
import type { Pages } from './link.ts';

export const addressOf = ({ env }: C, { config }: Pages): string =>
  clientAddress(
    env.incoming.socket.remoteAddress ?? '',
    env.incoming.headers['x-forwarded-for']?.toString(),
    config.trust,
  );

/** Who is signed in at the browser that asks. */
export function whoIs({ db, clock, config }: Pages, c: C): SignedIn | undefined {
  const secret = readSecret(c.req.header('Cookie'), config.baseUrl);
  return secret === undefined ? undefined : findSignedIn(db, secret, seconds(clock));
}

/** Changes with the password, and when there comes a first second factor or goes the last. */
export function markOf({ db }: Pages, userId: number): string {
  const password = findUserById(db, userId)?.password ?? '';
  return hashSecret(`${password} ${hasFactors(db, userId)}`).toString('base64url');
}

/**
 * What the browser that asks is known by, if it has signed in to this account before, and with all that the account asks for now:
 * an old password alone must not give anybody places of their own to try codes in (test/forms/factors.test.ts).
 */
export function knownBrowser(pages: Pages, c: C, userId: number): string | undefined {
  const cookie = readBrowser(c.req.header('Cookie'), pages.config.baseUrl);
  const [kind, user, mark, id] = wordsIn(pages.db, cookie) ?? [];
  return kind === 'browser' && user === String(userId) && mark === markOf(pages, userId) ? id : undefined;
}

/** Lets the browser be known from an answer on. */
export function withKnownBrowser(pages: Pages, userId: number, answer: Response): Response {
  const { db, random, config } = pages;
  const known = signed(db, random, ['browser', userId, markOf(pages, userId), linkSecret(random)]);
  answer.headers.append('Set-Cookie', writeBrowserCookie(config.baseUrl, known));
  return answer;
}

/** Signs the browser in. A new session each time, so that a cookie that an attacker has planted before is worth nothing. */
export function withSession(pages: Pages, c: C, userId: number, answer: Response): Response {
  const { db, clock, random, config } = pages;
  const { browser, os } = readAgent(c.req.header('User-Agent') ?? '');
  const secret = linkSecret(random);
  const name = [browser, os].filter((word) => word !== '').join(' on ') || 'Unknown browser';
  db.write(() => addSession(db, { userId, secret, browser: name, now: seconds(clock) }));
  answer.headers.append('Set-Cookie', writeSessionCookie(config.baseUrl, secret));
  return withKnownBrowser(pages, userId, answer);
}

const OWN = 'http://own.invalid/';

/**
 * Where to go after signing in: always a path of this server. What begins with two slashes would be another host, and so would a
 * slash and a backslash, which a path may hold under other schemes than http.
 */
export function ownPath(next: string): string {
  const url = URL.parse(next, OWN);
  return url?.href.startsWith(OWN) && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}

export const signedIn = (pages: Pages, c: C, userId: number, next: string): Response =>
  withSession(pages, c, userId, redirect(ownPath(next)));
