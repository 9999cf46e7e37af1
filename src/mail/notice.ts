// Mails that warn users about changes to their sign-in and tokens, and about wrong codes. The cause may be somebody
// else:
//
//   Your password was changed. If that was you, you can ignore this e-mail. If not, … reset your password:
//   https://stats.example.com/forgot
//
// In this file, such a mail is called a notice. If the e-mail address has changed, the notice goes to the old e-mail
// address. The old e-mail address can no longer reset the password. So this notice advises asking the operator of the
// server.
//
// These mails contain no text that other people chose, such as the name of a token. An e-mail address gets at most 20
// notices a day, and 3 more that strangers can cause.

import type { Clock } from '../lib/time.ts';
import { seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { countMail, type MailLimit } from '../store/mail/mail-quotas.ts';
import { noticeLimits, strangerLimits } from './limits.ts';
import type { MailMessage, Voice } from './voice.ts';

type Deps = {
  db: Db;
  clock: Clock;
  config: { baseUrl: string };
  post: { works: boolean; notify(notice: NoticeMail): void };
};

/**
 * `email` gets the mail. `account` is set only after a change of the e-mail address. Then `account` is the new e-mail
 * address, and `email` is the old one.
 */
export type NoticeMail = { email: string; notice: Notice; baseUrl: string; account?: string | undefined };

/**
 * Sends a notice to a user. Call this function after the change is stored, so that no mail is about a change that
 * failed.
 */
export function tellOwner({ db, clock, config, post }: Deps, email: string, notice: Notice, account?: string): void {
  if (!post.works) return;
  const { limits = noticeLimits }: NoticeKind = NOTICES[notice];
  if (hasRoom(db, limits(email), seconds(clock))) post.notify({ email, notice, baseUrl: config.baseUrl, account });
}

/**
 * Counts a mail, and tells whether the limits allow it. If the count cannot be stored, for example on a full disk, the
 * mail is sent anyway. The change is stored already, so an error here would hide its result, such as new recovery
 * codes.
 */
function hasRoom(db: Db, limits: readonly MailLimit[], now: number): boolean {
  try {
    return db.write(() => countMail(db, limits, now)) === undefined;
  } catch {
    return true;
  }
}

const CHANGED = 'Your daybook account was changed';

const SET_PASSWORD = `Hello,

{change}

If that was you, you can ignore this e-mail. If not, someone else can use your
account. Reset your password to sign out all devices:

{url}
`;

const TELL_OPERATOR = `Hello,

{change}

If that was you, you can ignore this e-mail. If not, tell the person who runs
this server:

{url}
`;

const SIGN_IN = `Hello,

{change}

If that was you, sign in with this e-mail address, or use another one:

{url}

If not, you can ignore this e-mail.
`;

type NoticeKind = {
  subject: MailMessage;
  change: MailMessage;
  help?: MailMessage;
  path?: string;
  limits?: typeof noticeLimits;
};

const NOTICES = {
  password: { subject: CHANGED, change: 'Your password was changed.' },
  email: {
    subject: CHANGED,
    change: 'Your e-mail address was changed. You can no longer sign in with this one.',
    help: TELL_OPERATOR,
    path: '/',
  },
  emailTaken: {
    subject: 'This e-mail address already has a daybook account',
    change: 'Someone tried to use this e-mail address for another account. Nothing was changed.',
    help: SIGN_IN,
    path: '/sign-in',
    limits: strangerLimits,
  },
  factorAdded: { subject: CHANGED, change: 'A second factor was added.' },
  factorRemoved: { subject: CHANGED, change: 'A second factor was removed.' },
  factorsOff: { subject: CHANGED, change: 'Two-factor authentication was turned off.' },
  recoveryCode: { subject: CHANGED, change: 'A recovery code was used.' },
  recoveryCodes: { subject: CHANGED, change: 'Your recovery codes were replaced.' },
  tokenAdded: { subject: CHANGED, change: 'An access token was created.' },
  tokenRemoved: { subject: CHANGED, change: 'An access token was revoked.' },
  codes: {
    subject: 'Wrong codes for your daybook account',
    change: 'Someone entered your password and then ten wrong codes.',
  },
} as const satisfies Record<string, NoticeKind>;

export type Notice = keyof typeof NOTICES;

export function noticeMail({ email, notice, baseUrl }: NoticeMail, { t }: Voice) {
  const { subject, change, help = SET_PASSWORD, path = '/forgot' }: NoticeKind = NOTICES[notice];
  return { to: email, subject: t(subject), text: t(help, { change: t(change), url: `${baseUrl}${path}` }) };
}
