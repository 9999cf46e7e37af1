import type { Voice } from './voice.ts';

export type CodeMail = { owner: string; email: string; code: string };

export const codeMail = ({ owner, email, code }: CodeMail, { t }: Voice) => ({
  to: email,
  subject: t('Your code for daybook'),
  text: t(
    `Hello,

Someone opened a link from {owner} that invites you to view website statistics. If it
was you, enter this code there. It is valid for 15 minutes:

{code}

If it was not you, ignore this e-mail. Do not give the code to anyone.
`,
    { owner, code },
  ),
});
