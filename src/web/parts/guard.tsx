import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { t } from '../texts.ts';

/**
 * Shown in place of a part that failed. A reload tries everything again, because the URL says all that the page
 * shows.
 */
export function Failed() {
  return (
    <div class="message" role="alert">
      <p>{t('This part could not be shown. The server may have been updated since the page was loaded.')}</p>
      <button type="button" onClick={() => location.reload()}>
        {t('Try again')}
      </button>
    </div>
  );
}

/** Catches an error of its children and shows something in their place. The rest of the page stays. */
export function Guard({ children, failed = <Failed /> }: { children: ComponentChildren; failed?: ComponentChildren }) {
  const [error] = useErrorBoundary((error) => console.warn(error));
  return <>{error === undefined ? children : failed}</>;
}

/** Shown in place of a whole page that failed. */
export const FAILED_PAGE = (
  <main id="main">
    <Failed />
  </main>
);
