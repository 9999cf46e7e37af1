import type { Hono } from 'hono';
import * as v from 'valibot';
import { Password } from '../auth/passwords.ts';
import { assertSameOrigin, secretIn, sessionCookie } from '../auth/session.ts';
import { agentOf } from '../classify/agent.ts';
import { clientAddress } from '../lib/address.ts';
import { jsonAnswer, redirect } from '../lib/answer.ts';
import { invalid } from '../lib/errors.ts';
import { Email } from '../lib/fields.ts';
import { checked } from '../lib/input.ts';
import { type Env, mountPath } from '../lib/paths.ts';
import { linkSecret } from '../lib/secrets.ts';
import { seconds } from '../lib/time.ts';
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

/** A new session each time, so that a cookie that an attacker has planted before is worth nothing. */
export function newCookie({ db, clock, random, config }: Pages, c: C, userId: number): string {
  const { browser, os } = agentOf(c.req.header('User-Agent') ?? '');
  const secret = linkSecret(random);
  const name = [browser, os].filter((word) => word !== '').join(' on ') || 'Unknown browser';
  db.write(() => addSession(db, { userId, secret, browser: name, now: seconds(clock) }));
  return sessionCookie(config.baseUrl, secret);
}

const OWN = 'http://own.invalid/';

/**
 * Where to go after signing in: always a path of this server. What begins with two slashes would be another host, and so would a
 * slash and a backslash, which a path may hold under other schemes than http.
 */
function ownPath(next: string): string {
  const url = URL.parse(next, OWN);
  return url?.href.startsWith(OWN) && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}

export const signedIn = (pages: Pages, c: C, userId: number, next: string): Response =>
  redirect(ownPath(next), { 'Set-Cookie': newCookie(pages, c, userId) });

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
    const address = addressOf(c, pages);
    // No user can have such a password or e-mail.
    if (!v.is(Password, password) || !v.is(Email, email)) throw invalid({ password: WRONG });
    pages.limits.signIn.take(email, address);
    const user = findUser(pages.db, email);
    if (!(await isRight(pages, user, password)) || !user) throw invalid({ password: WRONG });
    pages.limits.signIn.succeeded(email, address);
    if (wantsPage(c)) return signedIn(pages, c, user.id, next);
    return jsonAnswer(200, { data: { email } }, { 'Set-Cookie': newCookie(pages, c, user.id) });
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
