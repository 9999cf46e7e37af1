// The list of all sites of the user. It opens from the name of the site at the top of its report. Typing searches the
// list. Enter opens the first match, and arrow keys move through the others. The chosen site is shown with the present
// range. Filters are removed, because they may name pages that the chosen site does not have. The list is loaded when
// somebody opens it.
//
// site-header.tsx shows `SiteSwitcher`.

import { useRef, useState } from 'preact/hooks';
import type { Site } from '../../../api/sites.ts';
import { ALL_SITES, navigate, searchOf, sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { USUAL_CHOICES } from '../../core/parameters.ts';
import { useSiteScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { Flyout } from '../../ui/flyout.tsx';
import { Form } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { Answer } from '../../ui/loaded.tsx';

export function SiteSwitcher() {
  const { domain } = useSiteScope();
  const label = (
    <>
      <span aria-hidden="true">▾</span>
      <span class="unseen">{t('Switch to another site')}</span>
    </>
  );
  return (
    <div class="site-switcher">
      <h1>{domain}</h1>
      <Flyout label={label} title={t('Sites')} class="site-switcher-flyout" buttonClass="plain site-switcher-button">
        {() => <SiteChoice />}
      </Flyout>
    </div>
  );
}

function SiteChoice() {
  const { domain, view } = useSiteScope();
  const sites = useData<Site[]>('/sites', {}, 0);
  const [typed, setTyped] = useState('');
  const root = useRef<HTMLDivElement>(null);
  const pathOf = (name: string) => sitePath(name, searchOf({ ...USUAL_CHOICES, range: view.range, filters: {} }));
  const matches = (sites.data ?? [])
    .filter((site) => site.domain.includes(typed.trim().toLowerCase()))
    .toSorted((one, other) => one.domain.localeCompare(other.domain));
  const openFirst = async () => {
    if (matches[0]) navigate(pathOf(matches[0].domain));
  };
  /** Moves the focus from the field to the first link, and from link to link. */
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops = [...(root.current?.querySelectorAll<HTMLElement>('input, a') ?? [])];
    stops[stops.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys help, and the Tab key reaches all links too
    <div ref={root} class="site-switcher-choice" onKeyDown={onKeyDown}>
      <Form submit={openFirst}>
        <input
          type="search"
          data-focus
          aria-label={t('Search {title}', { title: t('Sites') })}
          placeholder={t('Search')}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </Form>
      <Answer of={sites} lines={3}>
        {(all) => (
          <>
            <ul class="site-switcher-list">
              {matches.map((site) => (
                <li key={site.id}>
                  <Link href={pathOf(site.domain)} current={site.domain === domain}>
                    {site.domain}
                  </Link>
                </li>
              ))}
              {matches.length === 0 ? <li class="soft">{t('No match.')}</li> : null}
            </ul>
            {all.length > 1 ? <Link href={ALL_SITES}>{t('All sites')}</Link> : null}
          </>
        )}
      </Answer>
    </div>
  );
}
