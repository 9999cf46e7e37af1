import type { ComponentChildren } from 'preact';
import type { Site } from '../../../api/sites.ts';
import { sitePath } from '../../core/address.ts';
import { Link } from '../../ui/link.tsx';

type Props = { site: Site | undefined; part: string; children: ComponentChildren };

/** Viewers do not get the link, because they cannot change settings. */
export function SettingsLink({ site, part, children }: Props) {
  if (!site || site.role === 'viewer') return null;
  return (
    <Link href={sitePath(site.domain, `/settings/${part}`)} class="button">
      {children}
    </Link>
  );
}
