import { coded } from '../lang/coded.ts';
import { hashSecret } from '../lib/secrets.ts';
import type { MailLimit } from '../store/mail/mail-quotas.ts';

const keyOf = (email: string): string => hashSecret(email).toString('hex');

/** So that nobody can fill the inbox of another with invitations, nor many accounts together spoil the name of the server. */
export const invitationLimits = (accountId: number, email: string): MailLimit[] => [
  { name: `invitations of ${accountId}`, most: 20, reached: coded('account_sent_mails') },
  { name: `invitations to ${keyOf(email)}`, most: 5, reached: coded('address_got_mails') },
  { name: 'invitations', most: 200, reached: coded('server_sent_mails') },
];

/** Apart from invitations, so that one that was not mailed can still be accepted. Few also because each code allows five tries. */
export const codeLimits = (email: string): MailLimit[] => [
  { name: `codes to ${keyOf(email)}`, most: 10, reached: coded('address_got_codes') },
  { name: 'codes', most: 500, reached: coded('server_sent_codes') },
];

/** So that a person who has got in cannot fill the inbox of the owner by changing things. */
export const noticeLimits = (email: string): MailLimit[] => [
  { name: `notices to ${keyOf(email)}`, most: 20, reached: coded('address_got_notices') },
];

/** Apart from those, because any account can cause them: else a stranger could use up the notices that warn the owner. */
export const strangerLimits = (email: string): MailLimit[] => [
  { name: `notices of strangers to ${keyOf(email)}`, most: 3, reached: coded('address_got_notices') },
];
