// The page that asks for the password of a share link.
//
// Wrong tries are limited for each link and network, like the tries of signing in (auth/sign-in.ts). After the right
// password, the browser gets a cookie that opens this link for 30 days, and is redirected to the reports. Programs may
// send the field `password` as JSON. Then they send the cookie with their requests to the API. `mount.ts` mounts the
// form at /share/SLUG/password.

import * as v from 'valibot';
import { Password } from '../auth/passwords.ts';
import { assertNotForeign } from '../auth/session.ts';
import { isOpen, writeOpened } from '../auth/share-password.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { answerEmpty, redirect } from '../lib/http/answer.ts';
import { fault } from '../lib/http/fault.ts';
import { checked } from '../lib/http/input.ts';
import { seconds } from '../lib/time.ts';
import { findShared } from '../store/sites/shares.ts';
import { type C, type Form, wantsPage } from './form.ts';
import { html, writePage } from './html.ts';
import type { Pages } from './link.ts';
import type { PageSay } from './say.ts';
import { readIpAddress } from './session.ts';

const Body = v.strictObject({ password: v.string(fault('no_text')) });

export const sharePasswordForm = (pages: Pages): Form => ({
  path: '/share/:secret/password',
  form(c, _typed, say) {
    const { t } = say;
    const { slug, share } = find(pages, c);
    if (!slug) return writeLost(say);
    if (!share || isOpen(pages, share, c.req.header('Cookie'), seconds(pages.clock))) return redirect(`/share/${slug}`);
    return {
      title: t('This link needs a password'),
      body: html`<form method="post">
<label>${t('Password')}<input name="password" type="password" autocomplete="off" maxlength="1024" required autofocus></label>
<button>${t('Continue')}</button>
</form>
<p class="soft">${t('Ask the person who gave you the link for its password.')}</p>`,
    };
  },
  async send(c, sent) {
    assertNotForeign(c.env.incoming.headers, pages.config.baseUrl);
    const { password } = checked(Body, sent);
    const { slug, share, accountId } = find(pages, c);
    if (!slug || !share?.password) throw new Problem('not_found');
    const attempt = { email: `share ${share.id}`, address: readIpAddress(c, pages) };
    pages.limits.signIn.take(attempt);
    if (!v.is(Password, password) || !(await pages.passwords.matches(share.password, password, accountId))) {
      throw invalid({ password: coded('wrong_share_password') });
    }
    pages.limits.signIn.succeeded(attempt);
    const headers = { 'Set-Cookie': writeOpened(pages, share, seconds(pages.clock)) };
    return wantsPage(c) ? redirect(`/share/${slug}`, headers) : answerEmpty(headers);
  },
});

/**
 * Finds the share link that the URL of this page contains. `slug` is the secret from the URL, or empty if the link does
 * not work. `share` is the record of a link with a name. The link without a name has no record, so `share` is
 * undefined.
 */
function find({ db, clock }: Pages, c: C) {
  const slug = c.req.param('secret') ?? '';
  const found = findShared(db, slug, seconds(clock));
  return { slug: found ? slug : '', share: found?.share, accountId: found?.site.account_id };
}

/** Writes the page for a link that does not work: it never existed, was removed or replaced, or has expired. */
export function writeLost({ language, t }: PageSay): Response {
  const body = html`<p>${t('The owner of the site has turned this link off, or replaced it.')}</p>`;
  return writePage({ language, status: 404, title: t('This link does not work'), body });
}
