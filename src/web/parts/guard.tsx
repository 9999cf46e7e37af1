import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { t } from '../texts.ts';

/** In place of a part that failed. All that a page shows stands in its address, so that a reload tries everything again. */
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

/** Of children that fail, only they are missing: without it an error ends the drawing of the whole page. */
export function Guard({ children, failed = <Failed /> }: { children: ComponentChildren; failed?: ComponentChildren }) {
  const [error] = useErrorBoundary((error) => console.warn(error));
  return <>{error === undefined ? children : failed}</>;
}

/** In place of a whole page that failed. */
export const FAILED_PAGE = (
  <main id="main">
    <Failed />
  </main>
);
