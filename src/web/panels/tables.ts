import type { Overview } from '../../api/answers.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { type Breakdown, DIMENSIONS, type DimensionName } from '../../stats/dimensions.ts';
import { isAnyLeftOut, isAnyUnknown } from '../../stats/left-out.ts';
import { country } from '../format.ts';
import { NAMED_DIMENSIONS } from '../named-dimensions.ts';
import { readable } from '../readable.ts';
import { t } from '../texts.ts';
import type { FilterName } from '../view.ts';

/** How the rows of a breakdown are shown. */
export type Table = {
  /** The breakdown of the API. */
  id: Breakdown | 'sites';
  label: DashboardMessage;
  /** The heading of the first column: what a row is. */
  heading: DashboardMessage;
  /** The filter that a click on a row sets. */
  filter?: FilterName;
  /** How the empty value is shown; Unknown unless said otherwise. */
  emptyValue?: DashboardMessage;
  textOf?(value: string): string;
  /** Rows are pages of the site, which can be opened. */
  isPage?: true;
  /** Rows are sites, which have pages of their own. */
  isSites?: true;
  /** The title where there are no rows, and what to do about it. */
  none: DashboardMessage;
  hint?: DashboardMessage;
};
/** The tables of a panel, of which one is open. */
export type Tables = { id: string; title: DashboardMessage; tables: readonly [Table, ...Table[]] };

const TAGS = 'Links you share can carry tags, such as ?utm_source=newsletter.';

/** What a dimension has beside what all have. */
const MORE: Partial<Record<DimensionName, Partial<Table>>> = {
  page: { isPage: true },
  entry: { isPage: true },
  exit: { isPage: true },
  utm_source: { none: 'No visits with a source tag', hint: TAGS },
  utm_medium: { none: 'No visits with a medium tag', hint: TAGS },
  utm_campaign: { none: 'No visits with a campaign tag', hint: TAGS },
  country: { textOf: country },
  event: {
    none: 'No events in these days',
    hint: "Pages send them with daybook('signup'), or with data-daybook-event on a link or button.",
  },
  label: {
    none: 'No labels in these days',
    hint: "A label is the second word of an event: daybook('signup', 'pro').",
  },
};

export type NoticeCodes = Overview['notice_codes'];

/** The title where there are no rows: nobody came, or what is asked for is not known. */
export const noneIn = ({ none }: Pick<Table, 'none'>, notices: NoticeCodes): DashboardMessage =>
  isAnyLeftOut(notices) || isAnyUnknown(notices) ? 'Not known of these days' : none;

function tableOf(dimension: DimensionName): Table {
  const { breakdown, tab, name, filter, ...more } = NAMED_DIMENSIONS[dimension];
  return {
    id: breakdown,
    label: tab,
    heading: name,
    none: 'No visitors in these days',
    ...(filter ? { filter: dimension as FilterName } : {}),
    ...(more.emptyValue ? { emptyValue: more.emptyValue } : {}),
    ...MORE[dimension],
  };
}

const NAMES = Object.keys(DIMENSIONS) as DimensionName[];

/** The tables of a panel: those of the dimensions that name it. */
const panel = (id: string, title: DashboardMessage): Tables => ({
  id,
  title,
  tables: NAMES.filter((name) => DIMENSIONS[name].panel === id).map(tableOf) as unknown as Tables['tables'],
});

export const PAGES = panel('pages', 'Pages');
export const SOURCES = panel('sources', 'Sources');
export const PLACES = panel('places', 'Places');
export const DEVICES = panel('devices', 'Devices');
export const EVENTS = panel('events', 'Events');

const PANELS = [PAGES, SOURCES, PLACES, DEVICES, EVENTS];

/** What a table is called outside of its panel. */
export const titleOf = ({ title, tables }: Tables, { label }: Table): string =>
  tables.length > 1 ? t('{panel}: {tab}', { panel: t(title), tab: t(label) }) : t(title);

/** A table with its title by the breakdown that it shows. */
export const findTable = (id: string | undefined): { table: Table; title: string } | undefined =>
  PANELS.flatMap((of) => of.tables.map((table) => ({ table, title: titleOf(of, table) }))).find(
    ({ table }) => table.id === id,
  );
export const SITES: Tables = {
  id: 'sites',
  title: 'Sites',
  tables: [{ id: 'sites', label: 'Sites', heading: 'Site', isSites: true, none: 'No visitors in these days' }],
};

/** A value whole, as files have it. */
export const textIn = ({ textOf, emptyValue = 'Unknown' }: Table, value: string): string =>
  value === '' ? t(emptyValue) : textOf ? textOf(value) : value;

/** A value for the eye. */
export const shownIn = (table: Table, value: string): string =>
  value !== '' && table.filter ? readable(table.filter, textIn(table, value)) : textIn(table, value);
