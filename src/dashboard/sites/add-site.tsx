// The form that adds a site to an account. If the user is a manager of other accounts, the form has a choice of
// accounts. A pasted URL becomes a domain without www. After the site is added, its settings open, which show the
// snippet to paste.
//
// Example: https://www.example.com/shop becomes example.com.
//
// pages/sites.tsx shows `AddSite`.

import { useState } from 'preact/hooks';
import type { Site } from '../../api/sites.ts';
import { navigate, sitePath } from '../core/address.ts';
import { send } from '../core/api.ts';
import { t } from '../core/texts.ts';
import { Actions, Field, Form } from '../ui/form.tsx';
import { ownZone, TimeZoneSelect } from '../ui/time-zone.tsx';
import { type Owner, useOwners } from './owners.ts';

export function AddSite() {
  const owners = useOwners();
  if (owners?.length !== 0) return <NewSite owners={owners ?? []} />;
  return <p>{t('With your plan, you cannot add sites. Ask the person who runs this server for another plan.')}</p>;
}

/** Finds the domain in a pasted URL, and removes www. Hits of www and other subdomains count for the domain. */
const domainIn = (typed: string): string =>
  typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/[/?#:].*$/, '');

function NewSite({ owners }: { owners: readonly Owner[] }) {
  const [domain, setDomain] = useState('');
  const [timeZone, setTimeZone] = useState(ownZone);
  const [chosen, setChosen] = useState<number>();
  const accountId = chosen ?? owners[0]?.id;
  const add = async () => {
    const body = { domain: domainIn(domain), time_zone: timeZone, ...(accountId ? { account_id: accountId } : {}) };
    const site = await send<Site>('POST', '/sites', body);
    navigate(sitePath(site.domain, '/settings/general'));
  };
  return (
    <Form submit={add}>
      <Field label={t('Domain')} help={t('For example, example.com. Its subdomains count too.')} name="domain">
        <input
          value={domain}
          onInput={({ currentTarget }) => setDomain(currentTarget.value)}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          autofocus
        />
      </Field>
      <Field
        label={t('Time zone')}
        help={t('Reports for this site use this time zone. You can change it later.')}
        name="time_zone"
      >
        <TimeZoneSelect value={timeZone} onChange={setTimeZone} />
      </Field>
      {owners.length > 1 ? (
        <Field label={t('Account')} name="account_id">
          <select value={accountId} onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}>
            {owners.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      ) : null}
      <Actions verb={t('Add site')} />
    </Form>
  );
}
