import type { ComponentChildren } from 'preact';
import { sitePath } from '../../core/address.ts';
import { useSiteScope } from '../../core/scope.ts';
import { Link } from '../../ui/link.tsx';

type Props = { part: string; children: ComponentChildren };

/** A link to a part of the site's settings. Viewers do not get it, because they cannot change settings. */
export function SettingsLink({ part, children }: Props) {
  const { domain, mayChange } = useSiteScope();
  if (!mayChange) return null;
  return (
    <Link href={sitePath(domain, `/settings/${part}`)} class="button">
      {children}
    </Link>
  );
}
