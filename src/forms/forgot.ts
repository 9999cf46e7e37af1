// The page that mails a link to set a new password.
//
// Invariant: the answers for all e-mail addresses are equal. So nobody finds out which e-mail addresses have an account
// here. The link is made and mailed after the answer. Otherwise the answer would take longer for an e-mail address with
// an account.
//
// Example: the link works once, for one hour. Requests are limited by IP address, and mails by user. `mount.ts` mounts
// this form at /forgot.

import * as v from 'valibot';
import { makeRateProblem } from '../auth/identity.ts';
import { assertSameOrigin } from '../auth/session.ts';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { makeAddressKey } from '../lib/http/address.ts';
import { answerJson, redirect } from '../lib/http/answer.ts';
import { Email } from '../lib/http/fields.ts';
import { checked } from '../lib/http/input.ts';
import { makeLinkSecret } from '../lib/secrets.ts';
import { HOUR, seconds } from '../lib/time.ts';
import { findUser, setPasswordLink } from '../store/people/users.ts';
import { type Form, wantsPage } from './form.ts';
import { html, writePage } from './html.ts';
import type { Pages } from './link.ts';
import { readIpAddress } from './session.ts';

const LINK_SECONDS = HOUR;

const Body = v.strictObject({ email: Email });

export const forgotForm = (pages: Pages): Form => ({
  path: '/forgot',
  form(_c, { email = '' }, { t }) {
    if (!pages.config.passwordSignIn) return redirect('/sign-in');
    const body = pages.post.works
      ? html`<form method="post">
<label>${t('E-mail')}<input name="email" type="email" value="${email}" autocomplete="username" maxlength="254" required autofocus></label>
<button>${t('Send link')}</button>
</form>
<p class="soft"><a href="/sign-in">${t('Sign in')}</a></p>`
      : html`<p>${t('This server does not send e-mails. Ask the person who runs it to create a link for you at the terminal:')}</p>
<pre>npx daybook user password you@example.com</pre>
<p class="soft"><a href="/sign-in">${t('Sign in')}</a></p>`;
    return { title: t('Reset your password'), body };
  },
  async send(c, sent, { language, t }) {
    const { config, clock, post, limits } = pages;
    assertSameOrigin(c.env.incoming.headers, config.baseUrl);
    const { email } = checked(Body, sent);
    if (!post.works) throw invalid({ email: coded('no_mail') });
    const taken = limits.linkRequests.take(makeAddressKey(readIpAddress(c, pages)));
    if (!taken.allowed) throw makeRateProblem(clock, taken, {}, coded('too_many_tries'));
    setImmediate(remind, pages, email);
    if (!wantsPage(c)) return answerJson(202, { data: { email } });
    const sentence = t(
      'If {email} has an account here, you will get a link. It can be used once, and expires after an hour.',
      {
        email,
      },
    );
    return writePage({ language, status: 202, title: t('Check your e-mail'), body: html`<p>${sentence}</p>` });
  },
});

/** Makes and mails the link after the answer. So the time of the answer does not tell whether the user exists. */
function remind({ config, db, clock, random, log, post, limits }: Pages, email: string): void {
  try {
    const user = findUser(db, email);
    if (!user || !limits.linkMails.take(user.id).allowed) return;
    const secret = makeLinkSecret(random);
    db.write(() => setPasswordLink(db, user.id, secret, seconds(clock) + LINK_SECONDS));
    post.remind({ email, url: `${config.baseUrl}/password/${secret}` });
  } catch (error) {
    log('no password link was made. To make one, run daybook user password', { reason: (error as Error).message });
  }
}
