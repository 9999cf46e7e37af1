// The panel of properties. A property is a name with a value that a site sends with its hits. An example is the plan of
// a sign-up. The panel lists the names of the properties. A click on a name shows its values, and a click on a value
// filters by it. The URL has the name that is open.
//
// Example: a click on `plan` shows `pro` and `free`. A click on `pro` sets the filter "Property plan is pro".
//
// Invariant: a site without properties does not have this panel, unless the URL names a property. In place of the
// panel, a line in the panel of events suggests sending properties.
//
// panels.tsx shows the panel and this line.

import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Breakdown } from '../../../api/answers.ts';
import { isAnyLeftOut, isAnyUnknown } from '../../../stats/left-out.ts';
import { changeView, searchOf } from '../../core/address.ts';
import { type Loaded, type Query, useData } from '../../core/api.ts';
import { statsPath, useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { isProperty, keysOf, partsOf } from '../../core/view.ts';
import { useIsTimeForRest } from '../../ui/printing.ts';
import { openDetails } from '../details/details-address.ts';
import { PROPERTY_NAMES, valuesOf } from '../model/tables.ts';
import { BreakdownRows, breakdownQuery, type Totals, useBreakdown } from './breakdown.tsx';
import { Panel } from './panel.tsx';
import { MOST_ROWS } from './ranking.tsx';

const COUNTED = { metrics: 'count' };

type Names = Loaded<Breakdown>;

/**
 * Loads the names of properties after all visible parts are loaded, because most sites have no properties. After a
 * change of the view, the earlier names stay until all visible parts are loaded again. Meanwhile, the panel of
 * properties must not be marked as loading. Otherwise `useIsTimeForRest` would wait until the panel is loaded. But the
 * panel needs the names, so the names would never be loaded.
 */
export function usePropertyNames(): Names {
  const scope = useScope();
  const isTime = useIsTimeForRest(searchOf(scope.view));
  const last = useRef<{ path: string | undefined; query: Query }>({ path: undefined, query: {} });
  if (isTime) {
    last.current = {
      path: statsPath(scope, 'breakdown/properties'),
      query: { ...breakdownQuery(PROPERTY_NAMES, scope.view), ...COUNTED, limit: String(MOST_ROWS) },
    };
  }
  return useData<Breakdown>(last.current.path, last.current.query);
}

export function PropertiesPanel({ names, ...totals }: Totals & { names: Names }) {
  const { view } = useScope();
  const isAsked = view.property !== '' || keysOf(view.filters).some((key) => isProperty(partsOf(key)[0]));
  if (!isAsked && !names.data?.rows.length) return null;
  return (
    <Panel id="properties" title={t('Properties')} class="is-wide">
      <Body names={names} {...totals} />
    </Panel>
  );
}

function Body({ names, ...totals }: Totals & { names: Names }) {
  const { view } = useScope();
  const { property } = view;
  const body = useRef<HTMLDivElement>(null);
  const before = useRef(property);
  useLayoutEffect(() => {
    // The clicked button disappears. So the first of the new buttons gets the focus.
    const isChanged = before.current !== property;
    before.current = property;
    if (isChanged && document.activeElement === document.body) body.current?.querySelector('button')?.focus();
  }, [property]);
  return (
    <div ref={body} class="panel-body">
      {property === '' ? (
        <BreakdownRows
          of={names}
          table={PROPERTY_NAMES}
          title={t('Properties')}
          {...totals}
          onDetails={() => openDetails(PROPERTY_NAMES)}
        />
      ) : (
        <Values key={property} property={property} {...totals} />
      )}
    </div>
  );
}

function Values({ property, ...totals }: Totals & { property: string }) {
  const table = valuesOf(property);
  return (
    <>
      <p class="panel-choice">
        <button type="button" class="plain" onClick={() => changeView({ property: '' })}>
          ← {t('All properties')}
        </button>{' '}
        <strong>{property}</strong>
      </p>
      <BreakdownRows
        of={useBreakdown(table, { property, ...COUNTED })}
        table={table}
        title={t('Property {name}', { name: property })}
        parameters={{ property }}
        {...totals}
        onDetails={() => openDetails(table)}
      />
    </>
  );
}

/** Suggests sending properties, if the site has none. Only people who may change the site see this line. */
export function PropertyHint({ names: { data, isStale } }: { names: Names }) {
  const { view, mayChange } = useScope();
  const isFiltered = keysOf(view.filters).length > 0;
  if (!mayChange || isFiltered || isStale || data === undefined || data.rows.length > 0) return null;
  if (isAnyLeftOut(data.notice_codes) || isAnyUnknown(data.notice_codes)) return null;
  return <p class="soft small">{t('To see figures by plan or author, send properties with your hits.')}</p>;
}
