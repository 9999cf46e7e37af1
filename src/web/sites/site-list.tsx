import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Site } from '../../api/sites.ts';
import { changeView, useAddress, viewOf } from '../address.ts';
import { ApiError } from '../api.ts';
import { useFigures } from './card-figures.ts';
import { SiteCard } from './site-card.tsx';

const FILTER_FROM = 9;
/** By visitors all of them must be asked for. */
const SORTED_BY_VISITORS_UP_TO = 40;
/** So long it waits for all figures, so that the list need not be sorted before everybody's eyes. */
const PATIENCE_MS = 600;
const ORDERS = ['visitors', 'name'] as const;

/** Cards in the order that is asked for, with what it takes to find one among many. */
export function List({ sites }: { sites: readonly Site[] }) {
  const { search } = useAddress();
  const [typed, setTyped] = useState('');
  const [seen, setSeen] = useState<readonly string[]>([]);
  const [isPatient, setPatient] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const order = viewOf(search).more.sort ?? (sites.length > SORTED_BY_VISITORS_UP_TO ? 'name' : 'visitors');
  const isByVisitors = order === 'visitors';
  const known = useFigures(isByVisitors ? sites.map(({ domain }) => domain) : seen);
  const onSeen = useCallback(
    (domain: string) => setSeen((before) => (before.includes(domain) ? before : [...before, domain])),
    [],
  );

  const visitorsOf = ({ domain }: Site): number => {
    const figures = known.get(domain);
    return figures === undefined || figures instanceof ApiError ? -1 : figures.visitors;
  };
  // Once, when all are known, and not with each that comes.
  const isSorted = isByVisitors && sites.every(({ domain }) => known.has(domain));
  const shown = sites
    .filter(({ domain }) => domain.includes(typed.trim().toLowerCase()))
    .toSorted((a, b) => (isSorted ? visitorsOf(b) - visitorsOf(a) : 0) || a.domain.localeCompare(b.domain));

  return (
    <>
      {sites.length > 1 ? (
        <div class="sites-tools">
          {sites.length >= FILTER_FROM ? (
            <input
              type="search"
              aria-label="Find a site"
              placeholder="Find a site"
              value={typed}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          ) : null}
          <fieldset class="tabs">
            <legend class="unseen">Sorted by</legend>
            {ORDERS.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={order === name}
                onClick={() => changeView({ more: { sort: name } }, 'replace')}
              >
                By {name}
              </button>
            ))}
          </fieldset>
        </div>
      ) : null}
      <ul class="sites">
        {shown.map((site) =>
          isByVisitors && !isSorted && isPatient ? (
            <li key={site.id} class="card site-blank" />
          ) : (
            <SiteCard key={site.id} site={site} figures={known.get(site.domain)} onSeen={onSeen} />
          ),
        )}
      </ul>
      {shown.length === 0 ? <p class="soft">No site is called that.</p> : null}
    </>
  );
}
