/** By what visits and hits are told apart. A `hit` dimension is a word of each hit, a `visit` one that of a visit's first hit. */
type Dimension = {
  /** `end`: the page of the first or last hit of a visit, which no hit carries. */
  kind: 'hit' | 'visit' | 'end';
  /** How many words a site may bring in one day; what comes beyond is counted as `(other)`. */
  cap?: number;
  /** Where a file of hits says it: in the URL, in the referrer, or in a field of this name. */
  field?: 'url' | 'referrer' | 'own';
  /** Whether visits can be selected by it. */
  filter: boolean;
  breakdown: string;
  /** What a breakdown counts visitors by: their visits, or the hits of a kind. */
  counts: 'visits' | 'hits' | 'pageviews' | 'events';
  /** Whether the breakdown has a row for those that have no value. */
  keepsEmpty: boolean;
  /** In the dashboard: the panel, the name of its tab, what a row is, and what the empty value is called. */
  panel: 'pages' | 'sources' | 'places' | 'devices' | 'events';
  tab: string;
  name: string;
  emptyValue?: string;
  /** The version of the file that brought it, where it was not there from the beginning: earlier days have it empty. */
  since?: number;
};

const TAG = { kind: 'visit', cap: 2_000, field: 'url', filter: true, counts: 'visits', keepsEmpty: false } as const;
const ATTRIBUTE = {
  kind: 'visit',
  cap: 2_000,
  field: 'own',
  filter: true,
  counts: 'visits',
  keepsEmpty: true,
} as const;

/**
 * All that is known of a dimension, once. Columns, caps, filters, breakdowns, files, the API's description and the dashboard's
 * tabs follow from it; test/stats/dimensions.test.ts adds one and finds it everywhere.
 */
// biome-ignore format: a table, one line for each kind of thing that is said
export const DIMENSIONS = {
  page: { kind: 'hit', cap: 10_000, field: 'url', filter: true, breakdown: 'pages', counts: 'pageviews', keepsEmpty: true,
    panel: 'pages', tab: 'All', name: 'Page' },
  event: { kind: 'hit', cap: 200, field: 'own', filter: true, breakdown: 'events', counts: 'hits', keepsEmpty: false,
    panel: 'events', tab: 'Events', name: 'Event' },
  label: { kind: 'hit', cap: 2_000, field: 'own', filter: false, breakdown: 'event_labels', counts: 'events', keepsEmpty: false,
    panel: 'events', tab: 'Labels', name: 'Label' },
  entry: { kind: 'end', filter: true, breakdown: 'entry_pages', counts: 'visits', keepsEmpty: true,
    panel: 'pages', tab: 'Entry', name: 'Entry page' },
  exit: { kind: 'end', filter: false, breakdown: 'exit_pages', counts: 'visits', keepsEmpty: true,
    panel: 'pages', tab: 'Exit', name: 'Exit page' },
  source: { kind: 'visit', cap: 5_000, field: 'referrer', filter: true, breakdown: 'referrers', counts: 'visits', keepsEmpty: true,
    panel: 'sources', tab: 'Referrer', name: 'Source', emptyValue: 'Direct' },
  utm_source: { ...TAG, breakdown: 'utm_source', panel: 'sources', tab: 'UTM source', name: 'Campaign source', emptyValue: 'none' },
  utm_medium: { ...TAG, breakdown: 'utm_medium', panel: 'sources', tab: 'Medium', name: 'Campaign medium', emptyValue: 'none' },
  utm_campaign: { ...TAG, breakdown: 'utm_campaign', panel: 'sources', tab: 'Campaign', name: 'Campaign name', emptyValue: 'none' },
  country: { ...ATTRIBUTE, breakdown: 'countries', panel: 'places', tab: 'Country', name: 'Country', emptyValue: 'Unknown' },
  device: { ...ATTRIBUTE, breakdown: 'devices', panel: 'devices', tab: 'Device', name: 'Device', emptyValue: 'Unknown' },
  browser: { ...ATTRIBUTE, breakdown: 'browsers', panel: 'devices', tab: 'Browser', name: 'Browser', emptyValue: 'Unknown' },
  os: { ...ATTRIBUTE, breakdown: 'operating_systems', panel: 'devices', tab: 'System', name: 'Operating system', emptyValue: 'Unknown' },
} as const satisfies Record<string, Dimension>;

type Table = typeof DIMENSIONS;
export type DimensionName = keyof Table;
type NamesWith<Part> = { [Name in DimensionName]: Table[Name] extends Part ? Name : never }[DimensionName];

const namesWhere = (test: (dimension: Dimension) => boolean): DimensionName[] =>
  (Object.keys(DIMENSIONS) as DimensionName[]).filter((name) => test(DIMENSIONS[name]));

/** What a hit carries as text, in the order in which it is kept. */
export type Word = NamesWith<{ kind: 'hit' | 'visit' }>;
export const WORDS = namesWhere(({ kind }) => kind !== 'end') as Word[];

export type HitWord = NamesWith<{ kind: 'hit' }>;
export const HIT_WORDS = namesWhere(({ kind }) => kind === 'hit') as HitWord[];

/** Of these a visit has those of its first hit. */
export type VisitWord = NamesWith<{ kind: 'visit' }>;
export const VISIT_WORDS = namesWhere(({ kind }) => kind === 'visit') as VisitWord[];

/** What has a field of its own in a file of hits. */
export type FieldWord = NamesWith<{ field: 'own' }>;
export const FIELD_WORDS = namesWhere(({ field }) => field === 'own') as FieldWord[];

export type FilterName = NamesWith<{ filter: true }>;
export const FILTERS = namesWhere(({ filter }) => filter) as FilterName[];

/** Filters on what a visit is; those on its hits are `page` and `event`. */
export type VisitFilter = Exclude<FilterName, HitWord>;
export const VISIT_FILTERS = FILTERS.filter((name) => DIMENSIONS[name].kind !== 'hit') as VisitFilter[];

export type Breakdown = Table[DimensionName]['breakdown'];
/** The dimension of each breakdown. */
export const BREAKDOWNS = Object.fromEntries(
  Object.entries(DIMENSIONS).map(([name, { breakdown }]) => [breakdown, name]),
) as Record<Breakdown, DimensionName>;
export const BREAKDOWN_NAMES = Object.keys(BREAKDOWNS) as Breakdown[];

/** The version of the file from which on a dimension is kept. */
export const sinceOf = (name: DimensionName): number => (DIMENSIONS[name] as Dimension).since ?? 1;

/** What stands for the words of a site beyond the cap of a day. */
export const OTHER = '(other)';
