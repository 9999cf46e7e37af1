import type { Hono } from 'hono';
import * as v from 'valibot';
import { Password } from '../auth/passwords.ts';
import { assertSameOrigin, writeSessionCookie } from '../auth/session.ts';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { redirect } from '../lib/http/answer.ts';
import { fault } from '../lib/http/fault.ts';
import { Email } from '../lib/http/fields.ts';
import { checked } from '../lib/http/input.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import { removeSession } from '../store/people/sessions.ts';
import { findUser, type User } from '../store/people/users.ts';
import type { Form } from './form.ts';
import { type Html, html } from './html.ts';
import type { Pages } from './link.ts';
import { passkeyForm, passkeyScript, passkeyUser, WithPasskey } from './passkey-sign-in.ts';
import type { PageSay } from './say.ts';
import { finished, letIn } from './second-factor.ts';
import { addressOf, knownBrowser, ownPath, signedIn, whoIs } from './session.ts';

/** Names that lead to the machine itself, so that nobody is on the way. */
const THIS_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Without https others on the network can read the password, and take the cookie. */
function warning({ config }: Pages, { t }: PageSay): Html {
  const { protocol, hostname } = new URL(config.baseUrl);
  return protocol === 'http:' && !THIS_MACHINE.test(hostname)
    ? html`<p class="error">${t('This server is reached without https: whoever is on the way can read your password.')}</p>`
    : html``;
}

const Body = v.strictObject({
  email: v.pipe(v.string(fault('no_text')), v.trim(), v.toLowerCase()),
  password: v.string(fault('no_text')),
  next: v.optional(v.string(fault('no_text')), '/'),
});

const WRONG = coded('wrong_sign_in');

/** Takes as long for an unknown account as for a known one, so that time does not tell. Held by test/forms/sign-in.test.ts. */
async function isRight({ passwords }: Pages, user: User | undefined, password: string): Promise<boolean> {
  if (typeof user?.password === 'string') return passwords.matches(user.password, password);
  await passwords.hash(password);
  return false;
}

export const signInForm = (pages: Pages): Form => ({
  path: '/sign-in',
  form(c, { email = '' }, say) {
    const { t } = say;
    const next = c.req.query('next') ?? '/';
    // Only a GET is redirected: a person who is signed in may send the form to sign in as somebody else.
    if (c.req.method !== 'POST' && whoIs(pages, c)) return redirect(ownPath(next));
    return {
      title: t('Sign in'),
      body: html`${warning(pages, say)}<form method="post">
<label>${t('E-mail')}<input name="email" type="email" value="${email}" autocomplete="username" maxlength="254" required autofocus></label>
<label>${t('Password')}<input name="password" type="password" autocomplete="current-password" maxlength="1024" required></label>
<input name="next" type="hidden" value="${next}">
<button>${t('Sign in')}</button>
</form>
${passkeyForm(pages, say, next)}
<p class="soft"><a href="/forgot">${t('Forgot your password?')}</a></p>`,
      ...passkeyScript(pages),
    };
  },
  async send(c, sent) {
    assertSameOrigin(c.env.incoming.headers, pages.config.baseUrl);
    if ('passkey' in sent) {
      const { passkey, next } = checked(WithPasskey, sent);
      return finished(pages, c, await passkeyUser(pages, c, passkey), next);
    }
    const { email, password, next } = checked(Body, sent);
    // No user can have such a password or e-mail.
    if (!v.is(Password, password) || !v.is(Email, email)) throw invalid({ password: WRONG });
    const user = findUser(pages.db, email);
    const attempt = { email, address: addressOf(c, pages), ownKey: user && knownBrowser(pages, c, user.id) };
    pages.limits.signIn.take(attempt);
    if (!(await isRight(pages, user, password)) || !user) throw invalid({ password: WRONG });
    return letIn(pages, c, user, next);
  },
});

/** Signing out, and the link that signs in, which only the demo has. */
export function mountSignOut(app: Hono<Env>, pages: Pages): void {
  mountPath(app, '/sign-out', {
    POST(c) {
      assertSameOrigin(c.env.incoming.headers, pages.config.baseUrl);
      const who = whoIs(pages, c);
      if (who) pages.db.write(() => removeSession(pages.db, who.userId, who.sessionId));
      return redirect('/sign-in', { 'Set-Cookie': writeSessionCookie(pages.config.baseUrl, '') });
    },
  });
  const { entry } = pages;
  if (!entry) return;
  mountPath(app, `/sign-in/${entry.secret}`, { GET: (c) => signedIn(pages, c, entry.userId, '/') });
}
