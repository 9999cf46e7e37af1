// The first page of the dashboard lists the user's sites, with a card for each site. With two or more sites, a card
// above the list adds up the figures of all sites. Without a site, the page has a form that adds the first site. The
// sites' figures are refreshed each minute, as long as at most 40 sites have shown figures. main.tsx shows `SitesPage`
// for the route `sites`.

import { useEffect, useState } from 'preact/hooks';
import type { Site } from '../../api/sites.ts';
import { useData } from '../core/api.ts';
import { boot } from '../core/boot.ts';
import { useRefreshEvery } from '../core/refresh.ts';
import { t } from '../core/texts.ts';
import { AddSite } from '../sites/add-site.tsx';
import { SumCard } from '../sites/all-sites-card.tsx';
import { useOwners } from '../sites/owners.ts';
import { SiteList } from '../sites/site-list.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Answer } from '../ui/loaded.tsx';

const REFRESH_SECONDS = 60;

export function SitesPage() {
  useRefreshEvery(REFRESH_SECONDS);
  const sites = useData<Site[]>('/sites');
  const [isAdding, setAdding] = useState(false);
  // A user without own sites may be a manager of other accounts, and may add sites there. So for such a user, the page
  // first requests these accounts. All other users see the button at once.
  const isGuest = sites.data?.every(({ role }) => role !== 'owner') === true;
  const owners = useOwners(isGuest);
  const mayAdd = !boot.isPublicDemo && (!isGuest || (owners?.length ?? 0) > 0);
  useEffect(() => {
    document.title = `${t('Sites')} · daybook`;
  }, []);
  return (
    <main id="main">
      <div class="sites-head">
        <h1>{t('Sites')}</h1>
        {sites.data?.length ? <p class="soft">{t('Last 30 days')}</p> : null}
        {sites.data?.length && mayAdd ? (
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            {t('Add a site')}
          </button>
        ) : null}
      </div>
      <Answer of={sites} lines={6}>
        {(list) => (list.length === 0 ? <FirstSite /> : <Sites sites={list} />)}
      </Answer>
      {isAdding ? (
        <Dialog title={t('Add a site')} onClose={() => setAdding(false)}>
          <AddSite />
        </Dialog>
      ) : null}
    </main>
  );
}

function FirstSite() {
  return (
    <section class="card sites-first">
      <h2>{t('Add your first site')}</h2>
      <p class="soft">
        {t(
          'Next, you get one line of HTML for your pages. daybook then counts visitors, without cookies and without identifying anyone.',
        )}
      </p>
      <AddSite />
    </section>
  );
}

const Sites = ({ sites }: { sites: readonly Site[] }) => (
  <>
    {sites.length > 1 && <SumCard />}
    <SiteList sites={sites} />
  </>
);
