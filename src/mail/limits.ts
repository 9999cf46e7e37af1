import { coded } from '../lang/coded.ts';
import { hashSecret } from '../lib/secrets.ts';
import type { MailLimit } from '../store/mail/mail-quotas.ts';

/**
 * Limits the invitations of a day. Nobody can flood an inbox with invitations. The limit for all accounts keeps the
 * server off the lists of spam senders.
 */
export const invitationLimits = (accountId: number, email: string): MailLimit[] => [
  { name: `invitations of ${accountId}`, most: 20, reached: coded('account_sent_mails') },
  { name: `invitations to ${hashEmail(email)}`, most: 5, reached: coded('address_got_mails') },
  { name: 'invitations', most: 200, reached: coded('server_sent_mails') },
];

/**
 * Limits the codes of a day. Codes have their own limits. So an invitation can be accepted even if the limit of
 * invitations prevented its mail. Each code allows five tries.
 */
export const codeLimits = (email: string): MailLimit[] => [
  { name: `codes to ${hashEmail(email)}`, most: 10, reached: coded('address_got_codes') },
  { name: 'codes', most: 500, reached: coded('server_sent_codes') },
];

/** Limits the notices of a day. An intruder who changes many settings cannot flood the inbox of the owner. */
export const noticeLimits = (email: string): MailLimit[] => [
  { name: `notices to ${hashEmail(email)}`, most: 20, reached: coded('address_got_notices') },
];

/**
 * Limits the notices that a stranger can cause. With a common limit, a stranger could use it up, and the owner would
 * miss real warnings.
 */
export const strangerLimits = (email: string): MailLimit[] => [
  { name: `notices of strangers to ${hashEmail(email)}`, most: 3, reached: coded('address_got_notices') },
];

const hashEmail = (email: string): string => hashSecret(email).toString('hex');
