import { coded } from '../lang/coded.ts';
import { hashSecret } from '../lib/secrets.ts';
import type { MailLimit } from '../store/mail/mail-quotas.ts';

/**
 * Limits invitations by mail in 24 hours, so that nobody can flood an inbox. The last limit counts the invitations of
 * all accounts. Without the last limit, mail providers might treat this server as a sender of spam.
 */
export const invitationLimits = (accountId: number, email: string): MailLimit[] => [
  { name: `invitations of ${accountId}`, most: 20, reached: coded('account_sent_mails') },
  { name: `invitations to ${hashEmail(email)}`, most: 5, reached: coded('address_got_mails') },
  { name: 'invitations', most: 200, reached: coded('server_sent_mails') },
];

/**
 * Limits the mails with the code that an invited person must type. These mails do not count for the limits of
 * invitations. So an invited person can get a code even if the limit of invitations is reached. Each code allows five
 * tries.
 */
export const codeLimits = (email: string): MailLimit[] => [
  { name: `codes to ${hashEmail(email)}`, most: 10, reached: coded('address_got_codes') },
  { name: 'codes', most: 500, reached: coded('server_sent_codes') },
];

/**
 * Limits notices about changes of an account. An intruder may change many settings, and must not flood the inbox of the
 * owner.
 */
export const noticeLimits = (email: string): MailLimit[] => [
  { name: `notices to ${hashEmail(email)}`, most: 20, reached: coded('address_got_notices') },
];

/**
 * Limits the notices that strangers can cause, for example if they ask for an account with this e-mail address. These
 * notices do not count for `noticeLimits`. Otherwise strangers could use up that limit, and the owner would miss real
 * warnings.
 */
export const strangerLimits = (email: string): MailLimit[] => [
  { name: `notices of strangers to ${hashEmail(email)}`, most: 3, reached: coded('address_got_notices') },
];

const hashEmail = (email: string): string => hashSecret(email).toString('hex');
