import * as v from 'valibot';
import { tooMany } from '../auth/identity.ts';
import { Password } from '../auth/passwords.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { seconds } from '../lib/time.ts';
import { GUEST } from '../store/plans.ts';
import { acceptInvitation, findInvitation } from '../store/team.ts';
import { type Access, addUser, countAccess, endAccess, findUser, type User } from '../store/users.ts';
import { html } from './html.ts';
import { endingWords, linkPage, newPassword, type Pages } from './link.ts';

/** The hash of the password: that of the user if the password is right, or a new one for somebody who has no account yet. */
async function hashFor(pages: Pages, user: User | undefined, password: string): Promise<string> {
  if (!user) return pages.passwords.hash(password);
  if (user.password === null) {
    throw invalid({
      password: 'This address has no password yet. Set it with the link you were given, then come back.',
    });
  }
  // Whoever sent the invitation knows its link too, and must not be able to guess a password with it.
  const taken = pages.limits.guesses.take(user.id);
  if (!taken.allowed) throw tooMany(pages.clock, taken, {}, 'Too many tries; come back in a quarter of an hour.');
  if (!(await pages.passwords.matches(user.password, password))) {
    throw invalid({ password: `This is not the password of ${user.email}.` });
  }
  return user.password;
}

const NO_ACCESS: Access = { sessions: 0, tokens: 0 };

export const invite = linkPage({
  path: '/invite/:secret',
  find({ db, clock }, secret) {
    const now = seconds(clock);
    const invitation = findInvitation(db, secret, now);
    const user = invitation && findUser(db, invitation.email);
    return invitation && { ...invitation, user, access: user ? countAccess(db, user.id, now) : NO_ACCESS };
  },
  lost: 'It works once, for 5 days, until it is withdrawn or renewed. Ask whoever invited you for a new one.',
  form: ({ owner, email, role, user, access }) => ({
    title: `Join the team of ${owner}`,
    body: html`<p>You are invited as ${role}. ${
      user ? 'Confirm with the password you have here.' : 'Choose a password, and the account is yours.'
    }</p>${endingWords(access)}
<form method="post">
<label>E-mail<input name="email" type="email" value="${email}" autocomplete="username" readonly></label>
${
  user
    ? html`<label>Password<input name="password" type="password" autocomplete="current-password" maxlength="1024" required autofocus></label>`
    : newPassword()
}
<button>Join</button>
</form>`,
  }),
  body: v.strictObject({ email: v.optional(v.string()), password: Password }),
  async act(pages, secret, invitation, { password }) {
    const { db, clock, log } = pages;
    const before = findUser(db, invitation.email);
    const hash = await hashFor(pages, before, password);
    const { ended, ...joined } = db.write(() => {
      const now = seconds(clock);
      const still = findInvitation(db, secret, now);
      const user = findUser(db, invitation.email);
      if (!still) throw new Problem('not_found');
      // The password was checked or hashed for a user who has changed meanwhile.
      if (user?.password !== before?.password)
        throw invalid({ password: 'The user of this address was changed a moment ago; try again.' });
      const { id } = user ?? addUser(db, { email: still.email, password: hash, now, plan: GUEST });
      acceptInvitation(db, still, id);
      const ended = user ? endAccess(db, id) : NO_ACCESS;
      return { ended, userId: id, data: { account_id: still.accountId, role: still.role } };
    });
    log('invitation accepted, which ended sessions and tokens', { user: joined.userId, ...ended });
    return joined;
  },
});
