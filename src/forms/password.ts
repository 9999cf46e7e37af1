import * as v from 'valibot';
import { Password } from '../auth/passwords.ts';
import { Problem } from '../lib/errors.ts';
import { seconds } from '../lib/time.ts';
import { tellOwner } from '../mail/notice.ts';
import { type Access, countAccess, findUserByLink, resetPassword } from '../store/people/users.ts';
import { recordOnPage } from './audit.ts';
import { type Html, html } from './html.ts';
import { linkPage, writeNewPassword } from './link.ts';
import type { PageSay } from './say.ts';

/**
 * The page of a link that sets a password. New users get such a link, and so do users who have forgotten their
 * password.
 */
export const password = linkPage({
  path: '/password/:secret',
  find({ db, clock }, secret) {
    const now = seconds(clock);
    const user = findUserByLink(db, secret, now);
    return user && { email: user.email, access: countAccess(db, user.id, now) };
  },
  lost: 'Each link works once, and expires after a day at the latest. Request a new one on the sign-in page, or ask the person who runs this server.',
  form: ({ email, access }, say) => ({
    title: say.t('Set your password'),
    body: html`<p>${say.t('Account: {email}.', { email })}</p>${sayEnding(access, say)}
<form method="post">
<input name="email" type="hidden" value="${email}" autocomplete="username">
${writeNewPassword(say)}
<button>${say.t('Set password')}</button>
</form>`,
  }),
  body: v.strictObject({ email: v.optional(v.string()), password: Password }),
  async act(pages, secret, _subject, body) {
    const { db, clock, log, passwords } = pages;
    const hash = await passwords.hash(body.password);
    const { ended, isFirst, ...set } = db.write(() => {
      const user = findUserByLink(db, secret, seconds(clock));
      if (!user) throw new Problem('not_found');
      const ended = resetPassword(db, user.id, hash);
      recordOnPage(pages, user.id, { action: 'change', noun: 'password' });
      return { ended, isFirst: user.password === null, userId: user.id, data: { email: user.email } };
    });
    log('password set by a link, sessions and tokens ended', { user: set.userId, ...ended });
    if (!isFirst) tellOwner(pages, set.data.email, 'password');
    return set;
  },
});

function sayEnding(access: Access, { t, plural }: PageSay): Html {
  const sessions = plural(access.sessions, '{count} session', '{count} sessions');
  const tokens = plural(access.tokens, '{count} token', '{count} tokens');
  if (access.sessions === 0 && access.tokens === 0) return html``;
  if (access.tokens === 0)
    return html`<p>${t('You will be signed out on all other devices ({sessions}).', { sessions })}</p>`;
  return access.sessions === 0
    ? html`<p>${t('Your access tokens will be revoked ({tokens}). Your programs then need new tokens.', { tokens })}</p>`
    : html`<p>${t('You will be signed out on all other devices ({sessions}). Your access tokens will be revoked ({tokens}). Your programs will then need new ones.', { sessions, tokens })}</p>`;
}
