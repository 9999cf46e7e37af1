import type { Voice } from './voice.ts';

export type ReminderMail = { email: string; url: string };

export const reminderMail = ({ email, url }: ReminderMail, { t }: Voice) => ({
  to: email,
  subject: t('Reset your daybook password'),
  text: t(
    `Hello,

Someone, probably you, asked to reset the password for your web statistics.

Open this link to choose a new password. It can be used once, and expires after an hour. A new
password signs you out on all devices and revokes your access tokens:

{url}

If it was not you, you can ignore this e-mail. Your password does not change.
`,
    { url },
  ),
});
