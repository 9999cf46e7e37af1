// The requests about a team: its members, open invitations, and the teams that the caller belongs to.
//
// An invitation has two links with different secrets. The caller gets the first link and may pass it on. Only the mail
// has the second link. So a person who uses the second link can read the mail of the invited e-mail address. A second
// invitation replaces both links. The table in `routes.ts` calls these functions.

import * as v from 'valibot';
import { inEnglish } from '../lang/sentences.ts';
import { fault } from '../lib/http/fault.ts';
import { Email, Id, Time } from '../lib/http/fields.ts';
import { makeLinkSecret } from '../lib/secrets.ts';
import { iso } from '../lib/time.ts';
import { invitationLimits } from '../mail/limits.ts';
import { countMail } from '../store/mail/mail-quotas.ts';
import { findStanding } from '../store/people/accounts.ts';
import * as team from '../store/people/team.ts';
import type { Call } from './route.ts';

export const MemberRole = v.picklist(['viewer', 'manager'], fault('no_role'));

export const Member = v.strictObject({
  id: Id,
  email: v.string(),
  role: MemberRole,
  status: v.picklist(['active', 'invited']),
  created_at: Time,
});
export type Member = v.InferOutput<typeof Member>;

export const InvitedMember = v.strictObject({ ...Member.entries, invitation_url: v.pipe(v.string(), v.url()) });
export type InvitedMember = v.InferOutput<typeof InvitedMember>;

export const Team = v.strictObject({
  members: v.array(Member),
  limit: v.nullable(v.pipe(v.number(), v.integer())),
  teams: v.array(v.strictObject({ account_id: Id, owner: v.string(), role: MemberRole })),
});
export type Team = v.InferOutput<typeof Team>;

export const NewMember = v.strictObject({ email: Email, role: MemberRole });
export const MemberChange = v.strictObject({ role: v.optional(MemberRole) });

export const show = ({ db, caller, now }: Call): Team => ({
  members: team.listMembers(db, caller.accountId).map(answer),
  limit: findStanding(db, caller.accountId, now).members,
  teams: team.listTeams(db, caller.userId),
});

export function invite(call: Call<v.InferOutput<typeof NewMember>>): InvitedMember {
  const { api, db, caller, body, now } = call;
  const secret = makeLinkSecret(api.random);
  const { accountId, email: owner } = caller;
  // Only the mail has the second link. So a person who uses this link can read the mail of the invited e-mail address.
  const full = api.post.works ? countMail(db, invitationLimits(accountId, body.email), now) : undefined;
  const mailedSecret = api.post.works && !full ? makeLinkSecret(api.random) : undefined;
  const member = team.inviteMember(db, { accountId, owner, ...body, secret, mailedSecret, now });
  const makeUrl = (secret: string) => `${api.config.baseUrl}/invite/${secret}`;
  const invitation_url = makeUrl(secret);
  call.afterCommit(() => {
    if (full)
      api.log(`invitation not mailed: ${inEnglish(full.reached)}. Its owner can share the link`, {
        account: accountId,
      });
    else api.post.invite({ owner, email: body.email, role: body.role, url: makeUrl(mailedSecret ?? secret) });
  });
  return { ...answer(member), invitation_url };
}

export function change({ db, caller, id, body }: Call<v.InferOutput<typeof MemberChange>>): Member | undefined {
  if (body.role !== undefined) team.changeMember(db, caller.accountId, id, body.role);
  const member = team.findMember(db, caller.accountId, id);
  return member && answer(member);
}

export const remove = ({ db, caller, id }: Call): void => team.removeMember(db, caller.accountId, id);

const answer = (member: team.Member): Member => ({ ...member, created_at: iso(member.created_at) });
