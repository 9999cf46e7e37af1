// Signing in with a passkey. A passkey can be used alone, or after a password in place of a code.
//
// The page has a form with a challenge, a random text. The script `src/dashboard/passkey.ts` lets the passkey sign the
// challenge, and sends the form. `sign-in.ts` and `second-factor.ts` show the form, and check the answer with
// `findPasskeyUser`.

import * as v from 'valibot';
import { makeRateProblem } from '../auth/identity.ts';
import { checkPasskey, makeChallenge, mayHavePasskeys } from '../auth/passkeys.ts';
import { Problem } from '../lib/errors.ts';
import { makeAddressKey } from '../lib/http/address.ts';
import { fault } from '../lib/http/fault.ts';
import { findPasskey, touchFactor } from '../store/people/second-factors.ts';
import { findUserById, type User } from '../store/people/users.ts';
import type { C } from './form.ts';
import { type Html, html } from './html.ts';
import type { Pages } from './link.ts';
import type { PageSay } from './say.ts';
import { readIpAddress } from './session.ts';

/** The fields that a browser sends in place of a password or a code. */
export const WithPasskey = v.strictObject({
  passkey: v.string(fault('no_text')),
  next: v.optional(v.string(fault('no_text')), '/'),
});

/**
 * Writes the form for signing in with a passkey. The form is hidden until its script finds out that the browser
 * supports passkeys.
 */
export function writePasskeyForm(pages: Pages, { t }: PageSay, next: string, user?: User): Html {
  if (!mayHavePasskeys(pages.config.baseUrl)) return html``;
  const options = JSON.stringify({ challenge: makeChallenge(pages, 'sign-in', nameAsker(user)) });
  return html`<form method="post" data-passkey="${options}" hidden>
<input name="passkey" type="hidden"><input name="next" type="hidden" value="${next}">
<p><button>${t('Use a passkey')}</button></p>
<p class="error" role="alert" hidden>${t('The passkey could not be used. Sign in another way.')}</p>
</form>`;
}

export const choosePasskeyScript = ({ config, dashboard }: Pages): { script?: string } =>
  mayHavePasskeys(config.baseUrl) ? { script: dashboard.passkey } : {};

/**
 * Finds the user whose passkey signed the challenge, a random text. The device asks for a fingerprint or a PIN before
 * it signs. So a passkey alone is two factors, and no password is needed.
 */
export async function findPasskeyUser(pages: Pages, c: C, sent: string, asker?: User): Promise<User> {
  const { db, limits, clock, config } = pages;
  if (!mayHavePasskeys(config.baseUrl)) throw new Problem('not_found');
  const taken = limits.passkeys.take(makeAddressKey(readIpAddress(c, pages)));
  if (!taken.allowed) throw makeRateProblem(clock, taken);
  const { factor, used } = await checkPasskey(pages, sent, nameAsker(asker), (credential) =>
    findPasskey(db, credential),
  );
  return db.write(() => {
    // The passkey is read again, because somebody may have removed it during the check.
    const user = findPasskey(db, factor.credential ?? '') && findUserById(db, factor.userId);
    if (!user) throw new Problem('not_found');
    touchFactor(db, factor.id, used);
    return user;
  });
}

/**
 * Names the user whose passkey may sign a challenge, a random text. The name is empty if no password was typed before.
 * Then the passkey of any user may sign.
 */
const nameAsker = (user: User | undefined): string => (user ? `user ${user.id}` : '');
