import * as v from 'valibot';
import { Password } from '../auth/passwords.ts';
import { Problem } from '../lib/errors.ts';
import { plural } from '../lib/plural.ts';
import { seconds } from '../lib/time.ts';
import { type Access, countAccess, findUserByLink, resetPassword } from '../store/users.ts';
import { type Html, html } from './html.ts';
import { linkPage, newPassword } from './link.ts';

/** What setting it ends, where there is anything. */
function endingWords({ sessions, tokens }: Access): Html {
  const words = [
    ...(sessions > 0 ? [`signs you out everywhere else (${plural(sessions, 'session')})`] : []),
    ...(tokens > 0 ? [`revokes your access tokens (${plural(tokens, 'token')}), so that programs need new ones`] : []),
  ];
  return words.length === 0 ? html`` : html`<p>It ${words.join(', and ')}.</p>`;
}

/** Sets the password of a user who was added at the terminal, or who forgot theirs. */
export const password = linkPage({
  path: '/password/:secret',
  find({ db, clock }, secret) {
    const now = seconds(clock);
    const user = findUserByLink(db, secret, now);
    return user && { email: user.email, access: countAccess(db, user.id, now) };
  },
  lost: 'It works once, for a day at most. Ask for a new one where you sign in, or whoever runs this server.',
  form: ({ email, access }) => ({
    title: 'Set your password',
    body: html`<p>For ${email}.</p>${endingWords(access)}
<form method="post">
<input name="email" type="hidden" value="${email}" autocomplete="username">
${newPassword()}
<button>Set password</button>
</form>`,
  }),
  body: v.strictObject({ email: v.optional(v.string()), password: Password }),
  async act({ db, clock, log, passwords }, secret, _subject, body) {
    const hash = await passwords.hash(body.password);
    const { ended, ...set } = db.write(() => {
      const user = findUserByLink(db, secret, seconds(clock));
      if (!user) throw new Problem('not_found');
      const ended = resetPassword(db, user.id, hash);
      return { ended, userId: user.id, data: { email: user.email } };
    });
    log('password set by a link, which ended sessions and tokens', { user: set.userId, ...ended });
    return set;
  },
});
