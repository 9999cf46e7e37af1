import * as v from 'valibot';
import { Password } from '../auth/passwords.ts';
import { Problem } from '../lib/errors.ts';
import { Email } from '../lib/http/fields.ts';
import { seconds } from '../lib/time.ts';
import { addUser, hasUsers } from '../store/people/users.ts';
import { html } from './html.ts';
import { linkPage, writeNewPassword } from './link.ts';

/**
 * The page that creates the first user. If two requests arrive at the same time, only one of them creates a user.
 * Tested by test/forms/setup.test.ts.
 */
export const setup = linkPage({
  path: '/setup/:secret',
  find: ({ db, setup: link }, secret) => (link?.admits(secret) && !hasUsers(db) ? true : undefined),
  lost: 'Each link can be used once, and expires after an hour. If this server is not set up yet, restart it to get a new link.',
  form: (_subject, say, email = '') => ({
    title: say.t('Set up this server'),
    body: html`<p>${say.t('You are the first user of this server. The sites you add are yours, and you can invite others.')}</p>
<form method="post">
<label>${say.t('E-mail')}<input name="email" type="email" value="${email}" autocomplete="username" maxlength="254" required autofocus></label>
${writeNewPassword(say)}
<button>${say.t('Set up')}</button>
</form>`,
  }),
  body: v.strictObject({ email: Email, password: Password }),
  async act({ db, clock, passwords }, _secret, _subject, { email, password }) {
    const hash = await passwords.hash(password);
    return db.write(() => {
      if (hasUsers(db)) throw new Problem('not_found');
      const { id, accountId } = addUser(db, { email, password: hash, now: seconds(clock) });
      return { userId: id, data: { account_id: accountId, email } };
    });
  },
});
