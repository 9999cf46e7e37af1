import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link } from '../parts/link.tsx';

type Props = {
  title: string;
  /** Stands beside the title. */
  about: ComponentChildren;
  /** The names of the parts by their segment in the address. */
  names: Record<string, string>;
  part: string;
  pathOf(part: string): string;
  children: ComponentChildren;
};

/** A page in parts, each with an address of its own. */
export function TabbedPage({ title, about, names, part, pathOf, children }: Props) {
  useEffect(() => {
    document.title = `${names[part]} · ${title} · daybook`;
  }, [title, names, part]);
  return (
    <main id="main" class="tabbed-page">
      <header>
        <h1>{title}</h1>
        <p class="soft">{about}</p>
      </header>
      <nav class="tabs" aria-label={`Parts of ${title}`}>
        {Object.entries(names).map(([key, name]) => (
          <Link key={key} href={pathOf(key)} current={key === part}>
            {name}
          </Link>
        ))}
      </nav>
      <div class="tabbed-page-blocks">{children}</div>
    </main>
  );
}
