import type { Voice } from './voice.ts';

export type ReminderMail = { email: string; url: string };

export const reminderMail = ({ email, url }: ReminderMail, { t }: Voice) => ({
  to: email,
  subject: t('Set another password for daybook'),
  text: t(
    `Hello,

somebody, most likely you, wants to set another password for your web statistics.

Open this link to do so. It works once, for an hour. Setting another password
signs you out everywhere and revokes your access tokens:

{url}

If it was not you, you need not do anything: your password stays as it is.
`,
    { url },
  ),
});
