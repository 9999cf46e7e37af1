import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { t } from '../core/texts.ts';
import { Link } from './link.tsx';

type Props = {
  title: string;
  about: ComponentChildren;
  /** The names of the parts. The key of a part is the last segment of its URL. */
  names: Record<string, DashboardMessage>;
  part: string;
  pathOf(part: string): string;
  children: ComponentChildren;
};

/** A page with several parts, such as the settings. Each part has its own URL and a tab. */
export function TabbedPage({ title, about, names, part, pathOf, children }: Props) {
  useEffect(() => {
    const name = names[part];
    document.title = `${name ? t(name) : ''} · ${title} · daybook`;
  }, [title, names, part]);
  return (
    <main id="main" class="tabbed-page">
      <header>
        <h1>{title}</h1>
        <p class="soft">{about}</p>
      </header>
      <nav class="tabs" aria-label={t('Sections of {title}', { title })}>
        {Object.entries(names).map(([key, name]) => (
          <Link key={key} href={pathOf(key)} current={key === part}>
            {t(name)}
          </Link>
        ))}
      </nav>
      <div class="tabbed-page-blocks">{children}</div>
    </main>
  );
}
