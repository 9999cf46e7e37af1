// A link page is a page that opens with a secret link, such as an invitation.
//
// Programs that scan mails open every link. So opening a link does not use up the link. Sending the form of the page
// uses up the link. A browser is then signed in, or asked for the second factor first. Programs may send the fields as
// JSON. If a link does not work, a page with status 404 says how to get a new link.
//
// `mount.ts` mounts the link pages: setup, invite, password and e-mail.

import type * as v from 'valibot';
import type { Oidc } from '../auth/oidc.ts';
import type { Passwords } from '../auth/passwords.ts';
import type { Quotas } from '../auth/quotas.ts';
import type { Setup } from '../auth/setup.ts';
import type { Config } from '../config.ts';
import type { Dashboard } from '../embedded/dashboard.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import type { Clock } from '../lib/time.ts';
import type { Post } from '../mail/post.ts';
import type { Ask } from '../stats/ask.ts';
import type { Db } from '../store/db.ts';
import type { Content } from './form.ts';
import { type Html, html } from './html.ts';
import type { PageMessage, PageSay } from './say.ts';

export type Pages = Readonly<{
  config: Config;
  db: Db;
  clock: Clock;
  random: Random;
  log: Log;
  post: Post;
  passwords: Passwords;
  limits: Quotas;
  ask: Ask;
  dashboard: Dashboard;
  /** The provider for signing in. The field is undefined without the option --oidc-issuer. */
  oidc: Oidc | undefined;
  /** The link for creating the first user. The field is undefined if there was a user when the server started. */
  setup: Setup | undefined;
  /** Only in `daybook demo` without --public: a link with this secret signs in any browser as this user. */
  entry: { secret: string; userId: number } | undefined;
  /** Only in `daybook demo --public`: everybody acts as this user, without signing in. */
  guest: number | undefined;
}>;

export type LinkPage<Subject, Schema extends v.GenericSchema, Data> = {
  path: `/${string}/:secret`;
  /** Finds the subject of the link, such as an invitation. Returns undefined if the link does not work. */
  find(pages: Pages, secret: string): Subject | undefined;
  /** The text of the page if the link does not work. */
  lost: PageMessage;
  /** Runs when the link is opened, before the form is shown. An error is shown in place of the form. */
  open?(pages: Pages, secret: string, subject: Subject): void;
  /** Returns the form. `email` is what the user typed in a try that failed. */
  form(subject: Subject, say: PageSay, email?: string): Content;
  body: Schema;
  /** Does what the form asks for. Returns the user to sign in, and the answer for a program. */
  act(
    pages: Pages,
    secret: string,
    subject: Subject,
    body: v.InferOutput<Schema>,
  ): Promise<{ userId: number; data: Data }>;
};

/** Returns the page unchanged. The compiler checks that the types of the page's functions fit each other. */
export const linkPage = <Subject, Schema extends v.GenericSchema, Data>(page: LinkPage<Subject, Schema, Data>) => page;

export const writeNewPassword = ({ t }: PageSay, label: PageMessage = 'Password'): Html =>
  html`<label>${t(label)} <small>${t('At least 10 characters.')}</small><input name="password" type="password" autocomplete="new-password" minlength="10" maxlength="1024" required></label>`;
