// The start of the dashboard. This script loads the texts of one language, and then draws the page that the URL names.
// Pages that few users open are loaded later (`lazy`), so that the first page appears sooner. Texts that no page shows
// at first are loaded later too. The build makes the dashboard's script from this file.

import { render } from 'preact';
import type { Language } from '../lang/languages.ts';
import type { Texts } from '../lang/messages.ts';
import { routeOf, useAddress } from './core/address.ts';
import { keepPageAnswers } from './core/answers.ts';
import { boot } from './core/boot.ts';
import { Clock } from './core/clock.ts';
import { setLanguage } from './core/texts.ts';
import { NotFoundPage } from './pages/not-found.tsx';
import { SitePage } from './pages/site.tsx';
import { SitesPage } from './pages/sites.tsx';
import { Frame } from './ui/frame.tsx';
import { lazy } from './ui/lazy.tsx';

const AllSitesPage = lazy(async () => (await import('./pages/all-sites.tsx')).AllSitesPage);
const AccountPage = lazy(async () => (await import('./pages/account.tsx')).AccountPage);
const SettingsPage = lazy(async () => (await import('./pages/settings.tsx')).SettingsPage);

function Page() {
  const { path } = useAddress();
  const route = routeOf(path, boot.share?.domain);
  switch (route.page) {
    case 'sites':
      return <SitesPage />;
    case 'all-sites':
      return <AllSitesPage />;
    case 'site':
      return <SitePage key={route.domain} domain={route.domain} />;
    case 'settings':
      return <SettingsPage key={route.domain} domain={route.domain} part={route.part} />;
    case 'account':
      return <AccountPage part={route.part} />;
    default:
      return <NotFoundPage />;
  }
}

const now = () => Date.now();
keepPageAnswers(now());

type TextFiles = Record<Language, () => Promise<{ texts: Texts }>>;

const FIRST_TEXTS: TextFiles = {
  en: () => import('texts:first/en'),
  de: () => import('texts:first/de'),
  fr: () => import('texts:first/fr'),
  es: () => import('texts:first/es'),
};
const LATER_TEXTS: TextFiles = {
  en: () => import('texts:later/en'),
  de: () => import('texts:later/de'),
  fr: () => import('texts:later/fr'),
  es: () => import('texts:later/es'),
};
setLanguage(boot.language, (await FIRST_TEXTS[boot.language]()).texts, LATER_TEXTS[boot.language]);

const root = document.getElementById('app');
if (root) {
  render(
    <Clock.Provider value={now}>
      <Frame>
        <Page />
      </Frame>
    </Clock.Provider>,
    root,
  );
}
