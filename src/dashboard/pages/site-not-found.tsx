import { t } from '../core/texts.ts';
import { Link } from '../ui/link.tsx';

/**
 * The message if a site does not exist, or if the user may not see it. The message does not say which of these is true.
 * So nobody finds out which sites exist.
 */
export function SiteNotFound({ domain }: { domain: string }) {
  return (
    <main id="main">
      <div class="message">
        <h1>{t('There is no site {domain}', { domain })}</h1>
        <p>{t('The site does not exist, or you do not have access.')}</p>
        <p>
          <Link href="/" class="button primary">
            {t('All your sites')}
          </Link>
        </p>
      </div>
    </main>
  );
}
