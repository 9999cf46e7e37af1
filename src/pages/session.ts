import { browserCookie, browserIn, secretIn, sessionCookie } from '../auth/session.ts';
import { agentOf } from '../classify/agent.ts';
import { clientAddress } from '../lib/address.ts';
import { redirect } from '../lib/answer.ts';
import { linkSecret } from '../lib/secrets.ts';
import { seconds } from '../lib/time.ts';
import { addSession, findSignedIn, type SignedIn } from '../store/sessions.ts';
import { signed, wordsIn } from '../store/signed.ts';
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
  const secret = secretIn(c.req.header('Cookie'), config.baseUrl);
  return secret === undefined ? undefined : findSignedIn(db, secret, seconds(clock));
}

/** What the browser that asks is known by, if it has signed in to this account before. */
export function knownBrowser({ db, config }: Pages, c: C, userId: number): string | undefined {
  const [kind, user, id] = wordsIn(db, browserIn(c.req.header('Cookie'), config.baseUrl)) ?? [];
  return kind === 'browser' && user === String(userId) ? id : undefined;
}

/**
 * Signs the browser in with an answer. A new session each time, so that a cookie that an attacker has planted before is worth
 * nothing; and from now on the browser is known.
 */
export function withSession({ db, clock, random, config }: Pages, c: C, userId: number, answer: Response): Response {
  const { browser, os } = agentOf(c.req.header('User-Agent') ?? '');
  const secret = linkSecret(random);
  const name = [browser, os].filter((word) => word !== '').join(' on ') || 'Unknown browser';
  db.write(() => addSession(db, { userId, secret, browser: name, now: seconds(clock) }));
  const known = signed(db, random, ['browser', userId, linkSecret(random)]);
  answer.headers.append('Set-Cookie', sessionCookie(config.baseUrl, secret));
  answer.headers.append('Set-Cookie', browserCookie(config.baseUrl, known));
  return answer;
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
