// The table of dimensions. Columns, limits, filters, breakdowns, export files, the API and the tabs of the dashboard
// are made from this table.
//
// Invariant: no other file lists all dimensions.
//
// Example: the row `country` adds a column to visits, with at most 2,000 countries a day. The row also adds
// `filters[country]` and `breakdown/countries` to the API, and a tab to the dashboard. Test:
// test/stats/dimensions.program.test.ts adds a dimension and finds it everywhere.
type Dimension = {
  /**
   * Says which text the dimension has. `hit`: each hit has its own text. `visit`: a visit has the text of its first
   * hit. `end`: the text is the page of the visit's first or last hit. `derived`: the text is not stored. The text is
   * worked out from other texts of the visit when a day is read. `property`: the text is a name or a value of the
   * properties of hits. A hit may have several properties.
   */
  kind: 'hit' | 'visit' | 'end' | 'derived' | 'property';
  /**
   * The most different texts that a site may have in a day. Further texts count as `(other)`. Otherwise, random texts
   * could fill the memory.
   */
  cap?: number;
  /** Where an imported file has the text of the dimension: in the URL, in the referrer, or in a field of its own. */
  field?: 'url' | 'referrer' | 'own';
  /**
   * True if there are few possible values, as with countries. Filters then offer a list of values, and allow no
   * patterns.
   */
  isClosed?: boolean;
  filter: boolean;
  breakdown: string;
  counts: 'visits' | 'hits' | 'pageviews' | 'events';
  /**
   * True if the breakdown has a row for the empty value. For example, the row "Direct" has the visits without a source.
   */
  keepsEmpty: boolean;
  /** Names for the dashboard. `panel` and `tab` say where the dimension is shown, and `name` says what one row is. */
  panel: 'pages' | 'sources' | 'places' | 'devices' | 'events' | 'properties';
  tab: string;
  name: string;
  emptyValue?: string;
  /**
   * The version of the database file that added the dimension. Dimensions that version 1 already had lack this field.
   * Days that were sealed with an earlier version have an empty value.
   */
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

// biome-ignore format: a table is easier to compare with two lines for each dimension
export const DIMENSIONS = {
  page: { kind: 'hit', cap: 10_000, field: 'url', filter: true, breakdown: 'pages', counts: 'pageviews', keepsEmpty: true,
    panel: 'pages', tab: 'All', name: 'Page' },
  event: { kind: 'hit', cap: 200, field: 'own', filter: true, breakdown: 'events', counts: 'hits', keepsEmpty: false,
    panel: 'events', tab: 'Events', name: 'Event' },
  label: { kind: 'hit', cap: 2_000, field: 'own', filter: false, breakdown: 'event_labels', counts: 'events', keepsEmpty: false,
    panel: 'events', tab: 'Labels', name: 'Label' },
  property: { kind: 'property', filter: false, breakdown: 'properties', counts: 'hits', keepsEmpty: false,
    panel: 'properties', tab: 'Properties', name: 'Property' },
  property_value: { kind: 'property', filter: false, breakdown: 'property_values', counts: 'hits', keepsEmpty: false,
    panel: 'properties', tab: 'Values', name: 'Value' },
  entry: { kind: 'end', filter: true, breakdown: 'entry_pages', counts: 'visits', keepsEmpty: true,
    panel: 'pages', tab: 'Entry', name: 'Entry page' },
  exit: { kind: 'end', filter: true, breakdown: 'exit_pages', counts: 'visits', keepsEmpty: true,
    panel: 'pages', tab: 'Exit', name: 'Exit page' },
  hostname: { kind: 'hit', cap: 2_000, field: 'url', filter: true, breakdown: 'hostnames', counts: 'pageviews', keepsEmpty: true,
    panel: 'pages', tab: 'Host name', name: 'Host name', emptyValue: 'Unknown' },
  source: { kind: 'visit', cap: 5_000, field: 'referrer', filter: true, breakdown: 'referrers', counts: 'visits', keepsEmpty: true,
    panel: 'sources', tab: 'Referrer', name: 'Source', emptyValue: 'Direct' },
  channel: { kind: 'derived', isClosed: true, filter: true, breakdown: 'channels', counts: 'visits', keepsEmpty: false,
    panel: 'sources', tab: 'Channel', name: 'Channel' },
  utm_source: { ...TAG, breakdown: 'utm_source', panel: 'sources', tab: 'UTM source', name: 'Campaign source', emptyValue: 'none' },
  utm_medium: { ...TAG, breakdown: 'utm_medium', panel: 'sources', tab: 'Medium', name: 'Campaign medium', emptyValue: 'none' },
  utm_campaign: { ...TAG, breakdown: 'utm_campaign', panel: 'sources', tab: 'Campaign', name: 'Campaign name', emptyValue: 'none' },
  utm_term: { ...TAG, breakdown: 'utm_term', panel: 'sources', tab: 'Term', name: 'Campaign term', emptyValue: 'none' },
  utm_content: { ...TAG, breakdown: 'utm_content', panel: 'sources', tab: 'Content', name: 'Campaign content', emptyValue: 'none' },
  country: { ...ATTRIBUTE, isClosed: true, breakdown: 'countries', panel: 'places', tab: 'Country', name: 'Country', emptyValue: 'Unknown' },
  region: { ...ATTRIBUTE, isClosed: true, breakdown: 'regions', panel: 'places', tab: 'Region', name: 'Region', emptyValue: 'Unknown' },
  city: { ...ATTRIBUTE, breakdown: 'cities', panel: 'places', tab: 'City', name: 'City', emptyValue: 'Unknown' },
  device: { ...ATTRIBUTE, isClosed: true, breakdown: 'devices', panel: 'devices', tab: 'Device', name: 'Device', emptyValue: 'Unknown' },
  browser: { ...ATTRIBUTE, breakdown: 'browsers', panel: 'devices', tab: 'Browser', name: 'Browser', emptyValue: 'Unknown' },
  browser_version: { ...ATTRIBUTE, breakdown: 'browser_versions', panel: 'devices', tab: 'Browser version', name: 'Browser version', emptyValue: 'Unknown' },
  os: { ...ATTRIBUTE, breakdown: 'operating_systems', panel: 'devices', tab: 'System', name: 'Operating system', emptyValue: 'Unknown' },
  os_version: { ...ATTRIBUTE, breakdown: 'os_versions', panel: 'devices', tab: 'System version', name: 'System version', emptyValue: 'Unknown' },
  screen: { ...ATTRIBUTE, isClosed: true, breakdown: 'screens', panel: 'devices', tab: 'Screen', name: 'Screen', emptyValue: 'Unknown' },
  language: { ...ATTRIBUTE, isClosed: true, breakdown: 'languages', panel: 'devices', tab: 'Language', name: 'Language', emptyValue: 'Unknown' },
} as const satisfies Record<string, Dimension>;

type Table = typeof DIMENSIONS;
export type DimensionName = keyof Table;
export type Counted = Table[DimensionName]['counts'];
type NamesWith<Part> = { [Name in DimensionName]: Table[Name] extends Part ? Name : never }[DimensionName];

const namesWhere = (test: (dimension: Dimension) => boolean): DimensionName[] =>
  (Object.keys(DIMENSIONS) as DimensionName[]).filter((name) => test(DIMENSIONS[name]));

/**
 * A text of a visit that is no dimension: the ad network whose click id was in the URL. No report shows this text, but
 * the channel is worked out from it. There are few networks, so hits never reach the limit `AD_CAP`.
 */
const AD = 'ad';
const AD_CAP = 20;

/** The name of the text with all properties of a hit (properties.ts). */
export const PROPERTIES = 'properties';

/**
 * The field of a hit with its revenue, as a text such as `EUR 1999` (revenue.ts). Revenue is no dimension, because
 * reports add up its amounts. The stored sums with this name have the amounts of a whole day. In a list of unknown
 * sums, the name says that the revenue of the day is unknown.
 */
export const REVENUE = 'revenue' as const;

/**
 * The most different amounts that a site may have in a day. The amounts of further hits become `(other)`, and notices
 * say so. Otherwise, random amounts could fill the database file.
 */
export const MOST_AMOUNTS_OF_DAY = 50_000;

/** The text fields of a hit. The columns in the database have the same order. */
export type TextField = NamesWith<{ kind: 'hit' | 'visit' }> | typeof AD | typeof PROPERTIES | typeof REVENUE;
export const TEXT_FIELDS = [
  ...namesWhere(({ kind }) => kind === 'hit' || kind === 'visit'),
  AD,
  PROPERTIES,
  REVENUE,
] as TextField[];

/**
 * A text field with a limit of different texts. `properties` is left out, because the names and the values of
 * properties have limits of their own.
 */
export type CappedField = Exclude<TextField, typeof PROPERTIES>;

/** Returns how many different texts of a field a site may have in a day. */
export function findCap(field: CappedField): number {
  if (field === REVENUE) return MOST_AMOUNTS_OF_DAY;
  return field === AD ? AD_CAP : DIMENSIONS[field].cap;
}

/** The dimensions for which each hit has its own text, such as the page. */
export type HitDimension = NamesWith<{ kind: 'hit' }>;
export const HIT_DIMENSIONS = namesWhere(({ kind }) => kind === 'hit') as HitDimension[];
export type HitTextField = HitDimension | typeof PROPERTIES | typeof REVENUE;
export const HIT_TEXT_FIELDS: readonly HitTextField[] = [...HIT_DIMENSIONS, PROPERTIES, REVENUE];

/** The text fields that a visit copies from its first hit, such as the source. */
export type VisitTextField = NamesWith<{ kind: 'visit' }> | typeof AD;
export const VISIT_TEXT_FIELDS = [...namesWhere(({ kind }) => kind === 'visit'), AD] as VisitTextField[];

/**
 * The dimensions of a whole visit. Such a dimension means the same on every site, therefore a report over all sites may
 * filter by it.
 */
export type VisitDimension = NamesWith<{ kind: 'visit' | 'derived' }>;
export const VISIT_DIMENSIONS = namesWhere(({ kind }) => kind === 'visit' || kind === 'derived') as VisitDimension[];

/**
 * The dimensions that have a field of their own in an imported file, such as the country. The page has none, because it
 * is read from the URL.
 */
export type FileTextField = NamesWith<{ field: 'own' }>;
export const FILE_TEXT_FIELDS = namesWhere(({ field }) => field === 'own') as FileTextField[];

export type FilterName = NamesWith<{ filter: true }>;
export const FILTERS = namesWhere(({ filter }) => filter) as FilterName[];

/**
 * The filters whose values are numbers. A value of `goal` is the id of a goal that the visit reached. A value of
 * `pageviews` is the number of pageviews of the visit.
 */
export const NUMBER_FILTERS = ['goal', 'pageviews'] as const;
export type NumberFilter = (typeof NUMBER_FILTERS)[number];

/**
 * The dimensions whose filters choose which hits count. Filters by a property do this too. A hit must pass all of these
 * filters. With a page and a host name, only hits on this page of this host count.
 */
export const NARROWING_FILTERS = ['page', 'hostname'] as const satisfies FilterName[];

/**
 * The filters that test a text of the visit, such as its source. All others in `FILTERS` test the texts of its hits.
 */
export type VisitFilter = Exclude<FilterName, HitDimension>;
export const VISIT_FILTERS = FILTERS.filter((name) => DIMENSIONS[name].kind !== 'hit') as VisitFilter[];

/** `is` and `not` compare with texts. `like` and `unlike` compare with patterns such as `/blog/*`. */
export const OPERATORS = ['is', 'not', 'like', 'unlike'] as const;
export type Operator = (typeof OPERATORS)[number];

/**
 * The conditions that the dashboard offers, each with its operator. "Contains text" becomes `like` with the pattern
 * `*text*`.
 */
export const CONDITIONS = { is: 'is', not: 'not', contains: 'like', lacks: 'unlike' } as const satisfies Record<
  string,
  Operator
>;
export type Condition = keyof typeof CONDITIONS;

export const isClosed = (name: DimensionName): boolean => (DIMENSIONS[name] as Dimension).isClosed === true;

export type Breakdown = Table[DimensionName]['breakdown'];
export const BREAKDOWNS = Object.fromEntries(
  Object.entries(DIMENSIONS).map(([name, { breakdown }]) => [breakdown, name]),
) as Record<Breakdown, DimensionName>;
export const BREAKDOWN_NAMES = Object.keys(BREAKDOWNS) as Breakdown[];

/**
 * The breakdowns whose sums are stored with each sealed day. Derived breakdowns, such as channels, are left out.
 * Queries count them from the columns of other dimensions.
 */
export type StoredBreakdown = Exclude<Table[DimensionName], { kind: 'derived' }>['breakdown'];
export const isStored = (breakdown: Breakdown): breakdown is StoredBreakdown =>
  DIMENSIONS[BREAKDOWNS[breakdown]].kind !== 'derived';
export const STORED_BREAKDOWNS = BREAKDOWN_NAMES.filter(isStored);
export type DerivedBreakdown = Exclude<Breakdown, StoredBreakdown>;

/**
 * The breakdowns whose sums are stored only with totals-only days. A totals-only day has no hits from which these sums
 * could be counted.
 */
export const DERIVED_BREAKDOWNS = BREAKDOWN_NAMES.filter((name) => !isStored(name));

/**
 * True if the SQLite file stores a number of hits for each value of a breakdown. Otherwise, the file stores only a
 * number of visitors. For example, pages have hits. Countries have only visitors, because a country belongs to a whole
 * visit. Event labels have only visitors too.
 */
export const hasStoredHits = (breakdown: Breakdown): boolean =>
  ['hit', 'property'].includes(DIMENSIONS[BREAKDOWNS[breakdown]].kind) && breakdown !== 'event_labels';

/** Two breakdowns: by the names of properties, and by the values of one property. */
export type PropertyBreakdown = Extract<Table[DimensionName], { kind: 'property' }>['breakdown'];
export const isOfProperties = (breakdown: Breakdown): breakdown is PropertyBreakdown =>
  DIMENSIONS[BREAKDOWNS[breakdown]].kind === 'property';

/** The dimensions that have a column of their own. */
export type ColumnDimension = Exclude<DimensionName, NamesWith<{ kind: 'derived' | 'property' }>>;
export const findColumnDimension = (breakdown: ColumnBreakdown): ColumnDimension =>
  BREAKDOWNS[breakdown] as ColumnDimension;
export type ColumnBreakdown = Table[ColumnDimension]['breakdown'];

/**
 * Returns the first version of the database file that has a column. Columns that are no dimensions exist since version
 * 1.
 */
export const findVersion = (column: string): number =>
  (DIMENSIONS as Readonly<Record<string, Dimension>>)[column]?.since ?? 1;

/** The text that replaces all texts of a day beyond the limit. */
export const OTHER = '(other)';
