// The page on which users sign in, with a password or a passkey, and the path that signs out.
//
// A wrong password and an unknown e-mail address get the same answer, after the same time. So nobody finds out which
// accounts exist. `src/auth/sign-in.ts` limits the number of tries. After a right password, `letIn` (second-factor.ts)
// asks for a second factor if the user has one.
//
// Programs may send { "email": "…", "password": "…" } as JSON. Without https, the page warns that others can read the
// password. `mount.ts` mounts the form at /sign-in.

import type { Hono } from 'hono';
import * as v from 'valibot';
import { readHeaderEmail } from '../auth/header-email.ts';
import { Password } from '../auth/passwords.ts';
import { assertSameOrigin, writeSessionCookie } from '../auth/session.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { redirect } from '../lib/http/answer.ts';
import { fault } from '../lib/http/fault.ts';
import { Email } from '../lib/http/fields.ts';
import { checked } from '../lib/http/input.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import { removeSession } from '../store/people/sessions.ts';
import { findUser, type User } from '../store/people/users.ts';
import type { C, Form } from './form.ts';
import { type Html, html } from './html.ts';
import type { Pages } from './link.ts';
import { assertPasswordSignIn, writeProviderLink } from './oidc.ts';
import { choosePasskeyScript, findPasskeyUser, WithPasskey, writePasskeyForm } from './passkey-sign-in.ts';
import type { PageSay } from './say.ts';
import { finishSignIn, letIn } from './second-factor.ts';
import { keepOwnPath, readIpAddress, readKnownBrowser, readSignedIn, signIn, startSession } from './session.ts';
import { findVouchedUser } from './vouched.ts';

/**
 * Host names of this computer. A password that is sent to such a host name crosses no network. So nobody can read it on
 * the way.
 */
const THIS_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\])$/;

const Body = v.strictObject({
  email: v.pipe(v.string(fault('no_text')), v.trim(), v.toLowerCase()),
  password: v.string(fault('no_text')),
  next: v.optional(v.string(fault('no_text')), '/'),
});

const WRONG = coded('wrong_sign_in');

/**
 * The attribute of the field that gets the cursor. This is the e-mail address, or the password if the e-mail address is
 * filled in already.
 */
const FOCUS = html` autofocus`;

export const signInForm = (pages: Pages): Form => ({
  path: '/sign-in',
  form(c, { email = '' }, say) {
    const { t } = say;
    const next = c.req.query('next') ?? '/';
    // A POST is not redirected, because a signed-in person may want to sign in as another user.
    const place = c.req.method === 'POST' ? undefined : findPlace(pages, c, keepOwnPath(next));
    if (place) return place;
    if (!pages.config.passwordSignIn) return { title: t('Sign in'), body: writeProviderLink(pages, say, next) };
    return {
      title: t('Sign in'),
      body: html`${writeProviderLink(pages, say, next)}${writeWarning(pages, say)}<form method="post">
<label>${t('E-mail')}<input name="email" type="email" value="${email}" autocomplete="username" maxlength="254" required${email === '' ? FOCUS : html``}></label>
<label>${t('Password')}<input name="password" type="password" autocomplete="current-password" maxlength="1024" required${email === '' ? html`` : FOCUS}></label>
<input name="next" type="hidden" value="${next}">
<button>${t('Sign in')}</button>
</form>
${writePasskeyForm(pages, say, next)}
<p class="soft"><a href="/forgot">${t('Forgot your password?')}</a></p>`,
      ...choosePasskeyScript(pages),
    };
  },
  async send(c, sent) {
    assertSameOrigin(c.env.incoming.headers, pages.config.baseUrl);
    assertPasswordSignIn(pages);
    if ('passkey' in sent) {
      const { passkey, next } = checked(WithPasskey, sent);
      return finishSignIn(pages, c, await findPasskeyUser(pages, c, passkey), next);
    }
    const { email, password, next } = checked(Body, sent);
    // No user has an invalid e-mail address or password, such as a password with 3 characters. So the answer is the
    // error for a wrong password.
    if (!v.is(Password, password) || !v.is(Email, email)) throw invalid({ password: WRONG });
    const user = findUser(pages.db, email);
    const attempt = { email, address: readIpAddress(c, pages), ownKey: user && readKnownBrowser(pages, c, user.id) };
    pages.limits.signIn.take(attempt);
    if (!(await isRight(pages, user, password)) || !user) throw invalid({ password: WRONG });
    return letIn(pages, c, user, next);
  },
});

/**
 * Redirects a person who is signed in already, or for whom a proxy vouches. Returns undefined for anybody else. Throws
 * if the proxy sent no valid e-mail address.
 */
function findPlace(pages: Pages, c: C, next: string): Response | undefined {
  const isSignedIn = readSignedIn(pages, c) !== undefined;
  const email = readHeaderEmail(pages.config, c.env.incoming);
  if (email === undefined) return isSignedIn ? redirect(next) : undefined;
  if (email === '') throw new Problem('role_forbidden', { message: coded('no_header_email') });
  const found = findVouchedUser(pages, { email }, next);
  return isSignedIn ? redirect(found.next) : signIn(pages, c, found.id, found.next);
}

export function mountSignOut(app: Hono<Env>, pages: Pages): void {
  mountPath(app, '/sign-out', {
    POST(c) {
      assertSameOrigin(c.env.incoming.headers, pages.config.baseUrl);
      const who = readSignedIn(pages, c);
      if (who) pages.db.write(() => removeSession(pages.db, who.userId, who.sessionId));
      return redirect('/sign-in', { 'Set-Cookie': writeSessionCookie(pages.config.baseUrl, '') });
    },
  });
  const { entry } = pages;
  if (!entry) return;
  // The user of the demo has no password. So in this session, daybook never asks for one.
  mountPath(app, `/sign-in/${entry.secret}`, {
    GET: (c) => startSession(pages, c, entry.userId, redirect('/'), Number.MAX_SAFE_INTEGER),
  });
}

/**
 * Checks a password. If there is no such user, or the user has no password, this function hashes the typed password.
 * That takes as long as a check. So the time of the answer does not tell which accounts exist. Tested by
 * test/forms/sign-in.test.ts.
 */
async function isRight({ passwords }: Pages, user: User | undefined, password: string): Promise<boolean> {
  if (typeof user?.password === 'string') return passwords.matches(user.password, password);
  await passwords.hash(password);
  return false;
}

/** Warns on a page without https, because others on the network can read the password. */
function writeWarning({ config }: Pages, { t }: PageSay): Html {
  const { protocol, hostname } = new URL(config.baseUrl);
  return protocol === 'http:' && !THIS_MACHINE.test(hostname)
    ? html`<p class="error">${t('This connection is not encrypted (no https). Others on the network can read your password.')}</p>`
    : html``;
}
