import { windowLimit } from '../auth/limits.ts';
import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/time.ts';
import { DAY } from '../lib/time.ts';
import { type CodeMail, codeMail } from './code.ts';
import { type InvitationMail, invitationMail } from './invitation.ts';
import type { Written } from './letter.ts';
import { type ReminderMail, reminderMail } from './reminder.ts';

export type Post = ReturnType<typeof buildPost>;

/** A mail about a site, to one person, with the address that ends these mails. */
export type SiteMail = Written & { to: string; messageId: string; unsubscribe: string };

/** refused: the mail server will never take a mail to this person. later: it may take it at the next try. down: it takes no mail. */
export type Delivery = 'sent' | 'refused' | 'later' | 'down';

/** Invitations that an account may mail in a day, so that it cannot be used to fill the inboxes of others. */
const INVITATIONS_A_DAY = 20;

const NOT_SENT = 'mail not sent; daybook doctor tests the mail server';

/** A mail server's error may quote the mail, and with it a secret link or a code. */
const withoutSecrets = (reason: string): string =>
  reason.replaceAll(/[0-9A-Za-z=\r\n]{16,}|\b\d{6}\b/g, '…').slice(0, 200);

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

/**
 * Sends mails after the request was answered, so that no request waits for a mail server. One that fails never undoes what the
 * mail is about: a person who invites gets the link in the answer too. Held by test/mail/post.test.ts.
 */
export function buildPost({ smtpUrl, mailFrom }: Config, clock: Clock, log: Log) {
  const transport = smtpUrl === undefined ? undefined : transportOf(smtpUrl, mailFrom);
  const invitations = windowLimit(INVITATIONS_A_DAY, DAY, clock);
  const underWay = new Set<Promise<void>>();

  function send(message: { to: string; subject: string; text: string }, onFailure = () => {}): void {
    if (!transport) return;
    const sending = transport
      .then((opened) => opened.sendMail(message))
      .then(
        () => log('mail sent', { subject: message.subject }),
        (error: Error) => {
          log(NOT_SENT, { subject: message.subject, reason: withoutSecrets(error.message) });
          onFailure();
        },
      );
    underWay.add(sending);
    void sending.finally(() => underWay.delete(sending));
  }

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
      log(NOT_SENT, { subject: mail.subject, reason: withoutSecrets((error as Error).message) });
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
      send(reminderMail(reminder));
    },
    sendCode(code: CodeMail, onFailure: () => void): void {
      send(codeMail(code), onFailure);
    },
    invite(invitation: InvitationMail): void {
      if (!transport) {
        // The operator is the only way left to the invitee, so this one secret is logged.
        log('invitation made; there is no mail server, so pass the link on', { url: invitation.url });
      } else if (invitations.take(invitation.accountId).allowed) {
        send(invitationMail(invitation));
      } else {
        log('invitation not mailed: the account has sent its mails of today; its owner can pass the link on', {
          account: invitation.accountId,
        });
      }
    },
    /** Waits until what is being sent has been sent or has failed. */
    async settle(): Promise<void> {
      await Promise.all(underWay);
      (await transport)?.close();
    },
  };
}
