import { render } from 'preact';
import { placeOf, useAddress } from './address.ts';
import { boot } from './boot.ts';
import { Frame } from './frame.tsx';
import { Nowhere } from './pages/nowhere.tsx';
import { Site } from './pages/site.tsx';
import { Sites } from './pages/sites.tsx';
import { later } from './parts/later.tsx';

const Account = later(async () => (await import('./pages/account.tsx')).Account);
const Settings = later(async () => (await import('./pages/settings.tsx')).Settings);

function Page() {
  const { path } = useAddress();
  const place = placeOf(path, boot.share?.domain);
  switch (place.page) {
    case 'sites':
      return <Sites />;
    case 'site':
      return <Site key={place.domain} domain={place.domain} />;
    case 'settings':
      return <Settings key={place.domain} domain={place.domain} part={place.part} />;
    case 'account':
      return <Account part={place.part} />;
    default:
      return <Nowhere />;
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
