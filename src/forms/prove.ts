import * as v from 'valibot';
import { isReauthenticated } from '../auth/identity.ts';
import { Password } from '../auth/passwords.ts';
import { assertSameOrigin } from '../auth/session.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { jsonAnswer, redirect } from '../lib/http/answer.ts';
import { fault } from '../lib/http/fault.ts';
import { checked } from '../lib/http/input.ts';
import { seconds } from '../lib/time.ts';
import { hasFactors } from '../store/people/second-factors.ts';
import { proveSession, type SignedIn } from '../store/people/sessions.ts';
import { findUserById } from '../store/people/users.ts';
import { type C, type Form, wantsPage } from './form.ts';
import { html } from './html.ts';
import type { Pages } from './link.ts';
import { assertCode, Code, codeField } from './second-factor.ts';
import { addressOf, ownPath, whoIs } from './session.ts';

/** Who is signed in and has shown lately who they are; or the answer that asks for that, after which `path` is shown. */
export function provenAt(pages: Pages, c: C, path: string): SignedIn | Response {
  const who = whoIs(pages, c);
  const isProven = who !== undefined && isReauthenticated(who.provedAt, seconds(pages.clock));
  if (isProven) return who;
  if (!wantsPage(c)) throw new Problem(who ? 'proof_required' : 'unauthenticated');
  return redirect(who ? `/prove?next=${path}` : `/sign-in?next=${path}`);
}

/** The same where there is nobody to be asked any more. */
export function assertProven(pages: Pages, c: C): SignedIn {
  const who = whoIs(pages, c);
  if (!who) throw new Problem('unauthenticated');
  if (!isReauthenticated(who.provedAt, seconds(pages.clock))) throw new Problem('proof_required');
  return who;
}

/** Counted apart from the tries to sign in, which strangers can use up. */
export async function assertPassword(pages: Pages, c: C, userId: number, password: string, field: string) {
  const attempt = { email: `user ${userId}`, address: addressOf(c, pages) };
  pages.limits.signIn.take(attempt);
  const stored = findUserById(pages.db, userId)?.password ?? null;
  if (stored === null || !v.is(Password, password) || !(await pages.passwords.matches(stored, password))) {
    throw invalid({ [field]: coded('wrong_password') });
  }
  pages.limits.signIn.forgive(attempt);
}

const Body = v.strictObject({
  password: v.optional(v.string(fault('no_text')), ''),
  code: v.optional(Code, ''),
  next: v.optional(v.string(fault('no_text')), '/'),
});

/** Asks somebody who is signed in once more who they are: by the password, or by a second factor that they have set up. */
export const proveForm = (pages: Pages): Form => ({
  path: '/prove',
  form(c, { next = c.req.query('next') ?? '/' }, say) {
    const { t } = say;
    const who = whoIs(pages, c);
    if (!who && !wantsPage(c)) throw new Problem('unauthenticated');
    if (!who) return redirect('/sign-in');
    const withCode = hasFactors(pages.db, who.userId);
    return {
      title: t('Is it you?'),
      body: html`<p>${t(withCode ? 'For {email}. Type your password, or a code.' : 'For {email}. Type your password once more.', { email: who.email })}</p>
<form method="post">
<label>${t('Password')}<input name="password" type="password" autocomplete="current-password" maxlength="1024" autofocus></label>
${withCode ? codeField(say, html``) : html``}
<input name="next" type="hidden" value="${next}">
<button>${t('Go on')}</button>
</form>
<p class="soft"><a href="/account">${t('Back')}</a></p>`,
    };
  },
  async send(c, sent) {
    assertSameOrigin(c.env.incoming.headers, pages.config.baseUrl);
    const who = whoIs(pages, c);
    if (!who) throw new Problem('unauthenticated');
    const { password, code, next } = checked(Body, sent);
    if (code === '') await assertPassword(pages, c, who.userId, password, 'password');
    else assertCode(pages, c, who.userId, code);
    proveSession(pages.db, who.sessionId, seconds(pages.clock));
    return wantsPage(c) ? redirect(ownPath(next)) : jsonAnswer(200, { data: { email: who.email } });
  },
});
