import * as v from 'valibot';
import { makeRateProblem } from '../auth/identity.ts';
import { assertSameOrigin } from '../auth/session.ts';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { addressKey } from '../lib/http/address.ts';
import { jsonAnswer } from '../lib/http/answer.ts';
import { Email } from '../lib/http/fields.ts';
import { checked } from '../lib/http/input.ts';
import { linkSecret } from '../lib/secrets.ts';
import { HOUR, seconds } from '../lib/time.ts';
import { findUser, setPasswordLink } from '../store/people/users.ts';
import { type Form, wantsPage } from './form.ts';
import { html, page } from './html.ts';
import type { Pages } from './link.ts';
import { addressOf } from './session.ts';

const LINK_SECONDS = HOUR;

const Body = v.strictObject({ email: Email });

/** Runs after the answer, which would otherwise take longer for those who have an account here, and so tell who has. */
function remind({ config, db, clock, random, log, post, limits }: Pages, email: string): void {
  try {
    const user = findUser(db, email);
    if (!user || !limits.linkMails.take(user.id).allowed) return;
    const secret = linkSecret(random);
    db.write(() => setPasswordLink(db, user.id, secret, seconds(clock) + LINK_SECONDS));
    post.remind({ email, url: `${config.baseUrl}/password/${secret}` });
  } catch (error) {
    log('no password link was made; daybook user password makes one', { reason: (error as Error).message });
  }
}

/** The answer is the same for those who have an account here and those who have none. */
export const forgotForm = (pages: Pages): Form => ({
  path: '/forgot',
  form: (_c, { email = '' }, { t }) => ({
    title: t('Set another password'),
    body: pages.post.works
      ? html`<form method="post">
<label>${t('E-mail')}<input name="email" type="email" value="${email}" autocomplete="username" maxlength="254" required autofocus></label>
<button>${t('Send me a link')}</button>
</form>
<p class="soft"><a href="/sign-in">${t('Sign in')}</a></p>`
      : html`<p>${t('This server sends no mail. Whoever runs it can make a link for you at the terminal:')}</p>
<pre>npx daybook user password you@example.com</pre>
<p class="soft"><a href="/sign-in">${t('Sign in')}</a></p>`,
  }),
  async send(c, sent, { language, t }) {
    const { config, clock, post, limits } = pages;
    assertSameOrigin(c.env.incoming.headers, config.baseUrl);
    const { email } = checked(Body, sent);
    if (!post.works) throw invalid({ email: coded('no_mail') });
    const taken = limits.linkRequests.take(addressKey(addressOf(c, pages)));
    if (!taken.allowed) throw makeRateProblem(clock, taken, {}, coded('too_many_tries'));
    setImmediate(remind, pages, email);
    if (!wantsPage(c)) return jsonAnswer(202, { data: { email } });
    const sentence = t('If {email} has an account here, a link is on its way. It works once, for an hour.', { email });
    return page({ language, status: 202, title: t('Look into your mail'), body: html`<p>${sentence}</p>` });
  },
});
