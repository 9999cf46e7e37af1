// The session of a browser, as pages read and make it.
//
// A session begins with a new secret each time. So a cookie that an attacker planted before is worth nothing. With
// the session comes a mark of the browser, which stays after signing out. A browser with such a mark has its own
// limits, so strangers cannot use up its tries.
//
// Marks change with the password and with the first or last second factor. So an old password alone gives nobody a
// marked browser. The forms of this folder call these functions.

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

/** Finds the signed-in user of the browser. */
export function readSignedIn({ db, clock, config }: Pages, c: C): SignedIn | undefined {
  const secret = readSecret(c.req.header('Cookie'), config.baseUrl);
  return secret === undefined ? undefined : findSignedIn(db, secret, seconds(clock));
}

/** Makes the mark of a user. The mark changes with the password, and with the first or last second factor. */
export function makeMark({ db }: Pages, userId: number): string {
  const password = findUserById(db, userId)?.password ?? '';
  return hashSecret(`${password} ${hasFactors(db, userId)}`).toString('base64url');
}

/**
 * Reads the mark of a browser; undefined if it never signed in to this account with all that the account asks for
 * now. Held by test/forms/factors.test.ts.
 */
export function readKnownBrowser(pages: Pages, c: C, userId: number): string | undefined {
  const cookie = readBrowser(c.req.header('Cookie'), pages.config.baseUrl);
  const [kind, user, mark, id] = readSignedWords(pages.db, cookie) ?? [];
  return kind === 'browser' && user === String(userId) && mark === makeMark(pages, userId) ? id : undefined;
}

/** Adds the mark of a known browser to an answer. */
export function addKnownBrowser(pages: Pages, userId: number, answer: Response): Response {
  const { db, random, config } = pages;
  const known = signWords(db, random, ['browser', userId, makeMark(pages, userId), makeLinkSecret(random)]);
  answer.headers.append('Set-Cookie', writeBrowserCookie(config.baseUrl, known));
  return answer;
}

/** Starts a session and adds its cookie to an answer. */
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
 * Keeps a path of this server to go to after signing in, and replaces any other by /. A path that begins with // is
 * another host. So is a slash with a backslash.
 */
export function keepOwnPath(next: string): string {
  const url = URL.parse(next, OWN);
  return url?.href.startsWith(OWN) && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}

export const signIn = (pages: Pages, c: C, userId: number, next: string): Response =>
  startSession(pages, c, userId, redirect(keepOwnPath(next)));
