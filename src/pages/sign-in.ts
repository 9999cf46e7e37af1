import type { Hono } from 'hono';
import * as v from 'valibot';
import { Password } from '../auth/passwords.ts';
import { assertSameOrigin, browserCookie, browserIn, secretIn, sessionCookie } from '../auth/session.ts';
import { agentOf } from '../classify/agent.ts';
import { clientAddress } from '../lib/address.ts';
import { jsonAnswer, redirect } from '../lib/answer.ts';
import { invalid } from '../lib/errors.ts';
import { Email } from '../lib/fields.ts';
import { checked } from '../lib/input.ts';
import { type Env, mountPath } from '../lib/paths.ts';
import { linkSecret } from '../lib/secrets.ts';
import { seconds } from '../lib/time.ts';
import { addKnownBrowser, findKnownBrowser } from '../store/known-browsers.ts';
import { addSession, findSignedIn, removeSession, type SignedIn } from '../store/sessions.ts';
import { findUser, type User } from '../store/users.ts';
import { type C, type Form, wantsPage } from './form.ts';
import { type Html, html } from './html.ts';
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
function knownBrowser({ db, config }: Pages, c: C, userId: number): string | undefined {
  const browser = findKnownBrowser(db, browserIn(c.req.header('Cookie'), config.baseUrl));
  return browser?.userId === userId ? browser?.id : undefined;
}

/**
 * Signs the browser in with an answer. A new session each time, so that a cookie that an attacker has planted before is worth
 * nothing; and from now on the browser is known.
 */
export function withSession({ db, clock, random, config }: Pages, c: C, userId: number, answer: Response): Response {
  const { browser, os } = agentOf(c.req.header('User-Agent') ?? '');
  const secret = linkSecret(random);
  const name = [browser, os].filter((word) => word !== '').join(' on ') || 'Unknown browser';
  const known = db.write(() => {
    addSession(db, { userId, secret, browser: name, now: seconds(clock) });
    return addKnownBrowser(db, random, userId);
  });
  answer.headers.append('Set-Cookie', sessionCookie(config.baseUrl, secret));
  answer.headers.append('Set-Cookie', browserCookie(config.baseUrl, known));
  return answer;
}

/** Where to go after signing in: always a path of this server. What begins with two slashes would be another host. */
function ownPath(next: string): string {
  const url = URL.parse(next, 'http://own.invalid');
  return url?.host === 'own.invalid' && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}

export const signedIn = (pages: Pages, c: C, userId: number, next: string): Response =>
  withSession(pages, c, userId, redirect(ownPath(next)));

/** Names that lead to the machine itself, so that nobody is on the way. */
const THIS_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Without https others on the network can read the password, and take the cookie. */
function warning({ config }: Pages): Html {
  const { protocol, hostname } = new URL(config.baseUrl);
  return protocol === 'http:' && !THIS_MACHINE.test(hostname)
    ? html`<p class="error">This server is reached without https: whoever is on the way can read your password.</p>`
    : html``;
}

const Body = v.strictObject({
  email: v.pipe(v.string('Must be text.'), v.trim(), v.toLowerCase()),
  password: v.string('Must be text.'),
  next: v.optional(v.string('Must be text.'), '/'),
});

const WRONG = 'The e-mail or the password is wrong.';

/** Takes as long for an unknown account as for a known one, so that time does not tell. Held by test/pages/sign-in.test.ts. */
async function isRight({ passwords }: Pages, user: User | undefined, password: string): Promise<boolean> {
  if (typeof user?.password === 'string') return passwords.matches(user.password, password);
  await passwords.hash(password);
  return false;
}

export const signInForm = (pages: Pages): Form => ({
  path: '/sign-in',
  form(c, { email = '' }) {
    const next = c.req.query('next') ?? '/';
    // Only a GET is redirected: a person who is signed in may send the form to sign in as somebody else.
    if (c.req.method !== 'POST' && whoIs(pages, c)) return redirect(ownPath(next));
    return {
      title: 'Sign in',
      body: html`${warning(pages)}<form method="post">
<label>E-mail<input name="email" type="email" value="${email}" autocomplete="username" maxlength="254" required autofocus></label>
<label>Password<input name="password" type="password" autocomplete="current-password" maxlength="1024" required></label>
<input name="next" type="hidden" value="${next}">
<button>Sign in</button>
</form>
<p class="soft"><a href="/forgot">Forgot your password?</a></p>`,
    };
  },
  async send(c, sent) {
    assertSameOrigin(c.env.incoming.headers, pages.config.baseUrl);
    const { email, password, next } = checked(Body, sent);
    // No user can have such a password or e-mail.
    if (!v.is(Password, password) || !v.is(Email, email)) throw invalid({ password: WRONG });
    const user = findUser(pages.db, email);
    const attempt = { email, address: addressOf(c, pages), browser: user && knownBrowser(pages, c, user.id) };
    pages.limits.signIn.take(attempt);
    if (!(await isRight(pages, user, password)) || !user) throw invalid({ password: WRONG });
    pages.limits.signIn.succeeded(attempt);
    if (wantsPage(c)) return signedIn(pages, c, user.id, next);
    return withSession(pages, c, user.id, jsonAnswer(200, { data: { email } }));
  },
});

/** Signing out, and the link that signs in, which only the demo has. */
export function mountSignOut(app: Hono<Env>, pages: Pages): void {
  mountPath(app, '/sign-out', {
    POST(c) {
      assertSameOrigin(c.env.incoming.headers, pages.config.baseUrl);
      const who = whoIs(pages, c);
      if (who) pages.db.write(() => removeSession(pages.db, who.userId, who.sessionId));
      return redirect('/sign-in', { 'Set-Cookie': sessionCookie(pages.config.baseUrl, '') });
    },
  });
  const { entry } = pages;
  if (!entry) return;
  mountPath(app, `/sign-in/${entry.secret}`, { GET: (c) => signedIn(pages, c, entry.userId, '/') });
}
