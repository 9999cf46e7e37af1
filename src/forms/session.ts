// The session of a browser, as pages read and make it.
//
// Each session has a new secret. So an attacker gains nothing by setting the cookie of a browser beforehand. With the
// session the browser gets a mark, which stays after signing out. A browser with a mark has its own limits, so
// strangers cannot use up its tries.
//
// A mark becomes worthless if the password changes, or if the first second factor is added or the last one removed. So
// nobody gets a marked browser with an old password alone. The forms of this folder call these functions.

import { readBrowser, readSecret, writeBrowserCookie, writeSessionCookie } from '../auth/session.ts';
import { readAgent } from '../classify/agent.ts';
import { findClientAddress } from '../lib/http/address.ts';
import { redirect } from '../lib/http/answer.ts';
import { hashSecret, makeLinkSecret } from '../lib/secrets.ts';
import { seconds } from '../lib/time.ts';
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
  return secret === undefined ? undefined : findSignedIn(db, secret, seconds(clock));
}

/**
 * Makes a text that changes with the password, and when two-factor authentication is turned on or off. Cookies and
 * links contain this text. So each such change makes them worthless.
 */
export function makeMark({ db }: Pages, userId: number): string {
  const password = findUserById(db, userId)?.password ?? '';
  return hashSecret(`${password} ${hasFactors(db, userId)}`).toString('base64url');
}

/**
 * Reads the id of a known browser. Undefined if the browser never signed in with the present password and second factor
 * of this account. Tested by test/forms/factors.test.ts.
 */
export function readKnownBrowser(pages: Pages, c: C, userId: number): string | undefined {
  const cookie = readBrowser(c.req.header('Cookie'), pages.config.baseUrl);
  const [kind, user, mark, id] = readSignedWords(pages.db, cookie) ?? [];
  return kind === 'browser' && user === String(userId) && mark === makeMark(pages, userId) ? id : undefined;
}

export function addKnownBrowser(pages: Pages, userId: number, answer: Response): Response {
  const { db, random, config } = pages;
  const known = signWords(db, random, ['browser', userId, makeMark(pages, userId), makeLinkSecret(random)]);
  answer.headers.append('Set-Cookie', writeBrowserCookie(config.baseUrl, known));
  return answer;
}

export function startSession(pages: Pages, c: C, userId: number, answer: Response): Response {
  const { db, clock, random, config } = pages;
  const { browser, os } = readAgent(c.req.header('User-Agent') ?? '');
  const secret = makeLinkSecret(random);
  const name = [browser, os].filter((word) => word !== '').join(' on ') || 'Unknown browser';
  db.write(() => addSession(db, { userId, secret, browser: name, now: seconds(clock) }));
  answer.headers.append('Set-Cookie', writeSessionCookie(config.baseUrl, secret));
  return addKnownBrowser(pages, userId, answer);
}

const OWN = 'http://own.invalid/';

/**
 * The path to which the browser is redirected after signing in. Only paths of this server are allowed; any other text
 * becomes /. A path that begins with // or /\ is another host, so it is not allowed.
 */
export function keepOwnPath(next: string): string {
  const url = URL.parse(next, OWN);
  return url?.href.startsWith(OWN) && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}

export const signIn = (pages: Pages, c: C, userId: number, next: string): Response =>
  startSession(pages, c, userId, redirect(keepOwnPath(next)));
