// Sends mails through the mail server of the settings: mails about sites, invitations, codes, links and notices.
//
// The response to a request never waits for the mail server. If a mail fails, the change that it is about stays stored
// (test/mail/post.test.ts). The log has no e-mail address, link or code. There is one exception: without a mail server,
// the log has the link of an invitation.
//
// Example: an owner invites ann@example.com. The response has the link immediately, and the mail follows. If the mail
// fails, the log says "e-mail not sent". The app calls `buildPost` once at its start (src/app.ts).

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

/** A mail about a site to one recipient. `unsubscribe` is the URL of the page that ends these mails. */
export type SiteMail = Written & { to: string; messageId: string; unsubscribe: string };

/**
 * The result of a try to send a mail. `refused`: the mail server will never accept this mail. `later`: a later try may
 * work. `down`: the mail server accepts no mail at all.
 */
export type Delivery = 'sent' | 'refused' | 'later' | 'down';

const NOT_SENT = 'e-mail not sent. To test the mail server, run daybook doctor';

/**
 * Matches e-mail addresses, even if @ is written in another form, such as %40. Errors are logged without these matches.
 * The part before @ may be in quotes, and may then have spaces.
 */
const ADDRESS = /(?:"[^"\r\n]*"|[^\s<>()"',;])*(?:@|%40|=40|\+40|&#0*64;)[^\s<>()"',;]*/gi;

export function buildPost({ smtpUrl, mailFrom }: Config, log: Log, db: Db) {
  const transport = smtpUrl === undefined ? undefined : openTransport(smtpUrl, mailFrom);
  const underWay = new Set<Promise<void>>();

  function send(message: { to: string; subject: string; text: string }, onFailure = () => {}): void {
    if (!transport) return;
    const sending = transport
      .then((opened) => opened.sendMail(message))
      .then(
        () => log('e-mail sent', { subject: message.subject }),
        (error: Error) => {
          log(NOT_SENT, { subject: message.subject, reason: withoutSecrets(error.message, message.to) });
          onFailure();
        },
      );
    underWay.add(sending);
    void sending.finally(() => underWay.delete(sending));
  }

  const voiceFor = (...emails: string[]): Voice => findVoice(db, emails);

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
      return readFailure(error as MailError);
    } finally {
      underWay.delete(settled);
    }
  }

  return {
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
      // Without a mail server, only the operator can give the link to the invited person. So the log gets this one
      // secret.
      else log('invitation created. There is no mail server, so share the link yourself', { url: invitation.url });
    },
    /** Waits until each mail is sent or has failed, and then closes the transport of nodemailer. */
    async settle(): Promise<void> {
      await Promise.all(underWay);
      (await transport)?.close();
    },
  };
}

/**
 * Removes secrets from an error of the mail server, because errors are logged. The mail server may quote the mail,
 * which has a link, a code and an e-mail address.
 */
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

type MailError = Error & { code?: string; responseCode?: number; command?: string };

/**
 * Says how a delivery failed. Codes of a mail server from 500 to 599 are final. After a code from 400 to 499, a later
 * try may work. A mail server that refuses the sender's e-mail address refuses every mail, until the operator changes
 * the setting `mail-from`.
 */
function readFailure({ code = '', responseCode = 0, command }: MailError): Delivery {
  if ((code !== 'EENVELOPE' && code !== 'EMESSAGE') || command === 'MAIL FROM') return 'down';
  return responseCode >= 500 ? 'refused' : 'later';
}

/**
 * Loads nodemailer, which connects to the mail server for each mail. Loading takes a sixth of the server's starting
 * time, so a server without mail does not load nodemailer.
 */
async function openTransport(url: string, from: string | undefined) {
  const { createTransport } = await import('nodemailer');
  return createTransport(
    { url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 },
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
}

/**
 * Chooses the language of a mail. `emails` begins with the e-mail address by which daybook knows the recipient. For an
 * invitation or its code, the inviting user's e-mail address comes second. The first user that has chosen a language
 * decides. If no user has, the mail is in English.
 */
function findVoice(db: Db, emails: readonly string[]): Voice {
  const chosen = emails.map((email) => findLanguageByEmail(db, email));
  return voiceIn(chosen.find((language) => language !== undefined) ?? 'en');
}
