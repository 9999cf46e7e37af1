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

/** What the pages work with. */
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
  /** The link that makes the first user; undefined once there is one. */
  setup: Setup | undefined;
  /** A link that signs in whoever has it; only the demo has one. */
  entry: { secret: string; userId: number } | undefined;
}>;

/**
 * A page behind a secret link. Opening it uses nothing up, because mail scanners open every link; only sending the form does,
 * which also signs in. Programs may send the same fields as JSON.
 */
export type LinkPage<Subject, Schema extends v.GenericSchema, Data> = {
  path: `/${string}/:secret`;
  /** What the link is for, as long as it works. */
  find(pages: Pages, secret: string): Subject | undefined;
  /** What is shown where the link does not work. */
  lost: PageMessage;
  /** Runs when the link is opened, before its form is shown; what it throws is shown in place of the form. */
  open?(pages: Pages, secret: string, subject: Subject): void;
  /** With the e-mail that was typed, where the form is shown again because something else was wrong. */
  form(subject: Subject, say: PageSay, email?: string): Content;
  body: Schema;
  /** Carries it out; gives who is signed in by it, and the answer to a program. */
  act(
    pages: Pages,
    secret: string,
    subject: Subject,
    body: v.InferOutput<Schema>,
  ): Promise<{ userId: number; data: Data }>;
};

/** Ties the types of one page together. */
export const linkPage = <Subject, Schema extends v.GenericSchema, Data>(page: LinkPage<Subject, Schema, Data>) => page;

export const newPassword = ({ t }: PageSay): Html =>
  html`<label>${t('Password')} <small>${t('At least 10 characters.')}</small><input name="password" type="password" autocomplete="new-password" minlength="10" maxlength="1024" required></label>`;
