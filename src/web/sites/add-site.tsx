import { useState } from 'preact/hooks';
import type { Account } from '../../api/account.ts';
import type { Site } from '../../api/sites.ts';
import type { Team } from '../../api/team.ts';
import { navigate, sitePath } from '../address.ts';
import { send, useData } from '../api.ts';
import { Field, FormError, useSubmit } from '../parts/form.tsx';

const FIELDS = ['domain', 'account_id'];

/** The domain in an address that somebody pasted, without www, because subdomains are counted with their domain. */
const domainIn = (typed: string): string =>
  typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/[/?#:].*$/, '');

/** The form for a new site; it leads on to the snippet. */
export function AddSite() {
  const { isBusy, error, run } = useSubmit();
  const [domain, setDomain] = useState('');
  const [accountId, setAccountId] = useState('');
  const { data: account } = useData<Account>('/account');
  const { data: team } = useData<Team>('/team');
  const teams = (team?.teams ?? []).filter(({ role }) => role !== 'viewer');
  const add = (event: Event) => {
    event.preventDefault();
    run(async () => {
      const body = { domain: domainIn(domain), ...(accountId ? { account_id: Number(accountId) } : {}) };
      const site = await send<Site>('POST', '/sites', body);
      navigate(sitePath(site.domain, '/settings/general'));
    });
  };
  return (
    <form class="form" onSubmit={add}>
      <Field
        label="Domain"
        help="Such as example.com; its subdomains are counted with it."
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
      {teams.length > 0 ? (
        <Field label="Account" error={error?.fields.account_id}>
          <select value={accountId} onChange={({ currentTarget }) => setAccountId(currentTarget.value)}>
            <option value="">{account ? `Yours (${account.email})` : 'Yours'}</option>
            {teams.map(({ account_id, owner }) => (
              <option key={account_id} value={account_id}>
                {owner}
              </option>
            ))}
          </select>
        </Field>
      ) : null}
      <FormError error={error} fields={FIELDS} />
      <div class="form-actions">
        <button type="submit" class="primary" disabled={isBusy}>
          Add the site
        </button>
      </div>
    </form>
  );
}
