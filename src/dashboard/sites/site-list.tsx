// The site list, with a card for each site, grouped by the account that owns it. Cards can be sorted by visitors, by
// change or by name. Sorting by a figure needs the figures of all sites. Until these figures have arrived, but at most
// for 0.6 s, all cards are blank. If the figures arrive later, the cards move once. With more than 40 sites, the
// default order is by name, and figures load only for cards in the window.
//
// pages/sites.tsx shows `SiteList`.

import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Site } from '../../api/sites.ts';
import type { Team } from '../../api/team.ts';
import { changeView, useAddress, viewOf } from '../core/address.ts';
import { ApiError, useData } from '../core/api.ts';
import { t } from '../core/texts.ts';
import { useCardFigures } from './card-figures.ts';
import { SiteCard } from './site-card.tsx';

/** The list has a search field if it has at least this many sites. */
const SEARCH_FROM = 5;
/**
 * Up to this number of sites, the list is sorted by figures by default. A longer list is sorted by name, because
 * sorting by figures would need requests for every site.
 */
const SORTED_BY_FIGURES_UP_TO = 40;
/**
 * Cards stay blank until all figures have arrived, but at most for this time. Otherwise users would see cards move when
 * the list is sorted by the figures.
 */
const PATIENCE_MS = 600;
const BY = { visitors: 'By visitors', change: 'By change', name: 'By name' } as const;
const ORDERS = Object.keys(BY) as (keyof typeof BY)[];

export function SiteList({ sites }: { sites: readonly Site[] }) {
  const address = useAddress();
  const [search, setSearch] = useState('');
  const [viewed, setViewed] = useState<readonly string[]>([]);
  const isEarly = useIsEarly();
  const hasSeveralAccounts = new Set(sites.map(({ account_id }) => account_id)).size > 1;
  const team = useData<Team>(hasSeveralAccounts ? '/team' : undefined);
  const order = viewOf(address.search).sort || (sites.length > SORTED_BY_FIGURES_UP_TO ? 'name' : 'visitors');
  const figureName = order === 'visitors' || order === 'change' ? order : undefined;
  const figures = useCardFigures(figureName ? sites : sites.filter(({ domain }) => viewed.includes(domain)));
  const onInView = useCallback(
    (domain: string) => setViewed((before) => (before.includes(domain) ? before : [...before, domain])),
    [],
  );

  /** Returns the value that the site is sorted by. A site without this figure comes last. */
  const rankOf = ({ domain }: Site): number => {
    const result = figures.get(domain);
    if (result === undefined || result instanceof ApiError || !figureName) return Number.MIN_SAFE_INTEGER;
    return result[figureName] ?? Number.MIN_SAFE_INTEGER;
  };
  // The cards are sorted once, when all figures have arrived. Otherwise the cards would move with each answer.
  const isSorted = figureName !== undefined && sites.every(({ domain }) => figures.has(domain));
  const shown = sites
    .filter(({ domain }) => domain.includes(search.trim().toLowerCase()))
    .toSorted((a, b) => (isSorted ? rankOf(b) - rankOf(a) : 0) || a.domain.localeCompare(b.domain));
  const isBlank = figureName !== undefined && !isSorted && isEarly;

  return (
    <>
      <Tools sites={sites} order={order} search={search} onSearch={setSearch} />
      {groupsOf(shown, team.data?.teams ?? []).map(({ accountId, name, sites: own }) => (
        <section key={accountId} class="site-list-group">
          {hasSeveralAccounts && <h2>{name === OWN ? t(OWN) : name || ' '}</h2>}
          <ul class="site-list">
            {own.map((site) =>
              isBlank ? (
                <li key={site.id} class="card site-list-blank" />
              ) : (
                <SiteCard key={site.id} site={site} figures={figures.get(site.domain)} onInView={onInView} />
              ),
            )}
          </ul>
        </section>
      ))}
      {shown.length === 0 ? <p class="soft">{t('No sites match.')}</p> : null}
    </>
  );
}

type ToolsProps = { sites: readonly Site[]; order: string; search: string; onSearch(search: string): void };

function Tools({ sites, order, search, onSearch }: ToolsProps) {
  if (sites.length < 2) return null;
  return (
    <div class="site-list-tools">
      {sites.length >= SEARCH_FROM ? (
        <input
          type="search"
          aria-label={t('Find a site')}
          placeholder={t('Find a site')}
          value={search}
          onInput={({ currentTarget }) => onSearch(currentTarget.value)}
        />
      ) : null}
      <fieldset class="tabs">
        <legend class="unseen">{t('Sort by')}</legend>
        {ORDERS.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={order === name}
            onClick={() => changeView({ sort: name }, 'replace')}
          >
            {t(BY[name])}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

/**
 * True for `PATIENCE_MS` after the list appears. During this time, cards are blank if figures for sorting are missing.
 */
function useIsEarly(): boolean {
  const [isEarly, set] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => set(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isEarly;
}

const OWN = 'Your sites';

export type Group = { accountId: number; name: string; sites: Site[] };

/**
 * Groups sites by the account that owns them. The user's own account comes first. If there is only one account, its
 * group has no name.
 */
export function groupsOf(sites: readonly Site[], teams: Team['teams']): Group[] {
  const byAccount = [...Map.groupBy(sites, ({ account_id }) => account_id)];
  const nameOf = (accountId: number, [site]: readonly Site[]): string =>
    site?.role === 'owner' ? OWN : (teams.find(({ account_id }) => account_id === accountId)?.owner ?? '');
  return byAccount
    .map(([accountId, own]) => ({ accountId, name: byAccount.length > 1 ? nameOf(accountId, own) : '', sites: own }))
    .toSorted((one, other) => Number(other.name === OWN) - Number(one.name === OWN));
}
