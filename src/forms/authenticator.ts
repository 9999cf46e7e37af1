// The page that sets up an authenticator app as a second factor.
//
// The page shows a secret as a QR code and as text, and asks for a code from the app. The database stores the secret
// only after a right code. Until then, only a hidden field of the form has the secret. So if the user gives up, nothing
// is stored. The user must have signed in, or typed the password or a code, in the last 10 minutes. `mount.ts` mounts
// this form at /factors/app.

import { renderSVG } from 'uqr';
import * as v from 'valibot';
import { groupLetters } from '../auth/codes.ts';
import { assertSameOrigin } from '../auth/session.ts';
import { findStep, readBase32, writeBase32, writeOtpauth } from '../auth/totp.ts';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { checked } from '../lib/http/input.ts';
import { seconds } from '../lib/time.ts';
import { FACTORS, FactorName, keepFactor } from './factors.ts';
import type { Form } from './form.ts';
import { html } from './html.ts';
import type { Pages } from './link.ts';
import { assertReauthenticated, requireReauthenticated } from './reauthenticate.ts';
import { fillHtml } from './say.ts';
import { Code } from './second-factor.ts';

const SECRET_BYTES = 20;

const Body = v.strictObject({
  secret: v.pipe(v.string(fault('no_text')), v.regex(/^[A-Z2-7]{32}$/, fault('no_base32'))),
  name: FactorName('Authenticator app'),
  code: Code,
});

export const authenticatorForm = (pages: Pages): Form => ({
  path: `${FACTORS}/app`,
  form(c, typed, { t }) {
    const who = requireReauthenticated(pages, c, `${FACTORS}/app`);
    if (who instanceof Response) return who;
    const secret = readBase32(typed.secret ?? '') ? (typed.secret ?? '') : writeBase32(pages.random(SECRET_BYTES));
    const link = writeOtpauth(who.email, new URL(pages.config.baseUrl).host, secret);
    return {
      title: t('Set up an authenticator app'),
      body: html`<p>${fillHtml(t('Scan this code with the app on your phone. If you see this page on the phone, open {link}.'), { link: html`<a href="${link}">${t('this link')}</a>` })}</p>
${{ html: renderSVG(link) }}
<p>${fillHtml(t('If you cannot scan the code, enter this key: {secret}'), { secret: html`<code>${groupLetters(secret, ' ')}</code>` })}</p>
<form method="post">
<input name="secret" type="hidden" value="${secret}">
<label>${t('Name')} <small>${t('A name helps you recognise this device later.')}</small><input name="name" value="${typed.name ?? ''}" placeholder="${t('Phone')}" maxlength="100" autocomplete="off"></label>
<label>${t('Code')} <small>${t('Enter the six digits that the app shows.')}</small><input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="40" required></label>
<button>${t('Turn on')}</button>
</form>
<p class="soft"><a href="${FACTORS}">${t('Back')}</a></p>`,
    };
  },
  async send(c, sent, say) {
    const { config, clock } = pages;
    assertSameOrigin(c.env.incoming.headers, config.baseUrl);
    const { secret, name, code } = checked(Body, sent);
    const who = assertReauthenticated(pages, c);
    const key = readBase32(secret) ?? Buffer.alloc(0);
    const used = findStep(key, code.replaceAll(/\s/g, ''), seconds(clock), 0);
    if (used === undefined) throw invalid({ code: coded('wrong_app_code') });
    return keepFactor(pages, c, say, who, { kind: 'app', name, key, credential: null, used });
  },
});
