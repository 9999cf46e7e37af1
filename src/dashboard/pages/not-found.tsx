import { useEffect } from 'preact/hooks';
import { t } from '../core/texts.ts';
import { Link } from '../ui/link.tsx';

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
