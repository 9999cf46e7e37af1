import type { Voice } from './voice.ts';

export type CodeMail = { owner: string; email: string; code: string };

export const codeMail = ({ owner, email, code }: CodeMail, { t }: Voice) => ({
  to: email,
  subject: t('Your code for daybook'),
  text: t(
    `Hello,

somebody opened a link with which {owner} invites this address to their web
statistics. If it was you, type this code there; it is good for 15 minutes:

{code}

If it was not you, tell it to nobody: whoever has it could join in your name.
`,
    { owner, code },
  ),
});
