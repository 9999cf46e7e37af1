// Mounts all pages, such as forms, pages that a secret link opens, the dashboard and live counts.
//
// A page that a secret link opens (link.ts) is mounted as a form. With the secret, the page finds the subject of the
// link, such as an invitation. If nothing is found, the answer is 404. A browser that sends the form is then signed in,
// or asked for the second factor first. A program gets JSON. `app.ts` calls `mountPages`.

import type { Hono } from 'hono';
import type * as v from 'valibot';
import { assertNotForeign } from '../auth/session.ts';
import { inLanguage } from '../lang/translated-sentences.ts';
import { Problem } from '../lib/errors.ts';
import { answerJson, findProblem } from '../lib/http/answer.ts';
import { checked } from '../lib/http/input.ts';
import type { Env } from '../lib/http/paths.ts';
import { findUserById } from '../store/people/users.ts';
import { addPasskeyForm } from './add-passkey.ts';
import { mountApplication } from './application.ts';
import { authenticatorForm } from './authenticator.ts';
import { changeEmailForm, confirmEmail } from './change-email.ts';
import { changePasswordForm } from './change-password.ts';
import { factorsForm } from './factors.ts';
import { forgotForm } from './forgot.ts';
import { type C, mountForm, wantsPage } from './form.ts';
import { mountGlance } from './glance.ts';
import { html, writePage } from './html.ts';
import { mountInstall } from './install.ts';
import { invite } from './invite.ts';
import { joinForm } from './join.ts';
import { chooseSay } from './language.ts';
import type { LinkPage, Pages } from './link.ts';
import { mountLive } from './live.ts';
import { mountOidc } from './oidc.ts';
import { password } from './password.ts';
import { mountPrivacyPage } from './privacy-page.ts';
import { reauthenticateForm } from './reauthenticate.ts';
import type { PageSay } from './say.ts';
import { letIn, secondFactorForm } from './second-factor.ts';
import { setup } from './setup.ts';
import { sharePasswordForm } from './share-password.ts';
import { mountSignOut, signInForm } from './sign-in.ts';
import { mountUnsubscribe } from './unsubscribe.ts';
import { mountVerifyPage } from './verify-page.ts';

const FORMS = [
  signInForm,
  secondFactorForm,
  reauthenticateForm,
  factorsForm,
  authenticatorForm,
  addPasskeyForm,
  forgotForm,
  changePasswordForm,
  changeEmailForm,
  sharePasswordForm,
  joinForm,
];

export function mountPages(app: Hono<Env>, pages: Pages): void {
  // The manifest and icons are mounted before the dashboard, which answers all other names below /assets.
  mountInstall(app);
  mountApplication(app, pages);
  for (const makeForm of FORMS) mountForm(app, (c) => chooseSay(pages, c), makeForm(pages));
  mountSignOut(app, pages);
  mountOidc(app, pages);
  mountLive(app, pages);
  mountGlance(app, pages);
  mountUnsubscribe(app, pages);
  mountVerifyPage(app);
  mountPrivacyPage(app, pages);
  mountLink(app, pages, setup);
  mountLink(app, pages, invite);
  mountLink(app, pages, password);
  mountLink(app, pages, confirmEmail);
}

function mountLink<Subject, Schema extends v.GenericSchema, Data>(
  app: Hono<Env>,
  pages: Pages,
  link: LinkPage<Subject, Schema, Data>,
): void {
  const readSecret = (c: C) => c.req.param('secret') ?? '';
  mountForm(app, (c) => chooseSay(pages, c), {
    path: link.path,
    form(c, { email }, say) {
      const subject = link.find(pages, readSecret(c));
      if (subject === undefined) {
        const body = html`<p>${say.t(link.lost)}</p><p><a href="/">${say.t('Go to the dashboard')}</a></p>`;
        return writePage({ language: say.language, status: 404, title: say.t('This link does not work'), body });
      }
      return tryOpen(c, say, () => link.open?.(pages, readSecret(c), subject)) ?? link.form(subject, say, email);
    },
    async send(c, sent) {
      assertNotForeign(c.env.incoming.headers, pages.config.baseUrl);
      const subject = link.find(pages, readSecret(c));
      if (subject === undefined) throw new Problem('not_found');
      const { userId, data } = await link.act(pages, readSecret(c), subject, checked(link.body, sent));
      const user = findUserById(pages.db, userId);
      return wantsPage(c) && user ? letIn(pages, c, user, '/') : answerJson(200, { data });
    },
  });
}

/**
 * Runs `open` when a browser opens a link. `open` may mail a code. If `open` fails, returns a page with the reason, in
 * place of the form. Throws internal errors, and all errors if the client is a program.
 */
function tryOpen(c: C, say: PageSay, open: () => void): Response | undefined {
  if (c.req.method !== 'GET') return undefined;
  try {
    open();
    return undefined;
  } catch (error) {
    const { code, status, said, headers } = findProblem(error);
    if (code === 'internal' || !wantsPage(c)) throw error;
    const body = html`<p class="error">${inLanguage(said, say.language)}</p>`;
    return writePage({ language: say.language, status, title: say.t('This is not possible now'), body, headers });
  }
}
