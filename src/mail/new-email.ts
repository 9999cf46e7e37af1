export type NewEmailMail = { email: string; url: string };

export const newEmailMail = ({ email, url }: NewEmailMail) => ({
  to: email,
  subject: 'Confirm your new e-mail for daybook',
  text: `Hello,

somebody, most likely you, wants to sign in to their web statistics with this address.

Open this link to confirm that it is yours. It works once, for an hour, and signs
you out everywhere else:

${url}

If it was not you, you need not do anything: nothing changes.
`,
});
