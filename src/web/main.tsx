import { render } from 'preact';
import { routeOf, useAddress } from './address.ts';
import { boot } from './boot.ts';
import { Frame } from './frame.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { SitePage } from './pages/site.tsx';
import { SitesPage } from './pages/sites.tsx';
import { later } from './parts/lazy.tsx';

const AccountPage = later(async () => (await import('./pages/account.tsx')).AccountPage);
const SettingsPage = later(async () => (await import('./pages/settings.tsx')).SettingsPage);

function Page() {
  const { path } = useAddress();
  const place = routeOf(path, boot.share?.domain);
  switch (place.page) {
    case 'sites':
      return <SitesPage />;
    case 'site':
      return <SitePage key={place.domain} domain={place.domain} />;
    case 'settings':
      return <SettingsPage key={place.domain} domain={place.domain} part={place.part} />;
    case 'account':
      return <AccountPage part={place.part} />;
    default:
      return <NotFoundPage />;
  }
}

const root = document.getElementById('app');
if (root) {
  render(
    <Frame>
      <Page />
    </Frame>,
    root,
  );
}
