import { t } from '../core/texts.ts';
import { Empty } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';

/** Shown if a site does not exist, and also if the user may not see the site. So nobody can find out which sites exist. */
export function SiteNotFound({ domain }: { domain: string }) {
  return (
    <main id="main">
      <h1 class="unseen">{t('Site not found')}</h1>
      <Empty title={t('There is no site {domain}', { domain })}>
        <p>{t('The site does not exist, or you do not have access.')}</p>
        <p>
          <Link href="/">{t('All your sites')}</Link>
        </p>
      </Empty>
    </main>
  );
}
