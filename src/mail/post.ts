import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import type { Db } from '../store/db.ts';
import { findLanguageByEmail } from '../store/people/users.ts';
import { type CodeMail, codeMail } from './code.ts';
import { type InvitationMail, invitationMail } from './invitation.ts';
import type { Written } from './letter.ts';
import { type NewEmailMail, newEmailMail } from './new-email.ts';
import { type NoticeMail, noticeMail } from './notice.ts';
import { type ReminderMail, reminderMail } from './reminder.ts';
import { type Voice, voiceIn } from './voice.ts';

export type Post = ReturnType<typeof buildPost>;

/** A mail about a site, to one person, with the address that ends these mails. */
export type SiteMail = Written & { to: string; messageId: string; unsubscribe: string };

/** refused: the mail server will never take a mail to this person. later: it may take it at the next try. down: it takes no mail. */
export type Delivery = 'sent' | 'refused' | 'later' | 'down';

const NOT_SENT = 'mail not sent; daybook doctor tests the mail server';

/** An at sign, as it is or as mails and URLs write it, with all that stands around it; a name in quotes may hold spaces. */
const ADDRESS = /(?:"[^"\r\n]*"|[^\s<>()"',;])*(?:@|%40|=40|\+40|&#0*64;)[^\s<>()"',;]*/gi;

/** A mail server's error may quote the mail, and with it a secret link, a code and the address of who gets it, or only a half of that. */
function withoutSecrets(reason: string, to: string): string {
  const at = to.lastIndexOf('@');
  const halves = [to.slice(0, at), to.slice(at + 1)].map((half) => half.replaceAll(/\W/g, '\\$&')).join('|');
  return reason
    .slice(0, 2_000)
    .replaceAll(ADDRESS, '…')
    .replaceAll(new RegExp(`(?<![0-9a-z])(?:${halves})(?![0-9a-z])`, 'gi'), '…')
    .replaceAll(/[0-9A-Za-z=\r\n]{16,}|\b\d{6}\b/g, '…')
    .slice(0, 200);
}

type MailError = Error & { code?: string; responseCode?: number };

/** A mail server that refuses a mail or its recipient would do so again, unless its code says that it is for now. */
function failureOf({ code = '', responseCode = 0 }: MailError): Delivery {
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return 'down';
  return responseCode >= 500 ? 'refused' : 'later';
}

/** The library is loaded where there is a mail server only: it takes a sixth of the time of a start. */
async function transportOf(url: string, from: string | undefined) {
  const { createTransport } = await import('nodemailer');
  return createTransport(
    { url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 },
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
}

/** The voice of the first one who has chosen a language. A person without one is written to in that of who writes, who is named after them. */
function voiceOf(db: Db, emails: readonly string[]): Voice {
  const chosen = emails.map((email) => findLanguageByEmail(db, email));
  return voiceIn(chosen.find((language) => language !== undefined) ?? 'en');
}

/**
 * Sends mails after the request was answered, so that no request waits for a mail server. One that fails never undoes what the
 * mail is about: a person who invites gets the link in the answer too. Held by test/mail/post.test.ts.
 */
export function buildPost({ smtpUrl, mailFrom }: Config, log: Log, db: Db) {
  const transport = smtpUrl === undefined ? undefined : transportOf(smtpUrl, mailFrom);
  const underWay = new Set<Promise<void>>();

  function send(message: { to: string; subject: string; text: string }, onFailure = () => {}): void {
    if (!transport) return;
    const sending = transport
      .then((opened) => opened.sendMail(message))
      .then(
        () => log('mail sent', { subject: message.subject }),
        (error: Error) => {
          log(NOT_SENT, { subject: message.subject, reason: withoutSecrets(error.message, message.to) });
          onFailure();
        },
      );
    underWay.add(sending);
    void sending.finally(() => underWay.delete(sending));
  }

  const voiceFor = (...emails: string[]): Voice => voiceOf(db, emails);

  /** Sends a mail now; gives what became of it. */
  async function deliver({ to, unsubscribe, ...mail }: SiteMail): Promise<Delivery> {
    if (!transport) return 'down';
    const headers = {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    };
    const sending = transport.then((opened) => opened.sendMail({ ...mail, to, headers }));
    const settled = sending.then(
      () => {},
      () => {},
    );
    underWay.add(settled);
    try {
      await sending;
      return 'sent';
    } catch (error) {
      log(NOT_SENT, { subject: mail.subject, reason: withoutSecrets((error as Error).message, to) });
      return failureOf(error as MailError);
    } finally {
      underWay.delete(settled);
    }
  }

  return {
    /** Whether there is a mail server at all. */
    works: transport !== undefined,
    deliver,
    remind(reminder: ReminderMail): void {
      send(reminderMail(reminder, voiceFor(reminder.email)));
    },
    confirmEmail(mail: NewEmailMail): void {
      send(newEmailMail(mail, voiceFor(mail.account ?? mail.email)));
    },
    notify(notice: NoticeMail): void {
      send(noticeMail(notice, voiceFor(notice.account ?? notice.email)));
    },
    sendCode(code: CodeMail, onFailure: () => void): void {
      send(codeMail(code, voiceFor(code.email, code.owner)), onFailure);
    },
    invite(invitation: InvitationMail): void {
      if (transport) send(invitationMail(invitation, voiceFor(invitation.email, invitation.owner)));
      // The operator is the only way left to the invitee, so this one secret is logged.
      else log('invitation made; there is no mail server, so pass the link on', { url: invitation.url });
    },
    /** Waits until what is being sent has been sent or has failed. */
    async settle(): Promise<void> {
      await Promise.all(underWay);
      (await transport)?.close();
    },
  };
}
