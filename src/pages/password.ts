import * as v from 'valibot';
import { Password } from '../auth/passwords.ts';
import { Problem } from '../lib/errors.ts';
import { seconds } from '../lib/time.ts';
import { changePassword, findUserByLink } from '../store/users.ts';
import { html } from './html.ts';
import { linkPage, newPassword } from './link.ts';

/** Sets the password of a user who was added at the terminal, or who forgot theirs. */
export const password = linkPage({
  path: '/password/:secret',
  find: ({ db, clock }, secret) => findUserByLink(db, secret, seconds(clock)),
  lost: 'It works once, for a day at most. Ask for a new one where you sign in, or whoever runs this server.',
  form: ({ email }) => ({
    title: 'Set your password',
    body: html`<p>For ${email}.</p>
<form method="post">
<input name="email" type="hidden" value="${email}" autocomplete="username">
${newPassword()}
<button>Set password</button>
</form>`,
  }),
  body: v.strictObject({ email: v.optional(v.string()), password: Password }),
  async act({ db, clock, passwords }, secret, _subject, body) {
    const hash = await passwords.hash(body.password);
    return db.write(() => {
      const user = findUserByLink(db, secret, seconds(clock));
      if (!user) throw new Problem('not_found');
      changePassword(db, user.id, hash);
      return { userId: user.id, data: { email: user.email } };
    });
  },
});
