// The second step of signing in: a code or a passkey, after a right password.
//
// If a user has a second factor, the right password gives no session yet. The password gives only a cookie for 10
// minutes. The cookie contains a text that changes with the password. So the cookie does not work after a change of the
// password.
//
// Wrong codes of six digits are counted for each user. With a count for each IP address, many machines together could
// guess a code. A browser that signed in before has its own count. Recovery codes have a count for each IP address. So
// a person with a stolen password cannot use up the tries of the user. `sign-in.ts` and `mount.ts` call `letIn`.

import * as v from 'valibot';
import { isRecoveryCode, tryCode, WARNED_TRIES } from '../auth/codes.ts';
import { makeRateProblem } from '../auth/identity.ts';
import { assertSameOrigin, HALF_SECONDS, readHalf, writeHalfCookie } from '../auth/session.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { makeAddressKey } from '../lib/http/address.ts';
import { answerJson, redirect } from '../lib/http/answer.ts';
import { fault } from '../lib/http/fault.ts';
import { checked } from '../lib/http/input.ts';
import { iso, seconds } from '../lib/time.ts';
import { tellOwner } from '../mail/notice.ts';
import { hasFactors } from '../store/people/second-factors.ts';
import { readSignedWords, signWords } from '../store/people/signed-cookies.ts';
import { findUserById, type User } from '../store/people/users.ts';
import { type C, type Form, wantsPage } from './form.ts';
import { type Html, html } from './html.ts';
import type { Pages } from './link.ts';
import { choosePasskeyScript, findPasskeyUser, WithPasskey, writePasskeyForm } from './passkey-sign-in.ts';
import type { PageSay } from './say.ts';
import { keepOwnPath, makeFingerprint, readIpAddress, readKnownBrowser, signIn, startSession } from './session.ts';

export const Code = v.pipe(v.string(fault('no_text')), v.maxLength(40, fault('too_long', { most: 40 })));

const Body = v.strictObject({ code: Code, next: v.optional(v.string(fault('no_text')), '/') });

export const secondFactorForm = (pages: Pages): Form => ({
  path: '/sign-in/code',
  form(c, _typed, say) {
    const { t } = say;
    const user = findHalfSignedIn(pages, c);
    if (!user) return redirect('/sign-in');
    return {
      title: t('One more step'),
      body: html`<p>${t('Account: {email}.', { email: user.email })}</p>
<form method="post">
${writeCodeField(say)}
<input name="next" type="hidden" value="${c.req.query('next') ?? '/'}">
<button>${t('Sign in')}</button>
</form>
${writePasskeyForm(pages, say, c.req.query('next') ?? '/', user)}
<p class="soft">${t('No phone? Use a recovery code. No recovery codes? Ask the person who runs this server to turn off two-factor authentication for you.')}</p>`,
      ...choosePasskeyScript(pages),
    };
  },
  async send(c, sent) {
    assertSameOrigin(c.env.incoming.headers, pages.config.baseUrl);
    const user = findHalfSignedIn(pages, c);
    if (!user) throw new Problem('not_found');
    const answer = finishSignIn(pages, c, user, await assertFactor(pages, c, user, sent));
    answer.headers.append('Set-Cookie', writeHalfCookie(pages.config.baseUrl, ''));
    return answer;
  },
});

/** Checks the code or passkey. Returns the path to which the user is redirected. */
async function assertFactor(pages: Pages, c: C, user: User, sent: object): Promise<string> {
  if ('passkey' in sent) {
    const { passkey, next } = checked(WithPasskey, sent);
    const { id } = await findPasskeyUser(pages, c, passkey, user);
    if (id !== user.id) throw invalid({ passkey: coded('passkey_of_other', { email: user.email }) });
    return next;
  }
  const { code, next } = checked(Body, sent);
  assertCode(pages, c, user.id, code);
  return next;
}

export function finishSignIn(pages: Pages, c: C, { id, email }: User, next: string): Response {
  pages.limits.signIn.succeeded({ email, address: readIpAddress(c, pages), ownKey: readKnownBrowser(pages, c, id) });
  if (wantsPage(c)) return signIn(pages, c, id, next);
  return startSession(pages, c, id, answerJson(200, { data: { email } }));
}

export function letIn(pages: Pages, c: C, user: User, next: string): Response {
  const { db, random, clock, config } = pages;
  if (!hasFactors(db, user.id)) return finishSignIn(pages, c, user, next);
  const half = signWords(db, random, ['half', user.id, seconds(clock) + HALF_SECONDS, makeFingerprint(pages, user.id)]);
  const answer = wantsPage(c)
    ? redirect(`/sign-in/code?next=${encodeURIComponent(keepOwnPath(next))}`)
    : answerJson(200, { data: { email: user.email, second_factor: true } });
  answer.headers.append('Set-Cookie', writeHalfCookie(config.baseUrl, half));
  return answer;
}

/**
 * Finds the user who typed the right password or set one in this browser in the last 10 minutes. This user has yet to
 * send the second factor.
 */
function findHalfSignedIn(pages: Pages, c: C): User | undefined {
  const { db, clock, config } = pages;
  const [kind, id, end, fingerprint] = readSignedWords(db, readHalf(c.req.header('Cookie'), config.baseUrl)) ?? [];
  if (kind !== 'half' || Number(end) <= seconds(clock)) return undefined;
  const user = findUserById(db, Number(id));
  return user && fingerprint === makeFingerprint(pages, user.id) ? user : undefined;
}

/**
 * Throws if the code is wrong, or after too many tries for this user. A browser that signed in before has its own
 * count. Recovery codes have a count for each IP address. So a stranger who guesses codes cannot lock the user out.
 */
export function assertCode(pages: Pages, c: C, userId: number, typed: string): void {
  const { db, clock, limits, log } = pages;
  const known = readKnownBrowser(pages, c, userId);
  const address = readIpAddress(c, pages);
  const isRecovery = isRecoveryCode(typed);
  const place = known ?? (isRecovery ? `${userId} ${makeAddressKey(address)}` : userId);
  const attempt = { email: '', address, ownKey: `code ${place}`, isStranger: known === undefined && isRecovery };
  limits.signIn.take(attempt);
  const now = seconds(clock);
  const tried = db.write(() => tryCode(db, { userId, typed, mayWait: known === undefined && !isRecovery }, now));
  if (tried.isRight) {
    limits.signIn.forgive(attempt);
    const owner = isRecovery ? findUserById(db, userId) : undefined;
    if (owner) tellOwner(pages, owner.email, 'recoveryCode');
    return;
  }
  if ('waitUntil' in tried) {
    const time = iso(tried.waitUntil).slice(0, 16).replace('T', ' ');
    const message = coded('too_many_codes', { time });
    throw makeRateProblem(clock, { allowed: false, remaining: 0, resetSeconds: tried.waitUntil - now }, {}, message);
  }
  log('wrong code of a second factor', { user: userId, tries: tried.tries });
  const owner = tried.tries === WARNED_TRIES ? findUserById(db, userId) : undefined;
  if (owner) tellOwner(pages, owner.email, 'codes');
  throw invalid({ code: coded('wrong_code') });
}

export const writeCodeField = ({ t }: PageSay, attributes = html` required autofocus`): Html =>
  html`<label>${t('Code')} <small>${t('Enter six digits from your authenticator app, or a recovery code.')}</small><input name="code" inputmode="text" autocomplete="one-time-code" maxlength="40"${attributes}></label>`;
