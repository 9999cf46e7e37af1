import type { MailMessage, Voice } from './voice.ts';

export type InvitationMail = { owner: string; email: string; role: string; url: string };

export const invitationMail = ({ owner, email, role, url }: InvitationMail, { t }: Voice) => ({
  to: email,
  subject: t('You are invited to a daybook account'),
  text: t(
    `Hello,

{invitation}

Open this link to accept. It works once, for 5 days, and for this address only:

{url}

If you do not know who this is, you need not do anything.
`,
    { invitation: t(invitationAs(role), { owner }), url },
  ),
});

const invitationAs = (role: string): MailMessage =>
  role === 'manager'
    ? '{owner} invites you to their web statistics, as manager: you may see its statistics and change its settings.'
    : '{owner} invites you to their web statistics, as viewer: you may see its statistics.';
