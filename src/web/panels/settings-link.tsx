import type { ComponentChildren } from 'preact';
import { sitePath } from '../address.ts';
import { Link } from '../parts/link.tsx';
import type { SiteData } from '../shapes.ts';

/** A way to the settings, for those who may change them. */
export function SettingsLink({
  site,
  part,
  children,
}: {
  site: SiteData | undefined;
  part: string;
  children: ComponentChildren;
}) {
  if (!site || site.role === 'viewer') return null;
  return (
    <Link href={sitePath(site.domain, `/settings/${part}`)} class="button">
      {children}
    </Link>
  );
}
