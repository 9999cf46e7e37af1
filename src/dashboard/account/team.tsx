// A team is all people who may see sites of an account. Each person may see all sites or some of them
// (member-sites.tsx). A viewer can only look, and a manager can also change settings. An invitation is for one e-mail
// address, and the link of the invitation works once. The page shows this link only once, right after the invitation
// was made. The page also lists the teams of other accounts to which the user belongs. pages/account.tsx shows
// `TeamPart`.

import { useState } from 'preact/hooks';
import type { Site } from '../../api/sites.ts';
import type { InvitedMember, Member, Team } from '../../api/team.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { type Loaded, send, useData } from '../core/api.ts';
import { boot } from '../core/boot.ts';
import { day, number } from '../core/format.ts';
import { t } from '../core/texts.ts';
import { AddForm, Input } from '../ui/add-form.tsx';
import { useAutosave } from '../ui/autosave.ts';
import { Block } from '../ui/block.tsx';
import { Copy } from '../ui/copy.tsx';
import { Empty } from '../ui/empty.tsx';
import { Field, FormError, useSubmit } from '../ui/form.tsx';
import { ItemList } from '../ui/item-list.tsx';
import { Answer } from '../ui/loaded.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { withParts } from '../ui/with-parts.ts';
import { type MemberSites, type OwnSite, readSites, SitesFields, writeSites } from './member-sites.tsx';

type MemberRole = Member['role'];

const ROLES: Record<MemberRole, DashboardMessage> = { viewer: 'Viewer', manager: 'Manager' };

type Invitation = { email: string; role: string; sites: MemberSites };

export function TeamPart() {
  const team = useData<Team>('/team');
  const sites = (useData<Site[]>('/sites').data ?? []).filter(({ role }) => role === 'owner');
  const [invited, setInvited] = useState<InvitedMember>();
  const invite = async (body: Invitation) => {
    setInvited(await send<InvitedMember>('POST', '/team', body));
    team.reload();
  };
  return (
    <>
      <Members team={team} sites={sites} renew={invite} />
      {team.data?.limit === 0 ? null : <Invite sites={sites} invited={invited} invite={invite} />}
      <Teams team={team} />
    </>
  );
}

const RoleOptions = () =>
  Object.entries(ROLES).map(([role, name]) => (
    <option key={role} value={role}>
      {t(name)}
    </option>
  ));

type InviteProps = {
  sites: readonly OwnSite[];
  invited: InvitedMember | undefined;
  invite(invitation: Invitation): Promise<void>;
};

function Invite({ sites, invited, invite }: InviteProps) {
  return (
    <Block
      title={t('New invitation')}
      about={t(
        'Viewers can see all reports. Managers can also change settings, goals, funnels and notes. A manager of all sites can add sites too.',
      )}
    >
      {invited && (
        <ShownOnce key={invited.invitation_url} label={t('The invitation')}>
          <p>
            {withParts(t('{invitation} works once, within five days. It is shown only once.'), {
              invitation: <span class="strong">{t('The invitation for {email}', { email: invited.email })}</span>,
            })}{' '}
            {boot.mails
              ? t(
                  'The invitation is also sent by e-mail. With the link from this page, the invited person also needs a code. daybook sends the code to their e-mail address.',
                )
              : t('This server does not send e-mails. Send the link yourself.')}
          </p>
          <Copy text={invited.invitation_url} label={t('the invitation')} />
        </ShownOnce>
      )}
      <AddForm
        label={t('Invite')}
        done={t('Invitation created. Copy the link above.')}
        add={(data) =>
          invite({
            email: String(data.get('email')).trim(),
            role: String(data.get('role')),
            sites: readSites(data),
          })
        }
      >
        <div class="form-row team-fields">
          <Input name="email" type="email" label={t('E-mail address')} placeholder="bob@example.com" />
          <Field label={t('Role')} name="role">
            <select name="role">
              <RoleOptions />
            </select>
          </Field>
        </div>
        <SitesFields sites={sites} chosen={null} />
      </AddForm>
    </Block>
  );
}

type MembersProps = { team: Loaded<Team>; sites: readonly OwnSite[]; renew(invitation: Invitation): Promise<void> };

function Members({ team, sites, renew }: MembersProps) {
  const { data } = team;
  const members = data && { data: data.members };
  const limit = data?.limit ?? null;
  const changeForm = ({ id, sites: chosen }: Member, close: (done?: string) => void) => (
    <AddForm
      label={t('Save')}
      done={t('Saved.')}
      add={(data) => send('PATCH', `/team/${id}`, { sites: readSites(data) }).then(() => close(t('Saved.')))}
      cancel={close}
    >
      <SitesFields sites={sites} chosen={chosen} />
    </AddForm>
  );
  return (
    <Block
      title={t('People')}
      about={
        data && limit
          ? t('These people can see your sites. Seats used in your plan: {taken} of {limit}.', {
              limit: number(limit),
              taken: number(data.members.length),
            })
          : t('These people can see your sites.')
      }
    >
      <ItemList
        of={{ data: undefined, error: team.error, isStale: team.isStale, reload: team.reload, ...members }}
        label={t('People')}
        empty={{
          title: t('No team members yet'),
          next:
            limit === 0
              ? t('Your plan does not include a team.')
              : t('Invite people to give them access to your sites.'),
        }}
        removal={({ id, email, status }) => ({
          path: `/team/${id}`,
          name: email,
          warning:
            status === 'active'
              ? t('This person will lose access to your sites.')
              : t('The invitation link will stop working.'),
        })}
        change={changeForm}
      >
        {(member) => (
          <Person
            member={member}
            sites={sites}
            reload={team.reload}
            renew={() => renew({ email: member.email, role: member.role, sites: member.sites })}
          />
        )}
      </ItemList>
    </Block>
  );
}

type PersonProps = { member: Member; sites: readonly OwnSite[]; reload(): void; renew(): Promise<void> };

function Person({ member, sites, reload, renew }: PersonProps) {
  const { id, email, role, status, created_at } = member;
  const save = (next: MemberRole) => send('PATCH', `/team/${id}`, { role: next }).then(reload);
  const { value, error, status: saveStatus, set } = useAutosave(role, save);
  const renewing = useSubmit();
  return (
    <div class="team-member">
      <div>
        <p>
          <span class="strong">{email}</span> {status === 'invited' && <span class="badge">{t('invited')}</span>}
        </p>
        <p class="soft small">
          {t(status === 'invited' ? 'Invited {day}' : 'Since {day}', { day: day(created_at) })} ·{' '}
          {writeSites(sites, member.sites)}
        </p>
        {status === 'invited' && (
          <button
            type="button"
            class="plain"
            aria-label={t('Renew link for {email}', { email })}
            onClick={() => renewing.run(renew)}
          >
            {t('Renew link')}
          </button>
        )}
        {error && <p class="form-error">{error}</p>}
        <FormError error={renewing.error} />
      </div>
      <div class="autosave">
        <select
          aria-label={t('Role of {email}', { email })}
          value={value}
          onChange={(event) => set(event.currentTarget.value as MemberRole)}
        >
          <RoleOptions />
        </select>
        <span class="autosave-status" role="status">
          {saveStatus}
        </span>
      </div>
    </div>
  );
}

function Teams({ team }: { team: Loaded<Team> }) {
  return (
    <Block title={t('Your teams')}>
      <Answer of={team} lines={1}>
        {({ teams }) =>
          teams.length === 0 ? (
            <Empty title={t('No teams yet')}>
              <p>{t('If you join a team, its sites appear next to yours.')}</p>
            </Empty>
          ) : (
            <ul>
              {teams.map(({ account_id, owner, role }) => (
                <li key={account_id}>
                  <p>
                    <span class="strong">{owner}</span> <span class="badge">{t(role)}</span>
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Block>
  );
}
