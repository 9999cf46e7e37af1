import { createTransport } from 'nodemailer';
import { windowLimit } from '../auth/limits.ts';
import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/time.ts';
import { DAY } from '../lib/time.ts';
import { type InvitationMail, invitationMail } from './invitation.ts';
import type { Written } from './letter.ts';
import { type ReminderMail, reminderMail } from './reminder.ts';

export type Post = ReturnType<typeof buildPost>;

/** A mail about a site, to one person, with the address that ends them. */
export type SiteMail = Written & { to: string; messageId: string; unsubscribe: string };

/** Refused is for this person and for good; down is for everybody, and later for this person only. */
export type Delivery = 'sent' | 'refused' | 'later' | 'down';

/** Mails a day and account: an account must not become a way to fill the inbox of others. */
const INVITATIONS_A_DAY = 20;

/** A mail server may quote the mail in what it says, and with it the link. */
const withoutSecrets = (reason: string): string => reason.replaceAll(/[0-9A-Za-z=\r\n]{16,}/g, '…').slice(0, 200);

/**
 * Sends mail behind the answer: nobody waits for a mail server, and one that fails never undoes what the mail is about,
 * because the link is in the answer too. Held by test/mail/post.test.ts.
 */
export function buildPost({ smtpUrl, mailFrom }: Config, clock: Clock, log: Log) {
  const transport =
    smtpUrl === undefined
      ? undefined
      : createTransport(
          { url: smtpUrl, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 },
          { from: mailFrom, disableFileAccess: true, disableUrlAccess: true },
        );
  const invitations = windowLimit(INVITATIONS_A_DAY, DAY, clock);
  const underway = new Set<Promise<void>>();

  function send(message: { to: string; subject: string; text: string }): void {
    if (!transport) return;
    const sending = transport.sendMail(message).then(
      () => log('mail sent', { subject: message.subject }),
      (error: Error) => log('mail not sent', { subject: message.subject, reason: withoutSecrets(error.message) }),
    );
    underway.add(sending);
    void sending.finally(() => underway.delete(sending));
  }

  /** Sends a mail now, and says what became of it. What a mail server refuses for good it would refuse again. */
  async function deliver({ to, unsubscribe, ...mail }: SiteMail): Promise<Delivery> {
    if (!transport) return 'down';
    const headers = {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    };
    const sending = transport.sendMail({ ...mail, to, headers });
    const settled = sending.then(
      () => {},
      () => {},
    );
    underway.add(settled);
    try {
      await sending;
      return 'sent';
    } catch (error) {
      const { code = '', responseCode = 0, message } = error as Error & { code?: string; responseCode?: number };
      log('mail not sent', { subject: mail.subject, reason: withoutSecrets(message) });
      if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return 'down';
      return responseCode >= 500 ? 'refused' : 'later';
    } finally {
      underway.delete(settled);
    }
  }

  return {
    /** Whether there is a mail server at all. */
    works: transport !== undefined,
    deliver,
    remind(reminder: ReminderMail): void {
      send(reminderMail(reminder));
    },
    invite(invitation: InvitationMail): void {
      if (!transport) {
        // The operator is the only way left to the invitee, so this one secret is logged.
        log('invitation made; there is no mail server, so pass the link on', { url: invitation.url });
      } else if (invitations.take(invitation.accountId).allowed) {
        send(invitationMail(invitation));
      } else {
        log('invitation not mailed: the account has sent its mails of today', { account: invitation.accountId });
      }
    },
    /** Waits until what is being sent has been sent or has failed. */
    async settle(): Promise<void> {
      await Promise.all(underway);
      transport?.close();
    },
  };
}
