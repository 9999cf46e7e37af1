import { useEffect } from 'preact/hooks';
import { t } from '../core/texts.ts';
import { Link } from '../ui/link.tsx';

export function NotFoundPage() {
  useEffect(() => {
    document.title = `${t('Page not found')} · daybook`;
  }, []);
  return (
    <main id="main">
      <div class="message">
        <h1>{t('This page does not exist')}</h1>
        <p>{t('The URL may be wrong, or the page may have been removed.')}</p>
        <p>
          <Link href="/" class="button primary">
            {t('All your sites')}
          </Link>
        </p>
      </div>
    </main>
  );
}
