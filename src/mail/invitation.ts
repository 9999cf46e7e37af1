export type InvitationMail = { owner: string; email: string; role: string; url: string };

const MAY: Record<string, string> = {
  viewer: 'see its statistics',
  manager: 'see its statistics and change its settings',
};

export const invitationMail = ({ owner, email, role, url }: InvitationMail) => ({
  to: email,
  subject: 'You are invited to a daybook account',
  text: `Hello,

${owner} invites you to their web statistics, as ${role}: you may ${MAY[role]}.

Open this link to accept. It works once, for 5 days, and for this address only:

${url}

If you do not know who this is, you need not do anything.
`,
});
