// Re-authentication asks a user for the password or a code again, before sensitive changes.
//
// A session lasts up to 30 days. A person with a stolen session must not delete sites or add tokens. So for these
// changes, the user must have signed in or typed the password or a code in the last 10 minutes. Otherwise a page
// redirects to /prove, and /prove leads back to the page afterwards. The API answers 403 with the code
// `reauthentication_required`.
//
// Wrong tries are limited for each user and network. These tries do not count for the limit of the sign-in form,
// because strangers can use up that limit. `mount.ts` mounts the form at /prove.

import * as v from 'valibot';
import { isReauthenticated } from '../auth/identity.ts';
import { Password } from '../auth/passwords.ts';
import { assertSameOrigin } from '../auth/session.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { answerJson, redirect } from '../lib/http/answer.ts';
import { fault } from '../lib/http/fault.ts';
import { checked } from '../lib/http/input.ts';
import { seconds } from '../lib/time.ts';
import { hasFactors } from '../store/people/second-factors.ts';
import { proveSession, type SignedIn } from '../store/people/sessions.ts';
import { findUserById } from '../store/people/users.ts';
import { type C, type Form, wantsPage } from './form.ts';
import { html } from './html.ts';
import type { Pages } from './link.ts';
import { writeProviderLink } from './oidc.ts';
import { assertCode, Code, writeCodeField } from './second-factor.ts';
import { keepOwnPath, readIpAddress, readSignedIn } from './session.ts';

const Body = v.strictObject({
  password: v.optional(v.string(fault('no_text')), ''),
  code: v.optional(Code, ''),
  next: v.optional(v.string(fault('no_text')), '/'),
});

export const reauthenticateForm = (pages: Pages): Form => ({
  path: '/prove',
  form(c, { next = c.req.query('next') ?? '/' }, say) {
    const { t } = say;
    const who = readSignedIn(pages, c);
    if (!who && !wantsPage(c)) throw new Problem('unauthenticated');
    if (!who) return redirect('/sign-in');
    const withCode = hasFactors(pages.db, who.userId);
    const link = writeProviderLink(pages, say, next, true);
    const hasPassword = findUserById(pages.db, who.userId)?.password !== null;
    if (!hasPassword && !withCode) {
      return {
        title: t('Confirm your identity'),
        body: html`<p>${t('Account: {email}.', { email: who.email })}</p>${link}`,
      };
    }
    return {
      title: t('Confirm your identity'),
      body: html`${link}<p>${t(withCode ? 'Account: {email}. Enter your password or a code.' : 'Account: {email}. Enter your password again.', { email: who.email })}</p>
<form method="post">
<label>${t('Password')}<input name="password" type="password" autocomplete="current-password" maxlength="1024" autofocus></label>
${withCode ? writeCodeField(say, html``) : html``}
<input name="next" type="hidden" value="${next}">
<button>${t('Continue')}</button>
</form>
<p class="soft"><a href="/account">${t('Back')}</a></p>`,
    };
  },
  async send(c, sent) {
    assertSameOrigin(c.env.incoming.headers, pages.config.baseUrl);
    const who = readSignedIn(pages, c);
    if (!who) throw new Problem('unauthenticated');
    const { password, code, next } = checked(Body, sent);
    if (code === '') await assertPassword(pages, c, who.userId, password, 'password');
    else assertCode(pages, c, who.userId, code);
    proveSession(pages.db, who.sessionId, seconds(pages.clock));
    return wantsPage(c) ? redirect(keepOwnPath(next)) : answerJson(200, { data: { email: who.email } });
  },
});

/**
 * Returns the user who signed in, or confirmed their identity at /prove, in the last 10 minutes. Otherwise, a browser
 * is redirected to /sign-in or /prove, which lead back to `path`. If the client is a program, throws instead.
 */
export function requireReauthenticated(pages: Pages, c: C, path: string): SignedIn | Response {
  const who = readSignedIn(pages, c);
  const isProven = who !== undefined && isReauthenticated(who.reauthenticatedAt, seconds(pages.clock));
  if (isProven) return who;
  if (!wantsPage(c)) throw new Problem(who ? 'reauthentication_required' : 'unauthenticated');
  return redirect(who ? `/prove?next=${path}` : `/sign-in?next=${path}`);
}

/** Throws if the user neither signed in nor confirmed their identity at /prove in the last 10 minutes. */
export function assertReauthenticated(pages: Pages, c: C): SignedIn {
  const who = readSignedIn(pages, c);
  if (!who) throw new Problem('unauthenticated');
  if (!isReauthenticated(who.reauthenticatedAt, seconds(pages.clock))) throw new Problem('reauthentication_required');
  return who;
}

/**
 * Throws if the password is wrong, or after too many tries. The error names `field`. The tries of user 7 count under
 * the key `user 7`, and not for the sign-in form. Strangers can use up the tries of that form.
 */
export async function assertPassword(pages: Pages, c: C, userId: number, password: string, field: string) {
  const attempt = { email: `user ${userId}`, address: readIpAddress(c, pages) };
  pages.limits.signIn.take(attempt);
  const stored = findUserById(pages.db, userId)?.password ?? null;
  if (stored === null || !v.is(Password, password) || !(await pages.passwords.matches(stored, password))) {
    throw invalid({ [field]: coded('wrong_password') });
  }
  pages.limits.signIn.forgive(attempt);
}
