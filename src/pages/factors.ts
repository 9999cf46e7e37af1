import * as v from 'valibot';
import { inGroups, recoveryCodes } from '../auth/codes.ts';
import { mayHavePasskeys } from '../auth/passkeys.ts';
import { assertSameOrigin } from '../auth/session.ts';
import { jsonAnswer, redirect } from '../lib/answer.ts';
import { Problem } from '../lib/errors.ts';
import { checked } from '../lib/input.ts';
import { plural } from '../lib/plural.ts';
import { dayOf, seconds } from '../lib/time.ts';
import {
  addFactor,
  countRecoveryCodes,
  type Factor,
  hasFactors,
  listFactors,
  type NewFactor,
  removeFactor,
  setRecoveryCodes,
} from '../store/factors.ts';
import { type C, type Form, wantsPage } from './form.ts';
import { type Html, html, page } from './html.ts';
import type { Pages } from './link.ts';
import { assertProven, provenAt } from './prove.ts';
import { withKnownBrowser } from './session.ts';

export const FACTORS = '/factors';

/** Makes recovery codes in place of those that there were. Call it inside the transaction that makes them needed. */
function newRecoveryCodes({ db, random }: Pages, userId: number): string[] {
  const codes = recoveryCodes(random);
  setRecoveryCodes(db, userId, codes);
  return codes.map((code) => inGroups(code));
}

/** The only answer that ever holds recovery codes. */
const codesAnswer = (c: C, codes: readonly string[]): Response =>
  wantsPage(c)
    ? page(
        200,
        'Your recovery codes',
        html`<p>Keep them where you find them without your phone: each lets you in once in place of a code. They are shown now and never again.</p>
<pre>${codes.join('\n')}</pre>
<p><a href="${FACTORS}">Go on</a></p>`,
      )
    : jsonAnswer(200, { data: { recovery_codes: codes } });

const MOST_FACTORS = 10;

export const FactorName = (fallback: string) =>
  v.pipe(
    v.optional(v.string('Must be text.'), ''),
    v.trim(),
    v.maxLength(100, 'Must have at most 100 characters.'),
    v.transform((name) => name || fallback),
  );

/** Keeps a factor that has shown that it works, and answers with recovery codes where there are none yet. */
export function keepFactor(pages: Pages, c: C, factor: NewFactor): Response {
  const { db, clock, log } = pages;
  const codes = db.write(() => {
    if (listFactors(db, factor.userId).length >= MOST_FACTORS) {
      throw new Problem('limit_reached', { message: `An account has at most ${MOST_FACTORS} second factors.` });
    }
    addFactor(db, factor, seconds(clock));
    return countRecoveryCodes(db, factor.userId) === 0 ? newRecoveryCodes(pages, factor.userId) : [];
  });
  log('second factor added', { user: factor.userId, kind: factor.kind });
  const answer = codes.length > 0 || !wantsPage(c) ? codesAnswer(c, codes) : redirect(FACTORS);
  return withKnownBrowser(pages, factor.userId, answer);
}

const listed = ({ id, name, created_at }: Factor): Html => html`<form method="post">
<p><strong>${name}</strong> <small>since ${dayOf(created_at)}</small></p>
<input name="remove" type="hidden" value="${String(id)}">
<p><button aria-label="Remove ${name}">Remove</button></p>
</form>`;

const joined = (parts: readonly Html[]): Html => ({ html: parts.map(({ html: part }) => part).join('\n') });

const recovery = (left: number): Html => html`<h2>Recovery codes</h2>
<p>${plural(left, 'code')} left.</p>
<form method="post"><input name="codes" type="hidden" value="new"><button>Make new ones in their place</button></form>`;

const NumberOf = v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.integer('Must be an id.'));
const Body = v.union([v.strictObject({ remove: NumberOf }), v.strictObject({ codes: v.literal('new') })]);

/** The second factors of whoever is signed in. */
export const factorsForm = (pages: Pages): Form => ({
  path: FACTORS,
  form(c) {
    const who = provenAt(pages, c, FACTORS);
    if (who instanceof Response) return who;
    const factors = listFactors(pages.db, who.userId);
    return {
      title: 'Two factors',
      body: html`<p>For ${who.email}. ${factors.length === 0 ? 'Your password alone lets you in.' : 'Besides your password, signing in asks for one of these:'}</p>
${joined(factors.map(listed))}
<p><a href="${FACTORS}/app">Set up an authenticator app</a></p>
${mayHavePasskeys(pages.config.baseUrl) ? html`<p><a href="${FACTORS}/passkey">Add a passkey</a></p>` : html``}
${factors.length === 0 ? html`` : recovery(countRecoveryCodes(pages.db, who.userId))}
<p class="soft"><a href="/account/you">Back</a></p>`,
    };
  },
  async send(c, sent) {
    const { config, db, log } = pages;
    assertSameOrigin(c.env.incoming.headers, config.baseUrl);
    const asked = checked(Body, sent);
    const { userId } = assertProven(pages, c);
    if ('remove' in asked) {
      db.write(() => removeFactor(db, userId, asked.remove));
      log('second factor removed', { user: userId, factor: asked.remove });
      return withKnownBrowser(pages, userId, wantsPage(c) ? redirect(FACTORS) : jsonAnswer(200, { data: {} }));
    }
    if (!hasFactors(db, userId)) throw new Problem('not_found');
    return codesAnswer(
      c,
      db.write(() => newRecoveryCodes(pages, userId)),
    );
  },
});
