import type { MailMessage, Voice } from './voice.ts';

export type InvitationMail = { owner: string; email: string; role: string; url: string };

export const invitationMail = ({ owner, email, role, url }: InvitationMail, { t }: Voice) => ({
  to: email,
  subject: t('Invitation to a daybook account'),
  text: t(
    `Hello,

{invitation}

Open this link to accept. It works once, within 5 days, and only for this e-mail
address:

{url}

If you do not know the sender, you can ignore this e-mail.
`,
    { invitation: t(invitationAs(role), { owner }), url },
  ),
});

const invitationAs = (role: string): MailMessage =>
  role === 'manager'
    ? '{owner} has invited you to view and manage their website statistics.'
    : '{owner} has invited you to view their website statistics.';
