import { useEffect } from 'preact/hooks';
import { Link } from '../parts/link.tsx';
import { t } from '../texts.ts';

export function NotFoundPage() {
  useEffect(() => {
    document.title = `${t('No such page')} · daybook`;
  }, []);
  return (
    <main id="main">
      <div class="message">
        <h1>{t('There is no such page')}</h1>
        <p>{t('The address may be mistyped, or the page is gone.')}</p>
        <p>
          <Link href="/">{t('All your sites')}</Link>
        </p>
      </div>
    </main>
  );
}
