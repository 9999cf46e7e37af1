import * as v from 'valibot';
import { makeRateProblem } from '../auth/identity.ts';
import { checkPasskey, makeChallenge, mayHavePasskeys } from '../auth/passkeys.ts';
import { Problem } from '../lib/errors.ts';
import { addressKey } from '../lib/http/address.ts';
import { fault } from '../lib/http/fault.ts';
import { findPasskey, touchFactor } from '../store/people/second-factors.ts';
import { findUserById, type User } from '../store/people/users.ts';
import type { C } from './form.ts';
import { type Html, html } from './html.ts';
import type { Pages } from './link.ts';
import type { PageSay } from './say.ts';
import { addressOf } from './session.ts';

/** What a browser sends in place of a password or a code. */
export const WithPasskey = v.strictObject({
  passkey: v.string(fault('no_text')),
  next: v.optional(v.string(fault('no_text')), '/'),
});

/** Who asks for a challenge: somebody whose password was right, or a person who is not known yet. */
const askerOf = (user: User | undefined): string => (user ? `user ${user.id}` : '');

/** A form of its own, which its script shows where the browser knows passkeys. */
export function passkeyForm(pages: Pages, { t }: PageSay, next: string, user?: User): Html {
  if (!mayHavePasskeys(pages.config.baseUrl)) return html``;
  const options = JSON.stringify({ challenge: makeChallenge(pages, 'sign-in', askerOf(user)) });
  return html`<form method="post" data-passkey="${options}" hidden>
<input name="passkey" type="hidden"><input name="next" type="hidden" value="${next}">
<p><button>${t('Use a passkey')}</button></p>
</form>`;
}

/** The script of such a form. */
export const passkeyScript = ({ config, dashboard }: Pages): { script?: string } =>
  mayHavePasskeys(config.baseUrl) ? { script: dashboard.passkey } : {};

/**
 * Whose passkey has signed. Their device has asked for a finger or a PIN, so that this is two factors by itself, and nothing more
 * is asked for.
 */
export async function passkeyUser(pages: Pages, c: C, sent: string, asker?: User): Promise<User> {
  const { db, limits, clock, config } = pages;
  if (!mayHavePasskeys(config.baseUrl)) throw new Problem('not_found');
  const taken = limits.passkeys.take(addressKey(addressOf(c, pages)));
  if (!taken.allowed) throw makeRateProblem(clock, taken);
  const { factor, used } = await checkPasskey(pages, sent, askerOf(asker), (credential) => findPasskey(db, credential));
  return db.write(() => {
    // It may have been removed meanwhile.
    const user = findPasskey(db, factor.credential ?? '') && findUserById(db, factor.userId);
    if (!user) throw new Problem('not_found');
    touchFactor(db, factor.id, used);
    return user;
  });
}
