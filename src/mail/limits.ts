import { coded } from '../lang/coded.ts';
import { hashSecret } from '../lib/secrets.ts';
import type { MailLimit } from '../store/mail/mail-quotas.ts';

/** Limits invitations a day. Nobody can flood an inbox, and many accounts together cannot get the server listed as spam. */
export const invitationLimits = (accountId: number, email: string): MailLimit[] => [
  { name: `invitations of ${accountId}`, most: 20, reached: coded('account_sent_mails') },
  { name: `invitations to ${hashEmail(email)}`, most: 5, reached: coded('address_got_mails') },
  { name: 'invitations', most: 200, reached: coded('server_sent_mails') },
];

/** Limits codes a day. Codes have limits of their own, so that an unmailed invitation can still be accepted. Each code allows five tries. */
export const codeLimits = (email: string): MailLimit[] => [
  { name: `codes to ${hashEmail(email)}`, most: 10, reached: coded('address_got_codes') },
  { name: 'codes', most: 500, reached: coded('server_sent_codes') },
];

/** Limits notices a day. An intruder cannot flood the inbox of the owner by many changes. */
export const noticeLimits = (email: string): MailLimit[] => [
  { name: `notices to ${hashEmail(email)}`, most: 20, reached: coded('address_got_notices') },
];

/** Limits notices that any account can cause. With a shared limit a stranger could use up the notices that warn the owner. */
export const strangerLimits = (email: string): MailLimit[] => [
  { name: `notices of strangers to ${hashEmail(email)}`, most: 3, reached: coded('address_got_notices') },
];

const hashEmail = (email: string): string => hashSecret(email).toString('hex');
