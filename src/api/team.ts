// The requests about a team: its members, open invitations, and the teams that the caller belongs to.
//
// An invitation has two links with different secrets. The caller gets the first link and may pass it on. Only the
// e-mail contains the second link. So a person who uses the second link can read the e-mails of the invited e-mail
// address. If no e-mail can be sent, there is no second link. A second invitation of the same person has new links, and
// the earlier links stop working. The table in `routes.ts` calls these functions.
//
// Example: `{ "email": "kim@example.com", "role": "viewer", "sites": [3, 8] }` invites Kim to see two sites. With
// `"sites": null`, or without `sites`, Kim sees all sites of the account, including sites that are added later.

import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { invalid } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Email, Id, PositiveId, Time } from '../lib/http/fields.ts';
import { makeLinkSecret } from '../lib/secrets.ts';
import { iso } from '../lib/time.ts';
import { invitationLimits } from '../mail/limits.ts';
import type { Db } from '../store/db.ts';
import { countMail } from '../store/mail/mail-quotas.ts';
import { findStanding } from '../store/people/accounts.ts';
import type { MemberSites } from '../store/people/member-sites.ts';
import * as team from '../store/people/team.ts';
import { listOwnedSites } from '../store/sites/sites.ts';
import type { Call } from './route.ts';

export const MemberRole = v.picklist(['viewer', 'manager'], fault('no_role'));

const MOST_SITES = 1_000;

/** The sites that an invited person may see. Null stands for all sites of the account. */
const SomeSites = v.nullable(
  v.pipe(
    v.array(PositiveId, fault('no_list')),
    v.minLength(1, fault('no_sites')),
    v.maxLength(MOST_SITES, fault('too_many_values', { most: MOST_SITES })),
    v.transform((ids) => [...new Set(ids)].sort((a, b) => a - b)),
  ),
);

/**
 * The sites that a member may see, or null for all sites of the account. The list is empty if all sites of the member
 * were deleted.
 */
const ReachedSites = v.nullable(v.array(Id));

export const Member = v.strictObject({
  id: Id,
  email: v.string(),
  role: MemberRole,
  sites: ReachedSites,
  status: v.picklist(['active', 'invited']),
  created_at: Time,
});
export type Member = v.InferOutput<typeof Member>;

export const InvitedMember = v.strictObject({ ...Member.entries, invitation_url: v.pipe(v.string(), v.url()) });
export type InvitedMember = v.InferOutput<typeof InvitedMember>;

export const Team = v.strictObject({
  members: v.array(Member),
  limit: v.nullable(v.pipe(v.number(), v.integer())),
  teams: v.array(v.strictObject({ account_id: Id, owner: v.string(), role: MemberRole, sites: ReachedSites })),
});
export type Team = v.InferOutput<typeof Team>;

export const NewMember = v.strictObject({ email: Email, role: MemberRole, sites: v.optional(SomeSites, null) });
export const MemberChange = v.partial(v.strictObject({ role: MemberRole, sites: SomeSites }));

export const show = ({ db, caller, now }: Call): Team => ({
  members: team.listMembers(db, caller.accountId).map(answer),
  limit: findStanding(db, caller.accountId, now).members,
  teams: team.listTeams(db, caller.userId),
});

export function invite(call: Call<v.InferOutput<typeof NewMember>>): InvitedMember {
  const { api, db, caller, body, now } = call;
  const secret = makeLinkSecret(api.random);
  const { accountId, email: owner } = caller;
  assertOwnSites(db, accountId, body.sites);
  // Only the e-mail contains this second link. So a person who uses this link can read the e-mails of the invited
  // e-mail address.
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
  assertOwnSites(db, caller.accountId, body.sites);
  team.changeMember(db, id, body);
  const member = team.findMember(db, caller.accountId, id);
  return member && answer(member);
}

export const remove = ({ db, caller, id }: Call): void => team.removeMember(db, caller.accountId, id);

function assertOwnSites(db: Db, accountId: number, sites: MemberSites | undefined): void {
  const own = new Set(listOwnedSites(db, accountId).map(({ id }) => id));
  const foreign = sites?.find((id) => !own.has(id));
  if (foreign !== undefined) throw invalid({ sites: coded('no_site_of_account', { id: foreign }) });
}

const answer = (member: team.Member): Member => ({ ...member, created_at: iso(member.created_at) });
