// Two pages that change the e-mail address of a user. The first is a form that mails a link, and the second is the page
// that the link opens.
//
// The form asks for the password and mails a link to the new e-mail address. The page that the link opens asks for the
// password again. If the user mistypes the new e-mail address, a stranger gets the link, but cannot use it without the
// password.
//
// The link is signed, so the database stores nothing for it. The link contains the old e-mail address and the new one.
// The link works only while the user still has the old e-mail address, so the link works once. The link also contains
// the time at which it expires, and a text that changes with the password. So after a change of the password, the link
// no longer works.
//
// The answer does not say whether the new e-mail address already has an account here. Only a mail to the new e-mail
// address says so. `mount.ts` mounts both pages.

import * as v from 'valibot';
import { makeRateProblem } from '../auth/identity.ts';
import { Password } from '../auth/passwords.ts';
import { assertSameOrigin } from '../auth/session.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { answerJson, redirect } from '../lib/http/answer.ts';
import { fault } from '../lib/http/fault.ts';
import { Email } from '../lib/http/fields.ts';
import { checked } from '../lib/http/input.ts';
import { HOUR, MINUTE, seconds } from '../lib/time.ts';
import { tellOwner } from '../mail/notice.ts';
import { readSignedWords, signWords } from '../store/people/signed-cookies.ts';
import { changeEmail, findUser, findUserById, type User } from '../store/people/users.ts';
import { recordOnPage } from './audit.ts';
import { type Form, wantsPage } from './form.ts';
import { html, writePage } from './html.ts';
import { linkPage, type Pages } from './link.ts';
import { assertPassword } from './reauthenticate.ts';
import { makeFingerprint, readSignedIn } from './session.ts';

const LINK_SECONDS = HOUR;
/**
 * The link contains a signed list of words, and this is its first word. Cookies are signed with the same key, but have
 * other first words. So nobody can use the value of a cookie as a link.
 */
const KIND = 'email';
const TAKEN = coded('email_taken');

const Body = v.strictObject({ email: Email, current: v.string(fault('no_text')) });

export const changeEmailForm = (pages: Pages): Form => ({
  path: '/email',
  form(c, { email = '' }, { t }) {
    const who = readSignedIn(pages, c);
    if (!who && !wantsPage(c)) throw new Problem('unauthenticated');
    if (!who) return redirect('/sign-in?next=/email');
    return {
      title: t('Change your e-mail address'),
      body: pages.post.works
        ? html`<p>${t('Your current e-mail address is {email}. You will get a link at the new one. Nothing changes until you open it.', { email: who.email })}</p>
<form method="post">
<label>${t('New e-mail address')}<input name="email" type="email" value="${email}" autocomplete="email" maxlength="254" required autofocus></label>
<label>${t('Current password')}<input name="current" type="password" autocomplete="current-password" maxlength="1024" required></label>
<button>${t('Send link')}</button>
</form>
<p class="soft"><a href="/account/you">${t('Back')}</a></p>`
        : html`<p>${t('This server does not send e-mails. Ask the person who runs it to change your e-mail address at the terminal:')}</p>
<pre>npx daybook user email ${who.email} NEW</pre>
<p class="soft"><a href="/account/you">${t('Back')}</a></p>`,
    };
  },
  async send(c, sent, { language, t }) {
    const { config, db, clock, random, post, limits } = pages;
    assertSameOrigin(c.env.incoming.headers, config.baseUrl);
    const who = readSignedIn(pages, c);
    if (!who) throw new Problem('unauthenticated');
    const { email, current } = checked(Body, sent);
    if (!post.works) throw invalid({ email: coded('no_mail') });
    await assertPassword(pages, c, who.userId, current, 'current');
    if (email === who.email) throw invalid({ email: coded('same_email') });
    const taken = limits.emailLinks.take(who.userId);
    if (!taken.allowed) {
      const count = Math.ceil(taken.resetSeconds / MINUTE);
      throw makeRateProblem(clock, taken, {}, coded('too_many_tries_minutes', { count }));
    }
    const expires = seconds(clock) + LINK_SECONDS;
    const secret = signWords(db, random, [
      KIND,
      who.userId,
      pack(who.email),
      pack(email),
      expires,
      makeFingerprint(pages, who.userId),
    ]);
    // Only a mail to the new e-mail address says whether an account here has this e-mail address. The answer does not
    // say so.
    if (findUser(db, email)) tellOwner(pages, email, 'emailTaken');
    else post.confirmEmail({ email, url: `${config.baseUrl}/email/${secret}`, account: who.email });
    if (!wantsPage(c)) return answerJson(202, { data: { email } });
    const sentence = t('You will get a link at {email}. It can be used once, and expires after an hour.', { email });
    return writePage({ language, status: 202, title: t('Check your e-mail'), body: html`<p>${sentence}</p>` });
  },
});

type EmailChange = { user: User; email: string };

/**
 * The page that the mailed link opens. The change of the e-mail address ends all sessions. So a person with a stolen
 * session is signed out too.
 */
export const confirmEmail = linkPage({
  path: '/email/:secret',
  find: findChange,
  lost: 'Each link can be used once, and expires after an hour. You can request a new one in your account.',
  form: ({ user, email }, { t }) => ({
    title: t('Change your e-mail address'),
    body: html`<p>${t('Your e-mail address changes from {before} to {email}. You then sign in with the new one. You will be signed out on all other devices.', { before: user.email, email })}</p>
<form method="post">
<label>${t('Current password')}<input name="current" type="password" autocomplete="current-password" maxlength="1024" required autofocus></label>
<button>${t('Change e-mail address')}</button>
</form>`,
  }),
  body: v.strictObject({ current: v.string(fault('no_text')) }),
  async act(pages, secret, asked, { current }) {
    const { db, log } = pages;
    await assertKnown(pages, asked.user, current);
    const { user, email } = db.write(() => {
      const change = findChange(pages, secret);
      if (!change) throw new Problem('not_found');
      if (findUser(db, change.email)) throw invalid({ email: TAKEN });
      recordOnPage(pages, change.user.id, { action: 'change', noun: 'email', name: change.email });
      changeEmail(db, change.user, change.email);
      return change;
    });
    log('e-mail address changed by a link, sessions ended', { user: user.id });
    tellOwner(pages, user.email, 'email', email);
    return { userId: user.id, data: { email } };
  },
});

/** Throws if the password is wrong. A stranger may have got the link, so the number of tries is limited. */
async function assertKnown({ limits, clock, passwords }: Pages, { id, password }: User, typed: string): Promise<void> {
  const taken = limits.guesses.take(id);
  if (!taken.allowed) throw makeRateProblem(clock, taken, {}, coded('too_many_tries'));
  if (password !== null && v.is(Password, typed) && (await passwords.matches(password, typed))) return;
  throw invalid({ current: coded('wrong_password') });
}

/**
 * Reads the link. Returns undefined if the link is no longer valid. A link is valid for an hour and for one use, and
 * only until the password changes. Tested by test/forms/change-email.test.ts.
 */
function findChange(pages: Pages, secret: string): EmailChange | undefined {
  const { db, clock } = pages;
  const [kind, id, before = '', email = '', expires, fingerprint] = readSignedWords(db, secret) ?? [];
  if (kind !== KIND || Number(expires) <= seconds(clock) || fingerprint !== makeFingerprint(pages, Number(id)))
    return undefined;
  const user = findUserById(db, Number(id));
  return user?.email === unpack(before) ? { user, email: unpack(email) } : undefined;
}

const pack = (text: string): string => Buffer.from(text).toString('base64url');

const unpack = (word: string): string => Buffer.from(word, 'base64url').toString();
