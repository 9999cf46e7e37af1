// The fields for the sites of a team member: all sites of the account, or only ticked sites. The form of an invitation
// and the form that changes a member have these fields.
//
// Example: the owner chooses "Some sites" and ticks example.com, which has the id 1. Then `readSites` returns `[1]`.
// With "All sites" it returns null, and the member also sees sites that are added later.

import { useState } from 'preact/hooks';
import type { Member } from '../../api/team.ts';
import { t } from '../core/texts.ts';
import { Field, Fields } from '../ui/form.tsx';

export type MemberSites = Member['sites'];

/** A site that may be ticked. */
export type OwnSite = { id: number; domain: string };

export function SitesFields({ sites, chosen }: { sites: readonly OwnSite[]; chosen: MemberSites }) {
  const [isLimited, setLimited] = useState(chosen !== null);
  return (
    <>
      <Field label={t('Sites')}>
        <select
          name="reach"
          value={isLimited ? 'some' : 'all'}
          onChange={(event) => setLimited(event.currentTarget.value === 'some')}
        >
          <option value="all">{t('All sites, and sites added later')}</option>
          <option value="some">{t('Some sites')}</option>
        </select>
      </Field>
      {isLimited && (
        <Fields label={t('This person can see')} name="sites" class="team-sites">
          <div class="switch-list">
            {sites.map(({ id, domain }) => (
              <Field key={id} label={domain}>
                <input type="checkbox" name="sites" value={id} defaultChecked={chosen?.includes(id) ?? false} />
              </Field>
            ))}
          </div>
        </Fields>
      )}
    </>
  );
}

export const readSites = (data: FormData): MemberSites =>
  data.get('reach') === 'some' ? data.getAll('sites').map(Number) : null;

/** Writes the sites that a member may see, such as "a.example, b.example" or "All sites". */
export function writeSites(sites: readonly OwnSite[], reached: MemberSites): string {
  if (reached === null) return t('All sites');
  const domains = sites.filter(({ id }) => reached.includes(id)).map(({ domain }) => domain);
  return domains.length === 0 ? t('No sites') : domains.join(', ');
}
