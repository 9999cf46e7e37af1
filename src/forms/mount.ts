import type { Hono } from 'hono';
import type * as v from 'valibot';
import { assertNotForeign } from '../auth/session.ts';
import { inLanguage } from '../lang/sentences.ts';
import { Problem } from '../lib/errors.ts';
import { findProblem, jsonAnswer } from '../lib/http/answer.ts';
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
import { html, page } from './html.ts';
import { invite } from './invite.ts';
import { sayFor } from './language.ts';
import type { LinkPage, Pages } from './link.ts';
import { mountLive } from './live.ts';
import { password } from './password.ts';
import { proveForm } from './prove.ts';
import type { PageSay } from './say.ts';
import { letIn, secondFactorForm } from './second-factor.ts';
import { setup } from './setup.ts';
import { mountSignOut, signInForm } from './sign-in.ts';
import { mountUnsubscribe } from './unsubscribe.ts';

/** What a link does when it is opened; gives a page in place of the form where that is refused. */
function opened(c: C, say: PageSay, open: () => void): Response | undefined {
  if (c.req.method !== 'GET') return undefined;
  try {
    open();
    return undefined;
  } catch (error) {
    const { code, status, said, headers } = findProblem(error);
    if (code === 'internal' || !wantsPage(c)) throw error;
    const body = html`<p class="error">${inLanguage(said, say.language)}</p>`;
    return page({ language: say.language, status, title: say.t('Not now'), body, headers });
  }
}

/** A link works in a browser, where a form leads to the dashboard, and for programs, which send and get JSON. */
function mountLink<Subject, Schema extends v.GenericSchema, Data>(
  app: Hono<Env>,
  pages: Pages,
  link: LinkPage<Subject, Schema, Data>,
): void {
  const secretOf = (c: C) => c.req.param('secret') ?? '';
  mountForm(app, (c) => sayFor(pages, c), {
    path: link.path,
    form(c, { email }, say) {
      const subject = link.find(pages, secretOf(c));
      if (subject === undefined) {
        const body = html`<p>${say.t(link.lost)}</p>`;
        return page({ language: say.language, status: 404, title: say.t('This link does not work'), body });
      }
      return opened(c, say, () => link.open?.(pages, secretOf(c), subject)) ?? link.form(subject, say, email);
    },
    async send(c, sent) {
      assertNotForeign(c.env.incoming.headers, pages.config.baseUrl);
      const subject = link.find(pages, secretOf(c));
      if (subject === undefined) throw new Problem('not_found');
      const { userId, data } = await link.act(pages, secretOf(c), subject, checked(link.body, sent));
      const user = findUserById(pages.db, userId);
      return wantsPage(c) && user ? letIn(pages, c, user, '/') : jsonAnswer(200, { data });
    },
  });
}

const FORMS = [
  signInForm,
  secondFactorForm,
  proveForm,
  factorsForm,
  authenticatorForm,
  addPasskeyForm,
  forgotForm,
  changePasswordForm,
  changeEmailForm,
];

export function mountPages(app: Hono<Env>, pages: Pages): void {
  mountApplication(app, pages);
  for (const formOf of FORMS) mountForm(app, (c) => sayFor(pages, c), formOf(pages));
  mountSignOut(app, pages);
  mountLive(app, pages);
  mountUnsubscribe(app, pages);
  mountLink(app, pages, setup);
  mountLink(app, pages, invite);
  mountLink(app, pages, password);
  mountLink(app, pages, confirmEmail);
}
