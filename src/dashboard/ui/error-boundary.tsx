import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { t } from '../core/texts.ts';

/**
 * Replaces a part of the page that failed. The button reloads the page. The URL says what the page shows, so the user
 * loses nothing.
 */
export function Failed() {
  return (
    <div class="message" role="alert">
      <p>{t('This part could not be displayed. The server may have been updated after you loaded the page.')}</p>
      <button type="button" onClick={() => location.reload()}>
        {t('Try again')}
      </button>
    </div>
  );
}

/** Catches an error of its children and shows `failed` instead. The rest of the page stays. */
export function Guard({ children, failed = <Failed /> }: { children: ComponentChildren; failed?: ComponentChildren }) {
  const [error] = useErrorBoundary((error) => console.warn(error));
  return <>{error === undefined ? children : failed}</>;
}

export const FAILED_PAGE = (
  <main id="main">
    <Failed />
  </main>
);
