import * as v from 'valibot';
import { checkNewPasskey, makeChallenge, mayHavePasskeys } from '../auth/passkeys.ts';
import { assertSameOrigin } from '../auth/session.ts';
import { redirect } from '../lib/http/answer.ts';
import { fault } from '../lib/http/fault.ts';
import { checked } from '../lib/http/input.ts';
import { listFactors } from '../store/people/second-factors.ts';
import { FACTORS, FactorName, keepFactor } from './factors.ts';
import type { Form } from './form.ts';
import { html } from './html.ts';
import type { Pages } from './link.ts';
import { choosePasskeyScript } from './passkey-sign-in.ts';
import { assertReauthenticated, requireReauthenticated } from './reauthenticate.ts';

const Body = v.strictObject({ name: FactorName('Passkey'), passkey: v.string(fault('no_text')) });

/**
 * The page that adds a passkey as a second factor. The page has a script, because only a script can ask the browser to
 * make a passkey.
 */
export const addPasskeyForm = (pages: Pages): Form => ({
  path: `${FACTORS}/passkey`,
  form(c, { name = '' }, { t }) {
    const who = requireReauthenticated(pages, c, `${FACTORS}/passkey`);
    if (who instanceof Response) return who;
    if (!mayHavePasskeys(pages.config.baseUrl)) return redirect(FACTORS);
    const options = {
      challenge: makeChallenge(pages, 'add', `session ${who.sessionId}`),
      user: { id: `daybook ${who.userId}`, name: who.email },
      known: listFactors(pages.db, who.userId).flatMap(({ credential }) => credential ?? []),
    };
    return {
      title: t('Add a passkey'),
      body: html`<p>${t('Sign in without a password: with your fingerprint, face or PIN, on this device, your phone or a security key.')}</p>
<form method="post" data-passkey="${JSON.stringify(options)}" hidden>
<label>${t('Name')} <small>${t('A name helps you recognise this device later.')}</small><input name="name" value="${name}" placeholder="${t('Laptop')}" maxlength="100" autocomplete="off"></label>
<input name="passkey" type="hidden">
<button>${t('Add a passkey')}</button>
<p class="error" role="alert" hidden>${t('The passkey could not be added. This device may already have one for your account.')}</p>
</form>
<noscript><p class="error">${t('This page needs JavaScript.')}</p></noscript>
<p class="soft"><a href="${FACTORS}">${t('Back')}</a></p>`,
      ...choosePasskeyScript(pages),
    };
  },
  async send(c, sent, say) {
    assertSameOrigin(c.env.incoming.headers, pages.config.baseUrl);
    const { name, passkey } = checked(Body, sent);
    const { sessionId } = assertReauthenticated(pages, c);
    const made = await checkNewPasskey(pages, passkey, `session ${sessionId}`);
    // The session is read again, because it may have ended while the passkey was checked.
    return keepFactor(pages, c, say, assertReauthenticated(pages, c), { kind: 'passkey', name, ...made });
  },
});
