// The page on which users change their password. They can also revoke all their API tokens there.
//
// The page asks for the current password, even in a session. Somebody else may use a browser that is still signed in.
// The number of wrong passwords is limited. The change ends all sessions. This browser gets a new session, and the user
// gets a mail.
//
// Programs may send { "current": "…", "password": "…", "end_tokens": true } as JSON. `mount.ts` mounts this form at
// /password.

import * as v from 'valibot';
import { Password } from '../auth/passwords.ts';
import { assertSameOrigin } from '../auth/session.ts';
import { Problem } from '../lib/errors.ts';
import { answerJson, redirect } from '../lib/http/answer.ts';
import { fault } from '../lib/http/fault.ts';
import { checked } from '../lib/http/input.ts';
import { tellOwner } from '../mail/notice.ts';
import { listTokens } from '../store/people/tokens.ts';
import { changePassword, resetPassword } from '../store/people/users.ts';
import { recordOnPage } from './audit.ts';
import { type Form, wantsPage } from './form.ts';
import { type Html, html } from './html.ts';
import { type Pages, writeNewPassword } from './link.ts';
import { assertPassword } from './reauthenticate.ts';
import type { PageSay } from './say.ts';
import { readSignedIn, signIn, startSession } from './session.ts';

const Body = v.strictObject({
  email: v.optional(v.string(fault('no_text'))),
  current: v.string(fault('no_text')),
  password: Password,
  end_tokens: v.optional(
    // A program sends true or false. The form sends "yes" if its box is checked.
    v.union(
      [
        v.boolean(),
        v.pipe(
          v.literal('yes'),
          v.transform(() => true),
        ),
      ],
      fault('no_switch'),
    ),
    false,
  ),
});

export const changePasswordForm = (pages: Pages): Form => ({
  path: '/password',
  form(c, { end_tokens }, say) {
    const { t } = say;
    const who = readSignedIn(pages, c);
    if (!who && !wantsPage(c)) throw new Problem('unauthenticated');
    if (!who) return redirect('/sign-in?next=/password');
    return {
      title: t('Change your password'),
      body: html`<p>${t('Account: {email}. You will be signed out on all other devices.', { email: who.email })}</p>
<form method="post">
<input name="email" type="hidden" value="${who.email}" autocomplete="username">
<label>${t('Current password')}<input name="current" type="password" autocomplete="current-password" maxlength="1024" required autofocus></label>
${writeNewPassword(say, 'New password')}
${writeTokensBox(listTokens(pages.db, who.userId).length, end_tokens !== undefined, say)}
<button>${t('Change password')}</button>
</form>
<p class="soft"><a href="/account/sessions">${t('Back')}</a></p>`,
    };
  },
  async send(c, sent) {
    const { config, db, log, passwords } = pages;
    assertSameOrigin(c.env.incoming.headers, config.baseUrl);
    const who = readSignedIn(pages, c);
    if (!who) throw new Problem('unauthenticated');
    const { current, password, end_tokens: endsTokens } = checked(Body, sent);
    await assertPassword(pages, c, who.userId, current, 'current');
    const hash = await passwords.hash(password);
    const ended = db.write(() => {
      // The session is read again. While the new password was hashed, another change of the password may have ended the
      // session.
      if (!readSignedIn(pages, c)) throw new Problem('unauthenticated');
      recordOnPage(pages, who.userId, { action: 'change', noun: 'password' });
      return (endsTokens ? resetPassword : changePassword)(db, who.userId, hash);
    });
    log('password changed', { user: who.userId, ...ended });
    tellOwner(pages, who.email, 'password');
    return wantsPage(c)
      ? signIn(pages, c, who.userId, '/account/sessions')
      : startSession(pages, c, who.userId, answerJson(200, { data: { email: who.email } }));
  },
});

const writeTokensBox = (tokens: number, isTicked: boolean, { t, plural }: PageSay): Html =>
  tokens === 0
    ? html``
    : html`<label class="choice"><input name="end_tokens" type="checkbox" value="yes"${isTicked ? html` checked` : html``}>
${t('Also revoke my access tokens')} <small>${plural(tokens, 'You have {count} token. Revoke it if anyone else may know your password. Your programs then need a new token.', 'You have {count} tokens. Revoke them if anyone else may know your password. Your programs then need new tokens.')}</small></label>`;
