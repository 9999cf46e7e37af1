import type { Voice } from './voice.ts';

/** `email` is the new e-mail address. `account` is the old one, and the mail has the language of this account. */
export type NewEmailMail = { email: string; url: string; account?: string };

export const newEmailMail = ({ email, url }: NewEmailMail, { t }: Voice) => ({
  to: email,
  subject: t('Confirm your new e-mail for daybook'),
  text: t(
    `Hello,

somebody, most likely you, wants to sign in to their web statistics with this address.

Open this link to confirm that it is yours. It works once, for an hour, and signs
you out everywhere else:

{url}

If it was not you, you need not do anything: nothing changes.
`,
    { url },
  ),
});
