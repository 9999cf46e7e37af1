import type { Voice } from './voice.ts';

/**
 * A mail to a new e-mail address. `email` is this new e-mail address. `account` is the old one, by which daybook finds
 * the user's language.
 */
export type NewEmailMail = { email: string; url: string; account?: string };

export const newEmailMail = ({ email, url }: NewEmailMail, { t }: Voice) => ({
  to: email,
  subject: t('Confirm your new e-mail address for daybook'),
  text: t(
    `Hello,

Someone, probably you, wants to use this e-mail address to sign in to web
statistics.

Open this link to confirm that the e-mail address is yours. It works once, within
an hour. You will be signed out on all other devices:

{url}

If it was not you, you can ignore this e-mail. Nothing changes.
`,
    { url },
  ),
});
