// The page of an invitation to a team.
//
// A new person chooses a password and gets an account. A person with an account types the password of this account.
// Accepting the invitation ends all earlier sessions and tokens of the account. The reason: another person may have
// made this account with the e-mail address of the invited person.
//
// The owner of the team also has a link of the invitation, and could try passwords there. So the number of tries is
// limited. If the owner's link is opened, the page does not show whether the e-mail address has an account. `mount.ts`
// mounts this page at /invite/:secret.

import * as v from 'valibot';
import { makeRateProblem } from '../auth/identity.ts';
import { Password } from '../auth/passwords.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { seconds } from '../lib/time.ts';
import { GUEST } from '../store/people/plans.ts';
import { acceptInvitation, findInvitation } from '../store/people/team.ts';
import { addUser, endAccess, findUser, type User } from '../store/people/users.ts';
import { recordOnPage } from './audit.ts';
import { type Html, html } from './html.ts';
import { assertCode, mailCode, needsCode, TypedCode, writeCodeField } from './invite-code.ts';
import { linkPage, type Pages, writeNewPassword } from './link.ts';
import { assertPasswordSignIn, writeSignInLink } from './oidc.ts';
import type { PageSay } from './say.ts';

/**
 * The first sentence of the page. The key says whether the invited e-mail address has an account. The key `undefined`
 * is for the link that the owner of the team has too. The owner must not learn whether there is an account.
 */
const WELCOME = {
  true: 'You are invited as a {role}. Enter your password here to accept. You will be signed out on all other devices, and your access tokens will be revoked.',
  false: 'You are invited as a {role}. Choose a password to create your account.',
  undefined:
    'You are invited as a {role}. If you are new here, choose a password with at least 10 characters. If you already have an account, enter its password. This signs out your other devices and revokes your access tokens.',
} as const;

export const invite = linkPage({
  path: '/invite/:secret',
  find(pages, secret) {
    const { db, clock, post } = pages;
    const invitation = findInvitation(db, secret, seconds(clock));
    return (
      invitation && {
        ...invitation,
        takesPassword: pages.config.passwordSignIn,
        writeLink: (say: PageSay) => writeLink(pages, say, secret),
        hasAccount: invitation.isMailed ? findUser(db, invitation.email) !== undefined : undefined,
        needsCode: needsCode(pages, invitation),
        isProven: post.works,
      }
    );
  },
  lost: 'An invitation works once, within 5 days. If you have already accepted it, sign in. If not, ask the person who invited you for a new invitation. Has someone else used it in your name? Then ask the person who runs this server for a new link (daybook user password). The new link ends all access that was created in your name.',
  open(pages, secret, invitation) {
    if (invitation.needsCode && pages.config.passwordSignIn) mailCode(pages, invitation, secret);
  },
  form(invitation, say) {
    const title = say.t('Join the team of {owner}', { owner: invitation.owner });
    const link = invitation.writeLink(say);
    if (!invitation.takesPassword) {
      const sentence = say.t('You are invited as a {role}. Sign in to accept.', { role: say.t(invitation.role) });
      return { title, body: html`<p>${sentence}</p>${link}` };
    }
    const body = html`${link}<p>${say.t(WELCOME[`${invitation.hasAccount}`], { role: say.t(invitation.role) })}</p>
${invitation.isProven ? html`` : writeUnproven(say)}
<form method="post">
<label>${say.t('E-mail')}<input name="email" type="email" value="${invitation.email}" autocomplete="username" readonly></label>
${invitation.needsCode ? writeCodeField(invitation, say) : html``}
${writePasswordField(invitation.hasAccount, say)}
<button>${say.t('Join')}</button>
</form>`;
    return { title, body };
  },
  body: v.strictObject({ email: v.optional(v.string()), code: v.optional(TypedCode), password: Password }),
  async act(pages, secret, invitation, { code, password }) {
    const { db, clock, log } = pages;
    assertPasswordSignIn(pages);
    // The code is checked before the password, so that nobody can try passwords without a code.
    if (invitation.needsCode) assertCode(pages, invitation, secret, code);
    const before = findUser(db, invitation.email);
    const hash = await chooseHash(pages, before, password);
    const { ended, ...joined } = db.write(() => {
      const now = seconds(clock);
      const still = findInvitation(db, secret, now);
      const user = findUser(db, invitation.email);
      if (!still) throw new Problem('not_found');
      // The password may have changed since `chooseHash` checked it.
      if (user?.password !== before?.password) throw invalid({ password: coded('user_changed') });
      const { id } = user ?? addUser(db, { email: still.email, password: hash, now, plan: GUEST });
      acceptInvitation(db, still, id);
      recordOnPage(pages, id, { action: 'add', noun: 'team', name: still.email }, still.accountId);
      const ended = user && endAccess(db, id);
      return { ended, userId: id, data: { account_id: still.accountId, role: still.role } };
    });
    if (ended) log('invitation accepted, sessions and tokens ended', { user: joined.userId, ...ended });
    return joined;
  },
});

/**
 * Writes the link for signing in with a provider or a proxy, if the server has one. The provider or proxy has verified
 * the e-mail address, so no password is needed.
 */
function writeLink(pages: Pages, say: PageSay, secret: string): Html {
  if (!pages.oidc && pages.config.authHeader === undefined) return html``;
  const ends =
    'If you already have an account, you will be signed out on all other devices. Your access tokens will be revoked, and your password will stop working.';
  return html`${writeSignInLink(pages, say, `/invite/${secret}`)}<p class="soft">${say.t(ends)}</p>`;
}

/**
 * Returns the password hash to store. An existing user must type the right password, and the result is the hash that is
 * already stored. For a new user, the typed password is hashed.
 */
async function chooseHash(pages: Pages, user: User | undefined, password: string): Promise<string> {
  if (!user) return pages.passwords.hash(password);
  if (user.password === null) {
    throw invalid({
      password: coded('no_password_yet'),
    });
  }
  // The owner of the team may also know this link. So the number of tries is limited.
  const taken = pages.limits.guesses.take(user.id);
  if (!taken.allowed) throw makeRateProblem(pages.clock, taken, {}, coded('too_many_tries'));
  if (!(await pages.passwords.matches(user.password, password))) {
    throw invalid({ password: coded('wrong_password_of', { email: user.email }) });
  }
  return user.password;
}

/**
 * Warns that the person who sent the invitation can open this link too. Without mails, the server cannot verify the
 * invited e-mail address.
 */
const writeUnproven = ({ t }: PageSay): Html =>
  html`<p class="soft">${t('The person who invited you can also open this link. If you are new here and your password is refused, someone else has used the link in your name. Ask the person who runs this server for a new link (daybook user password). The new link ends all access that was created in your name.')}</p>`;

const writePasswordField = (hasAccount: boolean | undefined, say: PageSay): Html =>
  hasAccount === false
    ? writeNewPassword(say)
    : html`<label>${say.t('Password')}<input name="password" type="password" autocomplete="current-password" minlength="10" maxlength="1024" required autofocus></label>`;
