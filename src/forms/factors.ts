// The second factors of a user: the page that lists them, and the function that stores a new one.
//
// A user has up to 10 factors: authenticator apps and passkeys. When a user without recovery codes adds a factor,
// daybook makes 10 recovery codes and shows them once. Each recovery code works once, in place of a code from the app.
// When the user removes the last factor, two-factor authentication is off.
//
// The page opens only if the user has signed in, or typed the password or a code, in the last 10 minutes. The user gets
// a mail after each change. `authenticator.ts` and `add-passkey.ts` call `keepFactor`. `mount.ts` mounts the page at
// /factors.

import * as v from 'valibot';
import { groupLetters, makeRecoveryCodes } from '../auth/codes.ts';
import { mayHavePasskeys } from '../auth/passkeys.ts';
import { assertSameOrigin } from '../auth/session.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { answerJson, redirect } from '../lib/http/answer.ts';
import { fault } from '../lib/http/fault.ts';
import { checked } from '../lib/http/input.ts';
import { formatDay, seconds } from '../lib/time.ts';
import { tellOwner } from '../mail/notice.ts';
import {
  addFactor,
  countRecoveryCodes,
  type Factor,
  findPasskey,
  hasFactors,
  listFactors,
  type NewFactor,
  removeFactor,
  setRecoveryCodes,
} from '../store/people/second-factors.ts';
import type { SignedIn } from '../store/people/sessions.ts';
import { recordOnPage } from './audit.ts';
import { type C, type Form, wantsPage } from './form.ts';
import { type Html, html, writePage } from './html.ts';
import type { Pages } from './link.ts';
import { assertReauthenticated, requireReauthenticated } from './reauthenticate.ts';
import type { PageSay } from './say.ts';
import { addKnownBrowser } from './session.ts';

export const FACTORS = '/factors';

const MOST_FACTORS = 10;

const FactorId = v.pipe(
  v.union([v.number(), v.string()], fault('no_id')),
  v.transform(Number),
  v.integer(fault('no_id')),
);
const Body = v.strictObject({
  remove: v.optional(FactorId),
  codes: v.optional(v.literal('new', fault('not_just', { word: 'new' }))),
});

export const factorsForm = (pages: Pages): Form => ({
  path: FACTORS,
  form(c, _typed, say) {
    const { t } = say;
    const who = requireReauthenticated(pages, c, FACTORS);
    if (who instanceof Response) return who;
    const factors = listFactors(pages.db, who.userId);
    return {
      title: t('Two-factor authentication'),
      body: html`<p>${t(factors.length === 0 ? 'Account: {email}. You sign in with your password only.' : 'Account: {email}. To sign in, you need your password and one of these:', { email: who.email })}</p>
${joinHtml(factors.map((factor) => writeFactor(factor, factors.length === 1, say)))}
<p><a href="${FACTORS}/app" class="button">${t('Set up an authenticator app')}</a></p>
${mayHavePasskeys(pages.config.baseUrl) ? html`<p><a href="${FACTORS}/passkey" class="button">${t('Add a passkey')}</a></p>` : html`<p class="soft">${t('You cannot add passkeys here: browsers allow them only over https, or if the base URL of the server is on localhost.')}</p>`}
${factors.length === 0 ? html`` : writeRecovery(countRecoveryCodes(pages.db, who.userId), say)}
<p class="soft"><a href="/account/you">${t('Back')}</a></p>`,
    };
  },
  async send(c, sent, say) {
    const { config, db, log } = pages;
    assertSameOrigin(c.env.incoming.headers, config.baseUrl);
    const { remove, codes: wanted } = checked(Body, sent);
    const { userId, email } = assertReauthenticated(pages, c);
    if (remove === undefined && wanted === undefined) throw invalid({ remove: coded('required') });
    if (remove !== undefined) {
      const isRemoved = db.write(() => {
        const name = listFactors(db, userId).find(({ id }) => id === remove)?.name ?? '';
        const done = removeFactor(db, userId, remove);
        if (done) recordOnPage(pages, userId, { action: 'remove', noun: 'factors', name });
        return done;
      });
      if (isRemoved) {
        log('second factor removed', { user: userId, factor: remove });
        tellOwner(pages, email, hasFactors(db, userId) ? 'factorRemoved' : 'factorsOff');
      }
      return addKnownBrowser(pages, userId, wantsPage(c) ? redirect(FACTORS) : answerJson(200, { data: {} }));
    }
    if (!hasFactors(db, userId)) throw new Problem('not_found');
    const codes = db.write(() => {
      recordOnPage(pages, userId, { action: 'change', noun: 'codes' });
      return replaceRecoveryCodes(pages, userId);
    });
    tellOwner(pages, email, 'recoveryCodes');
    return answerCodes(pages, c, say, codes);
  },
});

/**
 * Stores a second factor, such as an authenticator app. Call this function only after a check that the factor works. If
 * the user has no recovery codes, the answer shows new ones.
 */
export function keepFactor(
  pages: Pages,
  c: C,
  say: PageSay,
  { userId, email }: Pick<SignedIn, 'userId' | 'email'>,
  made: Omit<NewFactor, 'userId'>,
): Response {
  const factor = { userId, ...made };
  const { db, clock, log } = pages;
  const codes = db.write(() => {
    if (listFactors(db, factor.userId).length >= MOST_FACTORS) {
      throw new Problem('limit_reached', { message: coded('most_factors', { most: MOST_FACTORS }) });
    }
    // Refuses a passkey that is already a factor. Somebody may have added it in another window, or for another user of
    // daybook on this device.
    if (factor.credential !== null && findPasskey(db, factor.credential)) {
      throw invalid({ passkey: coded('passkey_in_use') });
    }
    addFactor(db, factor, seconds(clock));
    recordOnPage(pages, userId, { action: 'add', noun: 'factors', name: made.name });
    return countRecoveryCodes(db, factor.userId) === 0 ? replaceRecoveryCodes(pages, factor.userId) : [];
  });
  log('second factor added', { user: factor.userId, kind: factor.kind });
  tellOwner(pages, email, 'factorAdded');
  const answer = codes.length > 0 || !wantsPage(c) ? answerCodes(pages, c, say, codes) : redirect(FACTORS);
  return addKnownBrowser(pages, factor.userId, answer);
}

/** Answers with new recovery codes, which are never shown again. A link downloads them as a file, without a script. */
const answerCodes = ({ dashboard }: Pages, c: C, { language, t }: PageSay, codes: readonly string[]): Response =>
  wantsPage(c)
    ? writePage({
        ...{ language, status: 200, title: t('Your recovery codes') },
        body: html`<p>${t('Two-factor authentication is on. If you lose your phone, you can sign in with a recovery code. Each code works once. Save the codes now: they are not shown again.')}</p>
<pre class="codes">${codes.join('\n')}</pre>
<p><button type="button" data-copied="${t('Copied')}" hidden>${t('Copy')}</button></p>
<p><a download="daybook-recovery-codes.txt" href="data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}">${t('Download as a text file')}</a></p>
<p><a href="${FACTORS}">${t('Continue')}</a></p>`,
        script: dashboard.copyCodes,
      })
    : answerJson(200, { data: { recovery_codes: codes } });

/** Makes new recovery codes. Call this function inside a transaction, so that a failure leaves the old codes valid. */
function replaceRecoveryCodes({ db, random }: Pages, userId: number): string[] {
  const codes = makeRecoveryCodes(random);
  setRecoveryCodes(db, userId, codes);
  return codes.map((code) => groupLetters(code));
}

/**
 * Writes a second factor with its button "Remove". The first click only opens a warning with a second button. So nobody
 * removes a factor by mistake.
 */
const writeFactor = (
  { id, name, created_at }: Factor,
  isLast: boolean,
  { t }: PageSay,
): Html => html`<p><strong>${name}</strong> <small>${t('since {date}', { date: formatDay(created_at) })}</small></p>
<details><summary aria-label="${t('Remove {name} …', { name })}">${t('Remove …')}</summary>
<form method="post">
<p>${isLast ? t('This turns two-factor authentication off and deletes your recovery codes.') : t('You can then no longer use this second factor to sign in.')}</p>
<input name="remove" type="hidden" value="${String(id)}">
<button class="danger">${t('Remove {name}', { name })}</button>
</form></details>`;

const writeRecovery = (left: number, { t, plural }: PageSay): Html => html`<h2>${t('Recovery codes')}</h2>
<p>${plural(left, '{count} recovery code left.', '{count} recovery codes left.')}</p>
<details><summary>${t('Replace with new codes')}</summary>
<form method="post">
<p>${t('Your old recovery codes will stop working.')}</p>
<input name="codes" type="hidden" value="new">
<button>${t('Create new codes')}</button>
</form></details>`;

const joinHtml = (parts: readonly Html[]): Html => ({ html: parts.map(({ html: part }) => part).join('\n') });

export const FactorName = (fallback: string) =>
  v.pipe(
    v.optional(v.string(fault('no_text')), ''),
    v.trim(),
    v.maxLength(100, fault('too_long', { most: 100 })),
    v.transform((name) => name || fallback),
  );
