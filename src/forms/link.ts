// A link page is a page behind a secret link, such as an invitation.
//
// Opening the link uses nothing up, because mail scanners open every link. Only sending its form does, and that also
// signs in. Programs may send the fields as JSON. A link that does not work shows a page with status 404 and says how
// to get a new one.
//
// `mount.ts` mounts the link pages: setup, invite, password and e-mail.

import type * as v from 'valibot';
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

/** Everything that the pages may use. */
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
  /** The link that makes the first user; undefined if there is a user. */
  setup: Setup | undefined;
  /** A link that signs its visitor in. Only the demo has one. */
  entry: { secret: string; userId: number } | undefined;
}>;

/** A page behind a secret link. */
export type LinkPage<Subject, Schema extends v.GenericSchema, Data> = {
  path: `/${string}/:secret`;
  /** Finds the subject of the link; undefined if the link does not work. */
  find(pages: Pages, secret: string): Subject | undefined;
  /** The text for a link that does not work. */
  lost: PageMessage;
  /** Runs when the link is opened, before its form is shown. An error is shown in place of the form. */
  open?(pages: Pages, secret: string, subject: Subject): void;
  /** Gives the form. `email` is the typed one of a first try that failed. */
  form(subject: Subject, say: PageSay, email?: string): Content;
  body: Schema;
  /** Carries the form out. Gives the user to sign in, and the answer for a program. */
  act(
    pages: Pages,
    secret: string,
    subject: Subject,
    body: v.InferOutput<Schema>,
  ): Promise<{ userId: number; data: Data }>;
};

/** Checks that the types of a link page fit each other. */
export const linkPage = <Subject, Schema extends v.GenericSchema, Data>(page: LinkPage<Subject, Schema, Data>) => page;

export const writeNewPassword = ({ t }: PageSay): Html =>
  html`<label>${t('Password')} <small>${t('At least 10 characters.')}</small><input name="password" type="password" autocomplete="new-password" minlength="10" maxlength="1024" required></label>`;
