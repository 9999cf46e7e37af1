// The frame of every page. It has the name "daybook", the navigation, the message that the server cannot be reached,
// and the dialog that asks for the password. Visitors with a share link see only one site, so their frame has no
// navigation. When another page opens, the focus moves to its content. main.tsx renders each page within `Frame`.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { routeOf, useAddress } from '../core/address.ts';
import { boot } from '../core/boot.ts';
import { t } from '../core/texts.ts';
import { ConfirmIdentity } from './confirm-identity.tsx';
import { FAILED_PAGE, Guard } from './error-boundary.tsx';
import { focusMain } from './focus.ts';
import { useFrameHeight } from './frame-height.ts';
import { Link } from './link.tsx';
import { NotRefreshed } from './not-refreshed.tsx';
import { ThemeButton } from './theme.tsx';

export function Frame({ children }: { children: ComponentChildren }) {
  const { path } = useAddress();
  const route = routeOf(path);
  const page = 'domain' in route ? `${route.page} ${route.domain}` : route.page;
  useFocusOnChange(page);
  useFrameHeight();
  useEffect(() => document.body.removeAttribute('aria-busy'), []);
  return (
    <>
      <a class="frame-skip" href="#main">
        {t('Skip to the content')}
      </a>
      {boot.isPublicDemo && <p class="frame-demo">{t('Public demo: read-only, resets each hour')}</p>}
      {boot.share ? null : (
        <header class="frame-header">
          <Link href="/" class="frame-brand">
            <Brand />
          </Link>
          <nav aria-label={t('You')}>
            <ThemeButton />
            {boot.isPublicDemo ? null : <OwnAccount isCurrent={route.page === 'account'} />}
          </nav>
        </header>
      )}
      <Guard key={page} failed={FAILED_PAGE}>
        {children}
      </Guard>
      <NotRefreshed />
      <ConfirmIdentity />
      {boot.share ? (
        <footer class="frame-credit">
          {t('Made with')} <Brand />
        </footer>
      ) : null}
    </>
  );
}

const OwnAccount = ({ isCurrent }: { isCurrent: boolean }) => (
  <>
    <Link href="/account/you" class="button plain" current={isCurrent}>
      {t('Account')}
    </Link>
    <form method="post" action="/sign-out">
      <button type="submit" class="plain">
        {t('Sign out')}
      </button>
    </form>
  </>
);

function useFocusOnChange(page: string): void {
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    focusMain();
  }, [page]);
}

const Brand = () => (
  <>
    <svg viewBox="0 0 20 20" width="20" height="20" fill="currentColor" aria-hidden="true">
      <path d="M2 12.5h4V18H2zM8 8h4v10H8zM14 2h4v16h-4z" />
    </svg>
    daybook
  </>
);
