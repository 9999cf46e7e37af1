// A table shows the rows of a breakdown, such as visitors by country. A panel has one or more tables, and shows one at
// a time. Panels and tables are made from the dimensions in src/stats/dimensions.ts. So a new dimension appears without
// a change here. This file adds only what a browser needs: texts for empty values, hints, and ways to write values.
//
// Example: the panel `PLACES` has the table of countries. Its row `DE` is written "Germany".
//
// tabbed-panel.tsx shows a panel, and details.tsx shows all rows of one table.

import type { Overview } from '../../../api/answers.ts';
import type { DashboardMessage } from '../../../lang/dashboard.ts';
import { type Breakdown, DIMENSIONS, type DimensionName } from '../../../stats/dimensions.ts';
import { isAnyLeftOut, isAnyUnknown } from '../../../stats/left-out.ts';
import { VALUE_NAMES } from '../../core/filter-names.ts';
import { NAMED_DIMENSIONS } from '../../core/named-dimensions.ts';
import { readable } from '../../core/readable.ts';
import { t } from '../../core/texts.ts';
import { type FilterName, type Filters, filterOf } from '../../core/view.ts';

export type Table = {
  /** The name of the breakdown in the API. */
  id: Breakdown | 'sites';
  label: DashboardMessage;
  /** The heading of the first column, such as "Country". */
  heading: DashboardMessage;
  /** The filter that a click on a row changes. */
  filter?: FilterName;
  /** The text for an empty value. If it is missing, the text is "Unknown". */
  emptyValue?: DashboardMessage;
  textOf?(value: string): string;
  /** True if each row is a page of the site. Then the row has a link that opens the page. */
  isPage?: true;
  /** True if each row is a site. Then the row has a link to the report of the site. */
  isSites?: true;
  /** The title of the message that replaces the rows if there are none. `hint` says what the user can do then. */
  none: DashboardMessage;
  hint?: DashboardMessage;
};
type PanelName = (typeof DIMENSIONS)[DimensionName]['panel'] | 'sites';
/** A panel with its tables. One table of the panel is shown at a time. */
export type Tables = { id: PanelName; title: DashboardMessage; tables: readonly [Table, ...Table[]] };

const TAG: Partial<Table> = {
  none: 'No visits with this UTM tag',
  hint: 'Add tags to links you share, such as ?utm_source=newsletter.',
};

/** Fields of tables that are not in src/stats/dimensions.ts, because only the dashboard needs them. */
const MORE: Partial<Record<DimensionName, Partial<Table>>> = {
  page: { isPage: true },
  entry: { isPage: true },
  exit: { isPage: true },
  utm_source: TAG,
  utm_medium: TAG,
  utm_campaign: TAG,
  utm_term: TAG,
  utm_content: TAG,
  event: {
    none: 'No events on these days',
    hint: "Call daybook('signup') in your pages, or add data-daybook-event to a link or button.",
  },
  property: { none: 'No properties on these days' },
  property_value: { none: 'No values on these days' },
  label: {
    none: 'No labels on these days',
    hint: "To add a label to an event, pass it as the second argument: daybook('signup', 'pro').",
  },
};

export type NoticeCodes = Overview['notice_codes'];

const NO_VISITORS = 'No visitors on these days';

/**
 * Chooses the title of the message that replaces the rows of an empty table. If days or figures are missing, the title
 * must not say that there were no visitors. With filters, it says that no visits match, because other visits may exist.
 * A table with a title of its own, such as "No events on these days", keeps that title.
 */
export function noneIn({ none }: Pick<Table, 'none'>, notices: NoticeCodes, filters: Filters = {}): DashboardMessage {
  if (isAnyLeftOut(notices) || isAnyUnknown(notices)) return 'Not available for these days';
  return none === NO_VISITORS && Object.keys(filters).length > 0 ? 'No visits match these filters' : none;
}

function tableOf(dimension: DimensionName): Table {
  const { breakdown, tab, name, filter, ...more } = NAMED_DIMENSIONS[dimension];
  const textOf = VALUE_NAMES[dimension];
  return {
    id: breakdown,
    label: tab,
    heading: name,
    none: NO_VISITORS,
    ...(filter ? { filter: dimension as FilterName } : {}),
    ...(more.emptyValue ? { emptyValue: more.emptyValue } : {}),
    ...(textOf ? { textOf } : {}),
    ...MORE[dimension],
  };
}

const NAMES = Object.keys(DIMENSIONS) as DimensionName[];

const panel = (id: PanelName, title: DashboardMessage): Tables => ({
  id,
  title,
  tables: NAMES.filter((name) => DIMENSIONS[name].panel === id).map(tableOf) as unknown as Tables['tables'],
});

export const PAGES = panel('pages', 'Pages');
export const SOURCES = panel('sources', 'Sources');
export const PLACES = panel('places', 'Places');
export const DEVICES = panel('devices', 'Devices');
export const EVENTS = panel('events', 'Events');

const PROPERTIES = panel('properties', 'Properties');

const PANELS = [PAGES, SOURCES, PLACES, DEVICES, EVENTS, PROPERTIES];

export const [PROPERTY_NAMES] = PROPERTIES.tables;
const VALUES = tableOf('property_value');

/** Makes the table of a property's values. A click on a row filters by its value. */
export const valuesOf = (property: string): Table => ({ ...VALUES, filter: filterOf(property) });

/** Writes the title of a table for a place outside of its panel, such as "Places: Countries" in a dialog. */
export const titleOf = ({ title, tables }: Tables, { label }: Table): string =>
  tables.length > 1 ? t('{panel}: {tab}', { panel: t(title), tab: t(label) }) : t(title);

/** Finds a table by `id`, the name of its breakdown in the API. */
export const findTable = (id: string | undefined): { table: Table; title: string } | undefined =>
  PANELS.flatMap((of) => of.tables.map((table) => ({ table, title: titleOf(of, table) }))).find(
    ({ table }) => table.id === id,
  );
export const SITES: Tables = {
  id: 'sites',
  title: 'Sites',
  tables: [{ id: 'sites', label: 'Sites', heading: 'Site', isSites: true, none: NO_VISITORS }],
};

/** Writes a value as CSV files have it. For example, DE is written "Germany", but /caf%C3%A9 is not changed. */
export const textIn = ({ textOf, emptyValue = 'Unknown' }: Table, value: string): string =>
  value === '' ? t(emptyValue) : textOf ? textOf(value) : value;

/** Writes a value as the page shows it. For example, /caf%C3%A9 is shown as /café. */
export const shownIn = (table: Table, value: string): string =>
  value !== '' && table.filter ? readable(table.filter, textIn(table, value)) : textIn(table, value);
