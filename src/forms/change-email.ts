import * as v from 'valibot';
import { makeRateProblem } from '../auth/identity.ts';
import { assertSameOrigin } from '../auth/session.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { jsonAnswer, redirect } from '../lib/http/answer.ts';
import { fault } from '../lib/http/fault.ts';
import { Email } from '../lib/http/fields.ts';
import { checked } from '../lib/http/input.ts';
import { HOUR, seconds } from '../lib/time.ts';
import { tellOwner } from '../mail/notice.ts';
import { signed, wordsIn } from '../store/people/signed-cookies.ts';
import { changeEmail, findUser, findUserById, type User } from '../store/people/users.ts';
import { type Form, wantsPage } from './form.ts';
import { html, page } from './html.ts';
import { linkPage, type Pages } from './link.ts';
import { assertPassword } from './prove.ts';
import { markOf, whoIs } from './session.ts';

const LINK_SECONDS = HOUR;
/** Tells these words from those of cookies, which the same key signs. */
const KIND = 'email';
const TAKEN = coded('email_taken');

const Body = v.strictObject({ email: Email, current: v.string(fault('no_text')) });

const packed = (text: string): string => Buffer.from(text).toString('base64url');
const unpacked = (word: string): string => Buffer.from(word, 'base64url').toString();

/** For a person who knows the password: a link goes to the new address, and nothing changes before it was opened. */
export const changeEmailForm = (pages: Pages): Form => ({
  path: '/email',
  form(c, { email = '' }, { t }) {
    const who = whoIs(pages, c);
    if (!who && !wantsPage(c)) throw new Problem('unauthenticated');
    if (!who) return redirect('/sign-in?next=/email');
    return {
      title: t('Change your e-mail'),
      body: pages.post.works
        ? html`<p>${t('It is {email} now. A link is sent to the new one; until it is used, nothing changes.', { email: who.email })}</p>
<form method="post">
<label>${t('New e-mail')}<input name="email" type="email" value="${email}" autocomplete="email" maxlength="254" required autofocus></label>
<label>${t('Current password')}<input name="current" type="password" autocomplete="current-password" maxlength="1024" required></label>
<button>${t('Send the link')}</button>
</form>
<p class="soft"><a href="/account/you">${t('Back')}</a></p>`
        : html`<p>${t('This server sends no mail. Whoever runs it can change your e-mail at the terminal:')}</p>
<pre>npx daybook user email ${who.email} NEW</pre>
<p class="soft"><a href="/account/you">${t('Back')}</a></p>`,
    };
  },
  async send(c, sent, { language, t }) {
    const { config, db, clock, random, post, limits } = pages;
    assertSameOrigin(c.env.incoming.headers, config.baseUrl);
    const who = whoIs(pages, c);
    if (!who) throw new Problem('unauthenticated');
    const { email, current } = checked(Body, sent);
    if (!post.works) throw invalid({ email: coded('no_mail') });
    await assertPassword(pages, c, who.userId, current, 'current');
    if (email === who.email) throw invalid({ email: coded('same_email') });
    const taken = limits.linkMails.take(who.userId);
    if (!taken.allowed) throw makeRateProblem(clock, taken, {}, coded('too_many_tries'));
    const expires = seconds(clock) + LINK_SECONDS;
    const secret = signed(db, random, [
      KIND,
      who.userId,
      packed(who.email),
      packed(email),
      expires,
      markOf(pages, who.userId),
    ]);
    // The answer does not tell whether the address has an account here; only the mail does, which its owner reads.
    if (findUser(db, email)) tellOwner(pages, email, 'emailTaken');
    else post.confirmEmail({ email, url: `${config.baseUrl}/email/${secret}`, account: who.email });
    if (!wantsPage(c)) return jsonAnswer(202, { data: { email } });
    const sentence = t('A link is on its way to {email}. It works once, for an hour.', { email });
    return page({ language, status: 202, title: t('Look into your mail'), body: html`<p>${sentence}</p>` });
  },
});

type Change = { user: User; email: string };

/**
 * What a link changes. It is used up with the change, because it names the e-mail of before, and ends with another password, so that
 * whoever knew the old one keeps no way in (test/forms/change-email.test.ts).
 */
function changeOf(pages: Pages, secret: string): Change | undefined {
  const { db, clock } = pages;
  const [kind, id, before = '', email = '', expires, mark] = wordsIn(db, secret) ?? [];
  if (kind !== KIND || Number(expires) <= seconds(clock) || mark !== markOf(pages, Number(id))) return undefined;
  const user = findUserById(db, Number(id));
  return user?.email === unpacked(before) ? { user, email: unpacked(email) } : undefined;
}

/** Confirms that the new address is the person's own. It ends all sessions, as another password does. */
export const confirmEmail = linkPage({
  path: '/email/:secret',
  find: changeOf,
  lost: 'It works once, for an hour. Ask for a new one in your account.',
  form: ({ user, email }, { t }) => ({
    title: t('Change your e-mail'),
    body: html`<p>${t('From {before} to {email}. You sign in with it from then on, and are signed out everywhere else.', { before: user.email, email })}</p>
<form method="post"><button>${t('Change it')}</button></form>`,
  }),
  body: v.strictObject({}),
  async act(pages, secret) {
    const { db, log } = pages;
    const { user, email } = db.write(() => {
      const change = changeOf(pages, secret);
      if (!change) throw new Problem('not_found');
      if (findUser(db, change.email)) throw invalid({ email: TAKEN });
      changeEmail(db, change.user, change.email);
      return change;
    });
    log('e-mail changed by a link, which ended sessions', { user: user.id });
    tellOwner(pages, user.email, 'email', email);
    return { userId: user.id, data: { email } };
  },
});
