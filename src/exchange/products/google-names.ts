// Lists the names that Google Analytics 4 gives to metrics and dimensions, and daybook's names for them.
//
// A metric has several names: "Active users" in a report is `activeUsers` in a response of the API. Each value of a
// dimension gets the same checks as a value in Plausible's export (plausible-tables.ts). google.ts reads tables with
// these names, and ../recognize.ts recognises a file by them.

/**
 * The names of each metric in Google's files. If a table has columns with several of these names, the column whose name
 * comes first in the list is read.
 */
export const METRICS = {
  visitors: ['Active users', 'activeUsers', 'Total users', 'totalUsers'],
  visits: ['Sessions', 'sessions'],
  pageviews: ['Views', 'screenPageViews'],
  engaged: ['Engaged sessions', 'engagedSessions'],
  average: ['Average session duration', 'averageSessionDuration'],
  events: ['Event count', 'eventCount'],
} as const;
export type GoogleMetric = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as GoogleMetric[];

/** The totals that a day needs. A day that lacks one of them is skipped, because the missing total would count as 0. */
export const NEEDED: GoogleMetric[] = ['visitors', 'visits', 'pageviews'];

/**
 * Says how the values of one of Google's dimensions are imported. Each value is read as if it were in a table of
 * Plausible's form: `table` names the table in `GOOGLE_TABLES` (google-values.ts), and `column` names its column. The
 * visitors and hits of the value are added to `breakdown`. `names` replaces some of Google's values with daybook's.
 */
export type ReportPlace = {
  table: string;
  column: string;
  breakdown: string;
  names?: Readonly<Record<string, string>>;
};
const place = (table: string, column: string, breakdown: string, names = {}): ReportPlace => ({
  table,
  column,
  breakdown,
  names,
});

const PAGES = place('pages', 'page', 'pages');
const LANDINGS = place('entry_pages', 'entry_page', 'entry_pages');
const SOURCES = place('sources', 'source', 'referrers');
const CAMPAIGN_SOURCES = place('sources', 'utm_source', 'utm_source');
const MEDIA = place('sources', 'utm_medium', 'utm_medium');
const CAMPAIGNS = place('sources', 'utm_campaign', 'utm_campaign');
const TERMS = place('sources', 'utm_term', 'utm_term');
const CONTENTS = place('sources', 'utm_content', 'utm_content');
const CHANNEL_GROUPS = place('channels', 'channel', 'channels');
/** A text such as `google / cpc`. The channel is derived from this text. */
export const SOURCES_WITH_MEDIUM = place('source_media', 'source_medium', 'channels');
const HOSTNAMES = place('hostnames', 'hostname', 'hostnames');
const LANGUAGE_CODES = place('languages', 'language', 'languages');
const LANGUAGES = place('languages', 'language', 'languages');
const SYSTEM_VERSIONS = place('system_versions', 'version', 'os_versions');
const SCREENS = place('screens', 'screen', 'screens');
const COUNTRIES = place('locations', 'country', 'countries');
const DEVICES = place('devices', 'device', 'devices', {
  desktop: 'Desktop',
  mobile: 'Mobile',
  tablet: 'Tablet',
  'smart tv': 'Desktop',
});
const BROWSERS = place('browsers', 'browser', 'browsers');
const SYSTEMS = place('operating_systems', 'operating_system', 'operating_systems', {
  Macintosh: 'macOS',
});
const EVENTS = place('custom_events', 'name', 'events');

/**
 * The dimensions by their column names. Several dimensions of a file may belong to one breakdown, such as Language code
 * and Language. Then only the one that comes first in this list is imported.
 */
export const DIMENSIONS = new Map<string, ReportPlace>([
  ...['Page path and screen class', 'Page path', 'unifiedPagePathScreen', 'pagePath'].map(
    (name) => [name, PAGES] as const,
  ),
  ...['Landing page', 'landingPage'].map((name) => [name, LANDINGS] as const),
  ...['Session source', 'sessionSource'].map((name) => [name, SOURCES] as const),
  ...['Session manual source', 'sessionManualSource'].map((name) => [name, CAMPAIGN_SOURCES] as const),
  ...['Session manual medium', 'sessionManualMedium'].map((name) => [name, MEDIA] as const),
  ...['Session manual campaign name', 'sessionManualCampaignName'].map((name) => [name, CAMPAIGNS] as const),
  ...['Session manual term', 'sessionManualTerm'].map((name) => [name, TERMS] as const),
  ...['Session manual ad content', 'sessionManualAdContent'].map((name) => [name, CONTENTS] as const),
  ...['Country ID', 'countryId'].map((name) => [name, COUNTRIES] as const),
  ...['Device category', 'deviceCategory'].map((name) => [name, DEVICES] as const),
  ...['Browser', 'browser'].map((name) => [name, BROWSERS] as const),
  ...['Operating system', 'operatingSystem'].map((name) => [name, SYSTEMS] as const),
  ...['Session default channel group', 'sessionDefaultChannelGroup'].map((name) => [name, CHANNEL_GROUPS] as const),
  ...['Session source / medium', 'sessionSourceMedium'].map((name) => [name, SOURCES_WITH_MEDIUM] as const),
  ...['Hostname', 'hostName'].map((name) => [name, HOSTNAMES] as const),
  ...['Language code', 'languageCode'].map((name) => [name, LANGUAGE_CODES] as const),
  ...['Language', 'language'].map((name) => [name, LANGUAGES] as const),
  ...['OS with version', 'Operating system with version', 'operatingSystemWithVersion'].map(
    (name) => [name, SYSTEM_VERSIONS] as const,
  ),
  ...['Screen resolution', 'screenResolution'].map((name) => [name, SCREENS] as const),
  ...['Event name', 'eventName'].map((name) => [name, EVENTS] as const),
]);

/** The texts that Google Analytics writes for an empty value. */
export const NONE = ['(not set)', '(direct)', '(none)', '(data not available)'];

/**
 * Events that Google Analytics adds on its own. They are skipped, because daybook counts pageviews and visits anyway.
 */
export const AUTOMATIC = ['page_view', 'session_start', 'first_visit', 'user_engagement'];

export const DAY_COLUMNS = ['Date', 'date', 'Nth day', 'nthDay'];
