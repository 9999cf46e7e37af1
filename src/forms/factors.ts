import * as v from 'valibot';
import { groupLetters, makeRecoveryCodes } from '../auth/codes.ts';
import { mayHavePasskeys } from '../auth/passkeys.ts';
import { assertSameOrigin } from '../auth/session.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { jsonAnswer, redirect } from '../lib/http/answer.ts';
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
import { type C, type Form, wantsPage } from './form.ts';
import { type Html, html, page } from './html.ts';
import type { Pages } from './link.ts';
import { assertProven, provenAt } from './prove.ts';
import type { PageSay } from './say.ts';
import { withKnownBrowser } from './session.ts';

export const FACTORS = '/factors';

/** Makes recovery codes in place of those that there were. Call it inside the transaction that makes them needed. */
function newRecoveryCodes({ db, random }: Pages, userId: number): string[] {
  const codes = makeRecoveryCodes(random);
  setRecoveryCodes(db, userId, codes);
  return codes.map((code) => groupLetters(code));
}

/** The only answer that ever holds recovery codes. */
const codesAnswer = (c: C, { language, t }: PageSay, codes: readonly string[]): Response =>
  wantsPage(c)
    ? page({
        ...{ language, status: 200, title: t('Your recovery codes') },
        body: html`<p>${t('Keep them where you find them without your phone: each lets you in once in place of a code. They are shown now and never again.')}</p>
<pre>${codes.join('\n')}</pre>
<p><a href="${FACTORS}">${t('Go on')}</a></p>`,
      })
    : jsonAnswer(200, { data: { recovery_codes: codes } });

const MOST_FACTORS = 10;

export const FactorName = (fallback: string) =>
  v.pipe(
    v.optional(v.string(fault('no_text')), ''),
    v.trim(),
    v.maxLength(100, fault('too_long', { most: 100 })),
    v.transform((name) => name || fallback),
  );

/** Keeps a factor that has shown that it works, and answers with recovery codes where there are none yet. */
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
    // The same passkey may have been added in another window, or by another person at the same key.
    if (factor.credential !== null && findPasskey(db, factor.credential)) {
      throw invalid({ passkey: coded('passkey_in_use') });
    }
    addFactor(db, factor, seconds(clock));
    return countRecoveryCodes(db, factor.userId) === 0 ? newRecoveryCodes(pages, factor.userId) : [];
  });
  log('second factor added', { user: factor.userId, kind: factor.kind });
  tellOwner(pages, email, 'factorAdded');
  const answer = codes.length > 0 || !wantsPage(c) ? codesAnswer(c, say, codes) : redirect(FACTORS);
  return withKnownBrowser(pages, factor.userId, answer);
}

const listed = ({ id, name, created_at }: Factor, { t }: PageSay): Html => html`<form method="post">
<p><strong>${name}</strong> <small>${t('since {date}', { date: formatDay(created_at) })}</small></p>
<input name="remove" type="hidden" value="${String(id)}">
<p><button aria-label="${t('Remove {name}', { name })}">${t('Remove')}</button></p>
</form>`;

const joined = (parts: readonly Html[]): Html => ({ html: parts.map(({ html: part }) => part).join('\n') });

const recovery = (left: number, { t, plural }: PageSay): Html => html`<h2>${t('Recovery codes')}</h2>
<p>${plural(left, '{count} code left.', '{count} codes left.')}</p>
<form method="post"><input name="codes" type="hidden" value="new"><button>${t('Make new ones in their place')}</button></form>`;

const NumberOf = v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.integer(fault('no_id')));
const Body = v.union([v.strictObject({ remove: NumberOf }), v.strictObject({ codes: v.literal('new') })]);

/** The second factors of whoever is signed in. */
export const factorsForm = (pages: Pages): Form => ({
  path: FACTORS,
  form(c, _typed, say) {
    const { t } = say;
    const who = provenAt(pages, c, FACTORS);
    if (who instanceof Response) return who;
    const factors = listFactors(pages.db, who.userId);
    return {
      title: t('Two factors'),
      body: html`<p>${t(factors.length === 0 ? 'For {email}. Your password alone lets you in.' : 'For {email}. Besides your password, signing in asks for one of these:', { email: who.email })}</p>
${joined(factors.map((factor) => listed(factor, say)))}
<p><a href="${FACTORS}/app">${t('Set up an authenticator app')}</a></p>
${mayHavePasskeys(pages.config.baseUrl) ? html`<p><a href="${FACTORS}/passkey">${t('Add a passkey')}</a></p>` : html``}
${factors.length === 0 ? html`` : recovery(countRecoveryCodes(pages.db, who.userId), say)}
<p class="soft"><a href="/account/you">${t('Back')}</a></p>`,
    };
  },
  async send(c, sent, say) {
    const { config, db, log } = pages;
    assertSameOrigin(c.env.incoming.headers, config.baseUrl);
    const asked = checked(Body, sent);
    const { userId, email } = assertProven(pages, c);
    if ('remove' in asked) {
      const isRemoved = db.write(() => removeFactor(db, userId, asked.remove));
      if (isRemoved) {
        log('second factor removed', { user: userId, factor: asked.remove });
        tellOwner(pages, email, 'factorRemoved');
      }
      return withKnownBrowser(pages, userId, wantsPage(c) ? redirect(FACTORS) : jsonAnswer(200, { data: {} }));
    }
    if (!hasFactors(db, userId)) throw new Problem('not_found');
    const codes = db.write(() => newRecoveryCodes(pages, userId));
    tellOwner(pages, email, 'recoveryCodes');
    return codesAnswer(c, say, codes);
  },
});
