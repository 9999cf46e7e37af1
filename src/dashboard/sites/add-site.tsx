// The form adds a site to an account. A user who is a manager of other accounts chooses the account. A pasted URL becomes a
// domain without www. After that, the settings of the new site open, which show its snippet.
//
// Example: https://www.example.com/shop becomes example.com.
//
// pages/sites.tsx shows `AddSite`.

import { useState } from 'preact/hooks';
import type { Account } from '../../api/account.ts';
import type { Site } from '../../api/sites.ts';
import type { Team } from '../../api/team.ts';
import { navigate, sitePath } from '../core/address.ts';
import { send, useData } from '../core/api.ts';
import { t } from '../core/texts.ts';
import { Field, FormError, useSubmit } from '../ui/form.tsx';
import { ownZone, TimeZoneSelect } from '../ui/time-zone.tsx';

const FIELDS = ['domain', 'account_id', 'time_zone'];

export function AddSite() {
  const account = useData<Account>('/account');
  const team = useData<Team>('/team');
  const owners = account.data && team.data ? ownersFor(account.data, team.data) : undefined;
  if (owners?.length !== 0) return <NewSite owners={owners ?? []} />;
  return (
    <p>{t('Your plan does not include sites of your own. The operator of this server can give you another plan.')}</p>
  );
}

/** Finds the domain in a pasted URL, and removes www. Hits of subdomains count for their domain. */
const domainIn = (typed: string): string =>
  typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/[/?#:].*$/, '');

type Owner = { id: number; name: string };

/** The accounts to which the user may add a site. The user's own account comes first, unless its plan allows no sites. */
export function ownersFor({ id, email, limits }: Account, { teams }: Team): Owner[] {
  const own = limits.sites === 0 ? [] : [{ id, name: t('Your account ({email})', { email }) }];
  const managed = teams.filter(({ role }) => role === 'manager');
  return [...own, ...managed.map(({ account_id, owner }) => ({ id: account_id, name: owner }))];
}

function NewSite({ owners }: { owners: readonly Owner[] }) {
  const { isBusy, error, run } = useSubmit();
  const [domain, setDomain] = useState('');
  const [timeZone, setTimeZone] = useState(ownZone);
  const [chosen, setChosen] = useState<number>();
  const accountId = chosen ?? owners[0]?.id;
  const add = (event: Event) => {
    event.preventDefault();
    run(async () => {
      const body = { domain: domainIn(domain), time_zone: timeZone, ...(accountId ? { account_id: accountId } : {}) };
      const site = await send<Site>('POST', '/sites', body);
      navigate(sitePath(site.domain, '/settings/general'));
    });
  };
  return (
    <form class="form" onSubmit={add}>
      <Field
        label={t('Domain')}
        help={t('For example, example.com. Its subdomains count too.')}
        error={error?.fields.domain}
      >
        <input
          value={domain}
          onInput={({ currentTarget }) => setDomain(currentTarget.value)}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          autofocus
          required
        />
      </Field>
      <Field
        label={t('Time zone')}
        help={t('The days of the site follow this time zone. You can change it later.')}
        error={error?.fields.time_zone}
      >
        <TimeZoneSelect value={timeZone} onChange={setTimeZone} />
      </Field>
      {owners.length > 1 ? (
        <Field label={t('Account')} error={error?.fields.account_id}>
          <select value={accountId} onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}>
            {owners.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      ) : null}
      <FormError error={error} fields={FIELDS} />
      <div class="form-actions">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {t('Add site')}
        </button>
      </div>
    </form>
  );
}
