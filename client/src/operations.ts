// Made from src/api/routes.ts by npm run build:client.

export type Ability = 'read' | 'write' | 'collect' | 'note';

export type Device = 'Desktop' | 'Mobile' | 'Tablet' | '';

export type Screen = 'Mobile' | 'Tablet' | 'Laptop' | 'Desktop' | 'Wide' | '';

export type Channel = 'Direct' | 'Organic Search' | 'Paid Search' | 'Organic Social' | 'Paid Social' | 'Organic Video' | 'Email' | 'AI Assistants' | 'Referral' | 'Display' | 'Affiliates' | 'Audio' | 'SMS' | 'Mobile Push' | 'Other';

export type ChannelMessages = Array<'weekly' | 'monthly' | 'traffic' | 'silence' | 'custom' | 'goals' | 'effects'>;

export type BreakdownName = 'pages' | 'events' | 'event_labels' | 'properties' | 'property_values' | 'entry_pages' | 'exit_pages' | 'hostnames' | 'referrers' | 'channels' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_term' | 'utm_content' | 'countries' | 'regions' | 'cities' | 'devices' | 'browsers' | 'browser_versions' | 'operating_systems' | 'os_versions' | 'screens' | 'languages';

export type EffectMetric = 'visitors' | 'pageviews' | 'conversions';

export type Interval = 'hour' | 'day' | 'week' | 'month';

export type Metric = 'visits' | 'pageviews' | 'bounce_rate' | 'visit_duration' | 'time_on_page' | 'scroll_depth' | 'count' | 'conversions' | 'conversion_rate' | 'revenue' | 'revenue_per_visitor';

export type MemberRole = 'viewer' | 'manager';

export type PagePattern = string;

export type QueryKey = 'page' | 'event' | 'entry' | 'exit' | 'hostname' | 'source' | 'channel' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_term' | 'utm_content' | 'country' | 'region' | 'city' | 'device' | 'browser' | 'browser_version' | 'os' | 'os_version' | 'screen' | 'language' | 'day' | 'week' | 'month' | 'weekday' | 'hour' | 'hour_of_day' | `property:${string}`;

export type QueryMetric = 'visitors' | 'visits' | 'pageviews' | 'bounce_rate' | 'visit_duration' | 'time_on_page' | 'scroll_depth' | 'count' | 'conversions' | 'conversion_rate' | 'revenue' | 'revenue_per_visitor';

export type Pattern = string;

export type Role = 'viewer' | 'manager' | 'owner';

export type SourcePattern = string;

export type SharedBreakdownName = 'sites' | 'referrers' | 'channels' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_term' | 'utm_content' | 'countries' | 'regions' | 'cities' | 'devices' | 'browsers' | 'browser_versions' | 'operating_systems' | 'os_versions' | 'screens' | 'languages';

export type Target = {
  type: 'page';
  value: string;
  property?: TargetProperty;
} | {
  type: 'event';
  value: string;
  property?: TargetProperty;
};

export type TargetProperty = {
  name: string;
  value: string;
};

export type TargetType = 'page' | 'event';

export type TextCode = {
  code: string;
  values: Record<string, string | number | DaySpans | TextCodes>;
};

export type TextCodes = Array<TextCode>;

export type DaySpans = Array<{
  from: string;
  to: string;
}>;

export type LanguageChange = {
  language: 'en' | 'de' | 'fr' | 'es' | null;
};

export type NewSite = {
  domain: string;
  account_id?: number;
  time_zone?: string;
};

export type SiteChange = {
  weekly_report?: boolean;
  monthly_report?: boolean;
  public_live?: boolean;
  alert_traffic?: boolean;
  alert_silence?: boolean;
  alert_custom?: boolean;
  report_effects?: boolean;
  track_crawlers?: boolean;
  places?: boolean;
  track_vitals?: boolean;
  domain?: string;
  shared?: boolean;
  main_goal_id?: number | null;
  private_paths?: Array<string>;
  page_parameters?: Array<string>;
  dimensions_off?: Array<'hostname' | 'source' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_term' | 'utm_content' | 'country' | 'region' | 'city' | 'device' | 'browser' | 'browser_version' | 'os' | 'os_version' | 'screen' | 'language'>;
  currency?: string | null;
  time_zone?: string;
};

export type NewGoal = {
  type: 'page';
  value: string;
  property?: TargetProperty;
  scroll?: number;
} | {
  type: 'event';
  value: string;
  property?: TargetProperty;
};

export type GoalChange = {
  type?: TargetType;
  value?: string;
  property?: TargetProperty | null;
  scroll?: number | null;
};

export type NewFunnel = {
  name: string;
  steps: Array<Target>;
};

export type FunnelChange = {
  name?: string;
  steps?: Array<Target>;
};

export type NewNote = {
  date?: string;
  at?: string;
  text: string;
  url?: string | null;
  effect?: boolean;
};

export type NoteChange = {
  date?: string;
  at?: string;
  text?: string;
  url?: string | null;
  effect?: boolean;
};

export type PageCondition = string | {
  is?: Array<string>;
  not?: Array<string>;
  like?: Array<PagePattern>;
  unlike?: Array<PagePattern>;
};

export type SourceCondition = string | {
  is?: Array<string>;
  not?: Array<string>;
  like?: Array<SourcePattern>;
  unlike?: Array<SourcePattern>;
};

export type HostnameCondition = string | {
  is?: Array<string>;
  not?: Array<string>;
  like?: Array<SourcePattern>;
  unlike?: Array<SourcePattern>;
};

export type CountryCondition = string | {
  is?: Array<string>;
  not?: Array<string>;
};

export type RegionCondition = string | {
  is?: Array<string>;
  not?: Array<string>;
};

export type DeviceCondition = Device | {
  is?: Array<Device>;
  not?: Array<Device>;
};

export type LanguageCondition = string | {
  is?: Array<string>;
  not?: Array<string>;
};

export type ScreenCondition = Screen | {
  is?: Array<Screen>;
  not?: Array<Screen>;
};

export type ChannelCondition = Channel | {
  is?: Array<Channel>;
  not?: Array<Channel>;
};

export type EventCondition = string | {
  is?: Array<string>;
  not?: Array<string>;
  like?: Array<Pattern>;
  unlike?: Array<Pattern>;
};

export type TextCondition = string | {
  is?: Array<string>;
  not?: Array<string>;
  like?: Array<Pattern>;
  unlike?: Array<Pattern>;
};

export type NumberCondition = number | {
  is?: Array<number>;
  not?: Array<number>;
};

export type PageviewCondition = number | {
  is?: Array<number>;
  not?: Array<number>;
};

export type QueryFilters = {
  page?: PageCondition;
  event?: EventCondition;
  entry?: PageCondition;
  exit?: PageCondition;
  hostname?: HostnameCondition;
  source?: SourceCondition;
  channel?: ChannelCondition;
  utm_source?: TextCondition;
  utm_medium?: TextCondition;
  utm_campaign?: TextCondition;
  utm_term?: TextCondition;
  utm_content?: TextCondition;
  country?: CountryCondition;
  region?: RegionCondition;
  city?: TextCondition;
  device?: DeviceCondition;
  browser?: TextCondition;
  browser_version?: TextCondition;
  os?: TextCondition;
  os_version?: TextCondition;
  screen?: ScreenCondition;
  language?: LanguageCondition;
  goal?: NumberCondition;
  pageviews?: PageviewCondition;
  [filter: `property:${string}`]: TextCondition;
};

export type FilterGroup = {
  page?: PageCondition;
  event?: EventCondition;
  entry?: PageCondition;
  exit?: PageCondition;
  hostname?: HostnameCondition;
  source?: SourceCondition;
  channel?: ChannelCondition;
  utm_source?: TextCondition;
  utm_medium?: TextCondition;
  utm_campaign?: TextCondition;
  utm_term?: TextCondition;
  utm_content?: TextCondition;
  country?: CountryCondition;
  region?: RegionCondition;
  city?: TextCondition;
  device?: DeviceCondition;
  browser?: TextCondition;
  browser_version?: TextCondition;
  os?: TextCondition;
  os_version?: TextCondition;
  screen?: ScreenCondition;
  language?: LanguageCondition;
  goal?: NumberCondition;
  pageviews?: PageviewCondition;
  [filter: `property:${string}`]: TextCondition;
};

export type ExclusionSelection = {
  from: string;
  to?: string | null;
  filters: FilterGroup;
};

export type Query = {
  range?: string;
  by?: Array<QueryKey>;
  interval?: 'hour' | 'day' | 'week' | 'month';
  metrics?: Array<QueryMetric>;
  filters?: QueryFilters;
  any?: Array<FilterGroup>;
  goal?: number;
  currency?: string;
  compare?: string;
  sort?: string;
  order?: 'desc' | 'asc';
  limit?: number;
  offset?: number;
  as_of?: string;
};

export type NewExclusion = {
  from: string;
  to?: string | null;
  filters: FilterGroup;
  note?: string;
};

export type SuggestionDismissal = {
  date: string;
};

export type NewView = {
  name: string;
  query: string;
};

export type NewEmbed = {
  origin: string;
};

export type DeletedDays = {
  from: string;
  to: string;
};

export type NewUpload = {
  name: string;
  bytes: number;
  from?: string;
  skip_unreadable?: boolean;
};

export type Confirmation = {
  replace?: boolean;
};

export type NewShare = {
  name: string;
  password?: string | null;
  expires_at?: string | null;
  view_id?: number | null;
  origins?: Array<string>;
};

export type ShareChange = {
  name?: string;
  password?: string | null;
  expires_at?: string | null;
  view_id?: number | null;
  origins?: Array<string>;
};

export type Hit = {
  url: string;
  referrer?: string;
  event?: string;
  label?: string;
  width?: number;
  props?: Record<string, string | number | boolean>;
  revenue?: {
    amount: string | number;
    currency: string;
  };
  ip: string;
  agent: string;
  at?: string;
};

export type Hits = Array<Hit>;

export type Crawl = {
  url: string;
  agent: string;
  at?: string;
  status?: number;
};

export type Crawls = Array<Crawl>;

export type NewMember = {
  email: string;
  role: MemberRole;
  sites?: Array<number> | null;
};

export type MemberChange = {
  role?: MemberRole;
  sites?: Array<number> | null;
};

export type NewBlock = {
  kind: 'address';
  value?: string;
  mine?: true;
  note?: string;
} | {
  kind: 'country';
  value: string;
  note?: string;
} | {
  kind: 'hostname';
  value: string;
  note?: string;
} | {
  kind: 'page';
  value: string;
  note?: string;
} | {
  kind: 'source';
  value: string;
  note?: string;
} | {
  kind: 'agent';
  value: string;
  note?: string;
};

export type NewAlert = {
  name: string;
  metric: 'visitors' | 'visits' | 'pageviews' | 'conversions';
  goal_id?: number | null;
  condition: 'above' | 'below' | 'unusual';
  threshold?: number | null;
  filters?: QueryFilters;
};

export type SlackSettings = {
  url: string;
};

export type DiscordSettings = {
  url: string;
};

export type TeamsSettings = {
  url: string;
};

export type MattermostSettings = {
  url: string;
};

export type TelegramSettings = {
  token: string;
  chat: string;
  url?: string;
};

export type NtfySettings = {
  topic: string;
  token?: string;
  url?: string;
};

export type GotifySettings = {
  url: string;
  token: string;
};

export type MatrixSettings = {
  url: string;
  token: string;
  room: string;
};

export type WebhookSettings = {
  url: string;
  secret: string;
};

export type NewNotificationChannel = {
  kind: 'slack';
  name: string;
  settings: SlackSettings;
  messages?: ChannelMessages;
  language?: 'en' | 'de' | 'fr' | 'es';
  paused?: boolean;
} | {
  kind: 'discord';
  name: string;
  settings: DiscordSettings;
  messages?: ChannelMessages;
  language?: 'en' | 'de' | 'fr' | 'es';
  paused?: boolean;
} | {
  kind: 'teams';
  name: string;
  settings: TeamsSettings;
  messages?: ChannelMessages;
  language?: 'en' | 'de' | 'fr' | 'es';
  paused?: boolean;
} | {
  kind: 'mattermost';
  name: string;
  settings: MattermostSettings;
  messages?: ChannelMessages;
  language?: 'en' | 'de' | 'fr' | 'es';
  paused?: boolean;
} | {
  kind: 'telegram';
  name: string;
  settings: TelegramSettings;
  messages?: ChannelMessages;
  language?: 'en' | 'de' | 'fr' | 'es';
  paused?: boolean;
} | {
  kind: 'ntfy';
  name: string;
  settings: NtfySettings;
  messages?: ChannelMessages;
  language?: 'en' | 'de' | 'fr' | 'es';
  paused?: boolean;
} | {
  kind: 'gotify';
  name: string;
  settings: GotifySettings;
  messages?: ChannelMessages;
  language?: 'en' | 'de' | 'fr' | 'es';
  paused?: boolean;
} | {
  kind: 'matrix';
  name: string;
  settings: MatrixSettings;
  messages?: ChannelMessages;
  language?: 'en' | 'de' | 'fr' | 'es';
  paused?: boolean;
} | {
  kind: 'webhook';
  name: string;
  settings: WebhookSettings;
  messages?: ChannelMessages;
  language?: 'en' | 'de' | 'fr' | 'es';
  paused?: boolean;
};

export type NotificationChannelChange = {
  name?: string;
  settings?: Record<string, string>;
  messages?: ChannelMessages;
  language?: 'en' | 'de' | 'fr' | 'es';
  paused?: boolean;
};

export type NewToken = {
  name: string;
  abilities: Array<Ability>;
};

export type SqlQuery = {
  sql: string;
  site?: string;
  range?: string;
};

export type Account = {
  id: number;
  email: string;
  plan: string | null;
  events_used: number;
  events_included: number | null;
  limits: {
    sites: number | null;
    members: number | null;
    tokens: number;
    funnels_per_site: number;
  };
  abilities: Array<Ability>;
};

export type Language = {
  language: 'en' | 'de' | 'fr' | 'es' | null;
};

export type Site = {
  id: number;
  domain: string;
  account_id: number;
  role: Role;
  created_at: string;
  weekly_report: boolean;
  monthly_report: boolean;
  public_live: boolean;
  alert_traffic: boolean;
  alert_silence: boolean;
  alert_custom: boolean;
  report_effects: boolean;
  track_crawlers: boolean;
  places: boolean;
  track_vitals: boolean;
  shared: boolean;
  share_url: string | null;
  main_goal_id: number | null;
  private_paths: Array<string>;
  page_parameters: Array<string>;
  dimensions_off: Array<'hostname' | 'source' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_term' | 'utm_content' | 'country' | 'region' | 'city' | 'device' | 'browser' | 'browser_version' | 'os' | 'os_version' | 'screen' | 'language'>;
  currency: string | null;
  time_zone: string;
  snippet: string;
  vitals_snippet: string | null;
  has_searches: boolean;
};

export type Import = {
  id: number;
  imported_at: string;
  hits: number;
  days: number;
  from: string | null;
  to: string | null;
};

export type RenamingPreview = {
  domain: string;
  former_domain: string;
  former_until: string;
  former_domains: Array<string>;
  snippet: string;
  vitals_snippet: string | null;
  shares: number;
  receipts: number;
  public_live: boolean;
};

export type Deletion = {
  from: string;
  to: string;
  days: number;
  total_days: number;
  visitors: number;
  visits: number;
  pageviews: number;
  events: number;
  imports: Array<{
    id: number;
    days: number;
    whole: boolean;
  }>;
  searches: number;
  kept_searches: number;
  crawler_requests: number;
  drops: number;
};

export type DeletionPreview = {
  from: string;
  to: string;
  days: number;
  total_days: number;
  visitors: number;
  visits: number;
  pageviews: number;
  events: number;
  imports: Array<{
    id: number;
    days: number;
    whole: boolean;
  }>;
  searches: number;
  kept_searches: number;
  crawler_requests: number;
  drops: number;
  open_days: Array<string>;
};

export type Upload = {
  id: number;
  name: string;
  state: 'receiving' | 'reading' | 'ready' | 'writing' | 'done' | 'failed';
  started_at: string;
  bytes: number;
  received: number;
  read_bytes: number;
  read_rows: number;
  read_days: number;
  written_days: number;
  file: UploadedFile | null;
  error: string | null;
  error_code: TextCode | null;
  import_id: number | null;
};

export type UploadedFile = {
  format: string | null;
  days: number;
  from: string;
  to: string;
  taken_days: number;
  taken: Array<string>;
  sheet: Array<string>;
  sheet_codes: TextCodes;
};

export type Goal = {
  id: number;
  type: TargetType;
  value: string;
  property?: {
    name: string;
    value: string;
  };
  scroll?: number;
  created_at: string;
};

export type Step = {
  type: TargetType;
  value: string;
  property?: {
    name: string;
    value: string;
  };
};

export type Funnel = {
  id: number;
  name: string;
  steps: Array<Step>;
  created_at: string;
};

export type Note = {
  id: number;
  date: string;
  text: string;
  url: string | null;
  effect: boolean;
  created_at: string;
};

export type Effect = {
  metric: EffectMetric;
  goal?: number;
  before: EffectSide;
  after: EffectSide;
  change: number | null;
  interval: Array<number> | null;
  verdict: 'up' | 'down' | 'unclear' | 'too_few_days' | 'too_few_counted';
  sentence: string;
  sentence_code: TextCode;
  notices?: Array<string>;
  notice_codes?: TextCodes;
};

export type EffectSide = {
  from: string;
  to: string;
  days: number;
  total: number;
};

export type Explanation = {
  from: string;
  to: string;
  filters: Filters;
  notices?: Array<string>;
  notice_codes?: TextCodes;
  left_out?: DaySpans;
  by: 'visitors' | 'visits' | 'pageviews' | 'conversions';
  goal?: number;
  total: number;
  previous: {
    from: string;
    to: string;
    total: number;
  };
  difference: number;
  verdict: 'explained' | 'unsure' | 'even' | 'chance';
  reasons: Array<ExplanationReason>;
  properties: {
    tried: Array<string>;
    left_out: Array<string>;
  };
};

export type ExplanationReason = {
  filters: Record<string, string>;
  total: number;
  previous: number;
  difference: number;
  share: number | null;
  certain: boolean;
};

export type Filters = Record<string, string | number | {
  is?: Array<string | number>;
  not?: Array<string | number>;
  like?: Array<string | number>;
  unlike?: Array<string | number>;
}>;

export type Exclusion = {
  id: number;
  from: string;
  to: string | null;
  filters: Filters;
  note: string;
  created_at: string;
  visits: number;
};

export type ExclusionPreview = {
  visitors: number;
  visits: number;
  pageviews: number;
  events: number;
  days: Array<{
    date: string;
    visitors: number;
    visits: number;
    pageviews: number;
    events: number;
  }>;
  notices?: Array<string>;
  notice_codes?: TextCodes;
};

export type ExclusionSuggestion = {
  from: string;
  to: string;
  filters: Filters;
  note: string;
  usual: number;
  visitors: number;
  visits: number;
  pageviews: number;
  events: number;
};

export type SavedView = {
  id: number;
  name: string;
  query: string;
};

export type Embed = {
  id: number;
  origin: string;
  created_at: string;
};

export type Share = {
  id: number;
  name: string;
  url: string;
  password: boolean;
  expires_at: string | null;
  view_id: number | null;
  origins: Array<string>;
  created_at: string;
};

export type PrivatePaths = {
  from: string;
  to: string;
  pages: number;
  changed: number;
  changes: Array<{
    becomes: string;
    pages: number;
    examples: Array<string>;
  }>;
  targets: Array<TargetChange>;
};

export type PageParameters = {
  page: string | null;
  targets: Array<TargetChange>;
};

export type TargetChange = {
  value: string;
  becomes: string;
};

export type Arrivals = {
  last: {
    at: string;
    dropped: string | null;
  } | null;
  foreign: {
    at: string;
    host: string;
  } | null;
};

export type Collected = {
  accepted: number;
  dropped: number;
};

export type Overview = {
  from: string;
  to: string;
  filters: Filters;
  notices?: Array<string>;
  notice_codes?: TextCodes;
  left_out?: DaySpans;
  visitors: number;
  pageviews: number;
  visits: number;
  bounce_rate: number | null;
  visit_duration: number | null;
  complete?: boolean;
  time_on_page?: number | null;
  revenue?: string | null;
  revenue_per_visitor?: string | null;
  previous?: Previous;
  change?: Change;
};

export type Previous = {
  from: string;
  to: string;
  visitors: number;
  pageviews: number;
  visits: number;
  bounce_rate: number | null;
  visit_duration: number | null;
  complete?: boolean;
  time_on_page?: number | null;
  revenue?: string | null;
  revenue_per_visitor?: string | null;
};

export type Change = {
  visitors: number | null;
  pageviews: number | null;
  visits: number | null;
  bounce_rate: number | null;
  visit_duration: number | null;
  time_on_page?: number | null;
  revenue?: number | null;
  revenue_per_visitor?: number | null;
};

export type Timeseries = {
  from: string;
  to: string;
  filters: Filters;
  notices?: Array<string>;
  notice_codes?: TextCodes;
  left_out?: DaySpans;
  interval: Interval;
  points: Array<Point>;
};

export type Point = {
  date: string;
  visitors: number;
  pageviews: number;
  visits?: number;
  bounce_rate?: number | null;
  visit_duration?: number | null;
  time_on_page?: number | null;
  revenue?: string | null;
  revenue_per_visitor?: string | null;
  complete?: boolean;
};

export type Breakdown = {
  from: string;
  to: string;
  filters: Filters;
  notices?: Array<string>;
  notice_codes?: TextCodes;
  left_out?: DaySpans;
  breakdown: BreakdownName;
  rows: Array<Row>;
};

export type Row = {
  value: string;
  visitors: number;
  visits?: number;
  pageviews?: number;
  bounce_rate?: number;
  visit_duration?: number | null;
  time_on_page?: number | null;
  scroll_depth?: number | null;
  count?: number;
  conversions?: number;
  conversion_rate?: number;
  revenue?: string | null;
  revenue_per_visitor?: string | null;
};

export type SharedBreakdown = {
  from: string;
  to: string;
  filters: Filters;
  notices?: Array<string>;
  notice_codes?: TextCodes;
  left_out?: DaySpans;
  breakdown: SharedBreakdownName;
  rows: Array<ValueCount>;
};

export type ValueCount = {
  value: string;
  visitors: number;
};

export type GoalReport = {
  from: string;
  to: string;
  filters: Filters;
  notices?: Array<string>;
  notice_codes?: TextCodes;
  left_out?: DaySpans;
  goals: Array<GoalRow>;
};

export type GoalRow = {
  id: number;
  type: TargetType;
  value: string;
  property?: {
    name: string;
    value: string;
  };
  scroll?: number;
  visitors: number | null;
  conversions: number | null;
  conversion_rate: number | null;
  revenue?: string | null;
  revenue_per_visitor?: string | null;
};

export type VitalReport = {
  from: string;
  to: string;
  filters: Filters;
  notices?: Array<string>;
  notice_codes?: TextCodes;
  left_out?: DaySpans;
  by: 'none' | 'pages' | 'devices' | 'countries' | 'browsers';
  error: number;
  bounds: {
    cls: VitalBounds;
    inp: VitalBounds;
    lcp: VitalBounds;
    fcp: VitalBounds;
    ttfb: VitalBounds;
  };
  rows: Array<{
    value: string;
    cls: VitalFigures;
    inp: VitalFigures;
    lcp: VitalFigures;
    fcp: VitalFigures;
    ttfb: VitalFigures;
  }>;
};

export type QueryTable = {
  from: string;
  to: string;
  filters: Filters;
  notices?: Array<string>;
  notice_codes?: TextCodes;
  left_out?: DaySpans;
  any?: Array<Filters>;
  by: Array<string>;
  rows: Array<{
    by: Array<string | number>;
    metrics: QueryMetrics;
    previous?: QueryMetrics | null;
  }>;
  total_rows: number;
  previous?: {
    from: string;
    to: string;
  };
};

export type QueryMetrics = {
  visitors?: number;
  visits?: number;
  pageviews?: number;
  bounce_rate?: number;
  visit_duration?: number | null;
  time_on_page?: number | null;
  scroll_depth?: number | null;
  count?: number;
  conversions?: number;
  conversion_rate?: number;
  revenue?: string | null;
  revenue_per_visitor?: string | null;
};

export type VitalFigures = {
  p50: number | null;
  p75: number | null;
  p95: number | null;
  count: number;
  good: number;
  middle: number;
  poor: number;
};

export type VitalBounds = {
  good: number;
  poor: number;
};

export type Realtime = {
  from: string;
  to: string;
  filters: Filters;
  notices?: Array<string>;
  notice_codes?: TextCodes;
  left_out?: DaySpans;
  visitors: number;
};

export type Live = {
  from: string;
  to: string;
  filters: Filters;
  notices?: Array<string>;
  notice_codes?: TextCodes;
  left_out?: DaySpans;
  visitors: number;
  minutes: Array<{
    at: string;
    visitors: number;
    pageviews: number;
  }>;
  pages: Array<ValueCount>;
  referrers: Array<ValueCount>;
  countries: Array<ValueCount>;
  events: Array<ValueCount>;
};

export type CrawlerReport = {
  from: string;
  to: string;
  total: number;
  crawlers: Array<Crawler>;
  pages: Array<{
    page: string;
    requests: number;
  }>;
  notices?: Array<string>;
  notice_codes?: TextCodes;
};

export type Crawler = {
  crawler: string;
  name: string;
  operator: string;
  purpose: 'training' | 'search' | 'user' | 'other';
  requests: number;
};

export type FunnelReport = {
  from: string;
  to: string;
  filters: Filters;
  notices?: Array<string>;
  notice_codes?: TextCodes;
  left_out?: DaySpans;
  funnel: {
    id: number;
    name: string;
  };
  steps: Array<FunnelStep>;
};

export type FunnelStep = {
  type: TargetType;
  value: string;
  property?: {
    name: string;
    value: string;
  };
  visitors: number;
  share_of_previous: number;
  share_of_first: number;
  revenue?: string | null;
};

export type JourneyReport = {
  from: string;
  to: string;
  filters: Filters;
  notices?: Array<string>;
  notice_codes?: TextCodes;
  left_out?: DaySpans;
  root: JourneyNode;
};

export type SearchReport = {
  from: string;
  to: string;
  by: 'query' | 'page' | 'country' | 'device';
  totals: {
    clicks: number;
    impressions: number;
    ctr: number;
    position: number | null;
    first: string;
    last: string;
  } | null;
  rows: Array<{
    value: string;
    clicks: number;
    impressions: number;
    ctr: number;
    position: number | null;
  }>;
  left_out: number;
};

export type JourneyNode = {
  value: string;
  visits: number;
  share: number;
  ended: number;
  next: Array<JourneyNode>;
};

export type AssistantReport = {
  from: string;
  to: string;
  filters: Filters;
  notices?: Array<string>;
  notice_codes?: TextCodes;
  left_out?: DaySpans;
  rows: Array<{
    value: string;
    name: string;
    visitors: number;
  }>;
};

export type DropReport = {
  from: string;
  to: string;
  drops: Array<{
    reason: string;
    hits: number;
  }>;
  notices?: Array<string>;
  notice_codes?: TextCodes;
};

export type OutageReport = {
  outages: Array<{
    from: string;
    to: string;
    reason: 'down' | 'refused';
  }>;
};

export type DayReport = {
  days: Array<Day>;
};

export type Day = {
  date: string;
  state: 'open' | 'sealed' | 'sums';
  visitors: number;
  recounted_at: string | null;
  import_id: number | null;
  excluded_visits: number;
  dropped: number;
  complete: boolean;
};

export type ChangeList = {
  changes: Array<PastChange>;
  latest: number;
  mailed_at: string | null;
};

export type PastChange = {
  id: number;
  at: string;
  reason: 'exclusion_added' | 'exclusion_removed' | 'import_added' | 'import_removed' | 'days_removed' | 'late_hits' | 'retention' | 'goal_added' | 'goal_changed' | 'goal_removed' | 'setting_changed';
  name: string | null;
  by: {
    way: 'session' | 'token' | 'page' | 'command' | 'guest';
    email: string | null;
    token: string | null;
  } | null;
  from: string;
  to: string;
  days: number | null;
  before: PastFigures | null;
  after: PastFigures | null;
};

export type PastFigures = {
  visitors: number;
  visits: number;
  pageviews: number;
  events: number;
};

export type ReceiptList = {
  receipts: Array<Receipt>;
  next: number | null;
};

export type Receipt = {
  format: 1;
  site: string;
  date: string;
  sequence: number;
  previous: string | null;
  replaces: number | null;
  reason: 'first' | 'sealed' | 'late_hits' | 'import' | 'exclusion' | 'retention' | 'removed' | 'changed' | 'key';
  kind: 'hits' | 'sums' | 'none';
  digest: string;
  figures: {
    visitors: number;
    visits: number;
    pageviews: number;
    events: number;
  };
  dropped: number;
  outages: Array<{
    from: string;
    to: string;
    reason: 'down' | 'refused';
  }>;
  imports: Array<number>;
  exclusions: Array<{
    id: number;
    visits: number;
  }>;
  zone: string;
  sealed_at: string;
  key: string;
  signature: string;
  former_signature: string | null;
};

export type Team = {
  members: Array<Member>;
  limit: number | null;
  teams: Array<{
    account_id: number;
    owner: string;
    role: MemberRole;
    sites: Array<number> | null;
  }>;
};

export type Member = {
  id: number;
  email: string;
  role: MemberRole;
  sites: Array<number> | null;
  status: 'active' | 'invited';
  created_at: string;
};

export type InvitedMember = {
  id: number;
  email: string;
  role: MemberRole;
  sites: Array<number> | null;
  status: 'active' | 'invited';
  created_at: string;
  invitation_url: string;
};

export type Block = {
  id: number;
  kind: 'address' | 'country' | 'hostname' | 'page' | 'source' | 'agent';
  value: string | null;
  note: string;
  mine: boolean;
  dropped: number | null;
  created_at: string;
};

export type Alert = {
  id: number;
  name: string;
  metric: 'visitors' | 'visits' | 'pageviews' | 'conversions';
  goal_id: number | null;
  condition: 'above' | 'below' | 'unusual';
  threshold: number | null;
  filters: Filters;
  created_at: string;
};

export type NotificationChannel = {
  id: number;
  kind: 'slack' | 'discord' | 'teams' | 'mattermost' | 'telegram' | 'ntfy' | 'gotify' | 'matrix' | 'webhook';
  name: string;
  place: string;
  messages: Array<'weekly' | 'monthly' | 'traffic' | 'silence' | 'custom' | 'goals' | 'effects'>;
  language: 'en' | 'de' | 'fr' | 'es';
  paused: boolean;
  sent_at: string | null;
  failed_at: string | null;
  failure: string | null;
  failure_code: TextCode | null;
  created_at: string;
};

export type ChannelTest = {
  delivered: boolean;
  failure: string | null;
  failure_code: TextCode | null;
};

export type AuditEntry = {
  id: number;
  at: string;
  email: string | null;
  way: 'session' | 'token' | 'page' | 'command' | 'guest';
  way_name: string | null;
  site: string | null;
  action: 'add' | 'change' | 'remove' | 'run';
  noun: 'sites' | 'goals' | 'funnels' | 'notes' | 'exclusions' | 'dismissals' | 'views' | 'embeds' | 'blocks' | 'shares' | 'channels' | 'alerts' | 'imports' | 'deletions' | 'team' | 'tokens' | 'sessions' | 'language' | 'password' | 'email' | 'factors' | 'codes' | 'command';
  name: string | null;
  fields: Array<string>;
};

export type Token = {
  id: number;
  name: string;
  abilities: Array<Ability>;
  created_at: string;
  last_used_at: string | null;
};

export type PlainToken = {
  id: number;
  name: string;
  abilities: Array<Ability>;
  created_at: string;
  last_used_at: string | null;
  token: string;
};

export type Session = {
  id: number;
  browser: string;
  created_at: string;
  used_at: string;
  current: boolean;
};

export type Server = {
  findings: Array<Finding>;
  request: Arrival;
};

export type Cluster = {
  servers: Array<{
    url: string;
    shard: number;
    replica: number;
    state: 'complete' | 'lacking' | 'filling';
    answers: boolean;
    lag: number | null;
    figures: {
      parts: number;
      partition_parts: number;
      mutations: number;
      failed_mutations: number;
      queries: number;
      disk_free: number | null;
      disk_total: number | null;
      memory: number;
      memory_limit: number | null;
    } | null;
    finding: Finding;
  }>;
  senders: Array<{
    name: string | null;
    silence: number | null;
    lag: number | null;
    bytes: number | null;
    closed: 'refused' | 'retiring' | 'disk' | 'clock' | null;
  }>;
  copies: Array<{
    site: string;
    day: string;
    rows: number;
    state: 'copying' | 'current' | 'behind' | 'too_large';
  }>;
  copy_count: number;
};

export type Finding = {
  name: string;
  fine: boolean;
  says: string;
  says_codes?: TextCodes;
  remedy?: string;
  remedy_codes?: TextCodes;
};

export type Arrival = {
  fine: boolean;
  says: string;
  says_codes?: TextCodes;
  remedy?: string;
  remedy_codes?: TextCodes;
  sender: string;
  visitor: string;
  believed: boolean;
  headers: Array<{
    name: string;
    value: string;
  }>;
};

export type SqlRows = {
  columns: Array<string>;
  rows: Array<Array<string | number | null>>;
  complete: boolean;
};

export type EventStream = string;

export type Operations = {
  /** Read your plan, usage and limits, and what the token may do. */
  'GET /account': {
    data: Account;
  };

  /** Read the language of your dashboard: null if it follows the browser. */
  'GET /account/language': {
    data: Language;
  };

  /** Choose the language of your dashboard. */
  'PATCH /account/language': {
    body: LanguageChange;
    data: Language;
  };

  /** List the sites that you may see. */
  'GET /sites': {
    data: Array<Site>;
  };

  /** Add a site. */
  'POST /sites': {
    body: NewSite;
    data: Site;
  };

  /** Read a site. */
  'GET /sites/{site}': {
    path: {
      site: string | number;
    };
    data: Site;
  };

  /** Change the settings or the domain of a site. */
  'PATCH /sites/{site}': {
    path: {
      site: string | number;
    };
    body: SiteChange;
    data: Site;
  };

  /** Delete a site and all its statistics. */
  'DELETE /sites/{site}': {
    path: {
      site: string | number;
    };
    data: undefined;
  };

  /** Preview another domain of a site: its snippet, and until when the former domain counts. */
  'GET /sites/{site}/domain': {
    path: {
      site: string | number;
    };
    query: {
      domain: string;
    };
    data: RenamingPreview;
  };

  /** List goals. */
  'GET /sites/{site}/goals': {
    path: {
      site: string | number;
    };
    data: Array<Goal>;
  };

  /** Add a goal. */
  'POST /sites/{site}/goals': {
    path: {
      site: string | number;
    };
    body: NewGoal;
    data: Goal;
  };

  /** Change a goal, for past visits too. */
  'PATCH /sites/{site}/goals/{goal}': {
    path: {
      site: string | number;
      goal: number;
    };
    body: GoalChange;
    data: Goal;
  };

  /** Delete a goal. Its visits stay. */
  'DELETE /sites/{site}/goals/{goal}': {
    path: {
      site: string | number;
      goal: number;
    };
    data: undefined;
  };

  /** List funnels. */
  'GET /sites/{site}/funnels': {
    path: {
      site: string | number;
    };
    data: Array<Funnel>;
  };

  /** Add a funnel of 2 to 8 steps. */
  'POST /sites/{site}/funnels': {
    path: {
      site: string | number;
    };
    body: NewFunnel;
    data: Funnel;
  };

  /** Change a funnel, for past visits too. */
  'PATCH /sites/{site}/funnels/{funnel}': {
    path: {
      site: string | number;
      funnel: number;
    };
    body: FunnelChange;
    data: Funnel;
  };

  /** Delete a funnel. */
  'DELETE /sites/{site}/funnels/{funnel}': {
    path: {
      site: string | number;
      funnel: number;
    };
    data: undefined;
  };

  /** List the notes on the chart. */
  'GET /sites/{site}/notes': {
    path: {
      site: string | number;
    };
    query?: {
      from?: string;
      to?: string;
    };
    data: Array<Note>;
  };

  /** Add a note to a day. */
  'POST /sites/{site}/notes': {
    path: {
      site: string | number;
    };
    body: NewNote;
    data: Note;
  };

  /** Compare the two weeks before and after a note. Says whether chance may explain it. */
  'GET /sites/{site}/notes/{note}/effect': {
    path: {
      site: string | number;
      note: number;
    };
    query?: {
      metric?: EffectMetric;
      goal?: number;
    };
    data: Effect;
  };

  /** Change the day or the text of a note. */
  'PATCH /sites/{site}/notes/{note}': {
    path: {
      site: string | number;
      note: number;
    };
    body: NoteChange;
    data: Note;
  };

  /** Delete a note. */
  'DELETE /sites/{site}/notes/{note}': {
    path: {
      site: string | number;
      note: number;
    };
    data: undefined;
  };

  /** List exclusions, with the number of visits that each one excludes. */
  'GET /sites/{site}/exclusions': {
    path: {
      site: string | number;
    };
    data: Array<Exclusion>;
  };

  /** Exclude visits from all reports. Nothing is deleted. */
  'POST /sites/{site}/exclusions': {
    path: {
      site: string | number;
    };
    body: NewExclusion;
    data: Exclusion;
  };

  /** Preview an exclusion: visits by day. Nothing is stored. */
  'POST /sites/{site}/exclusions/preview': {
    path: {
      site: string | number;
    };
    body: ExclusionSelection;
    data: ExclusionPreview;
  };

  /** Suggest exclusions for a day with unusually many visits. */
  'GET /sites/{site}/exclusions/suggestions': {
    path: {
      site: string | number;
    };
    query?: {
      date?: string;
    };
    data: Array<ExclusionSuggestion>;
  };

  /** Dismiss the suggestions for a day, for everyone. */
  'POST /sites/{site}/exclusions/suggestions/dismissals': {
    path: {
      site: string | number;
    };
    body: SuggestionDismissal;
    data: undefined;
  };

  /** Delete an exclusion. Reports count its visits again. */
  'DELETE /sites/{site}/exclusions/{exclusion}': {
    path: {
      site: string | number;
      exclusion: number;
    };
    data: undefined;
  };

  /** List saved views, by name. */
  'GET /sites/{site}/views': {
    path: {
      site: string | number;
    };
    data: Array<SavedView>;
  };

  /** Save a view. */
  'POST /sites/{site}/views': {
    path: {
      site: string | number;
    };
    body: NewView;
    data: SavedView;
  };

  /** Delete a saved view. */
  'DELETE /sites/{site}/views/{view}': {
    path: {
      site: string | number;
      view: number;
    };
    data: undefined;
  };

  /** List blocks: what the site does not count from now on. */
  'GET /sites/{site}/blocks': {
    path: {
      site: string | number;
    };
    data: Array<Block>;
  };

  /** Block an IP address, country, host name, page, source or user agent. Past hits stay. */
  'POST /sites/{site}/blocks': {
    path: {
      site: string | number;
    };
    body: NewBlock;
    data: Block;
  };

  /** Remove a block. */
  'DELETE /sites/{site}/blocks/{block}': {
    path: {
      site: string | number;
      block: number;
    };
    data: undefined;
  };

  /** List share links with a name. */
  'GET /sites/{site}/shares': {
    path: {
      site: string | number;
    };
    data: Array<Share>;
  };

  /** Add a share link, for the whole site or for what a saved view shows. */
  'POST /sites/{site}/shares': {
    path: {
      site: string | number;
    };
    body: NewShare;
    data: Share;
  };

  /** Change a share link. Its URL stays. */
  'PATCH /sites/{site}/shares/{share}': {
    path: {
      site: string | number;
      share: number;
    };
    body: ShareChange;
    data: Share;
  };

  /** Remove a share link, which stops working. */
  'DELETE /sites/{site}/shares/{share}': {
    path: {
      site: string | number;
      share: number;
    };
    data: undefined;
  };

  /** List custom alerts. */
  'GET /sites/{site}/alerts': {
    path: {
      site: string | number;
    };
    data: Array<Alert>;
  };

  /** Add a custom alert: a figure of each day, with a threshold or compared with the weeks before. */
  'POST /sites/{site}/alerts': {
    path: {
      site: string | number;
    };
    body: NewAlert;
    data: Alert;
  };

  /** Remove a custom alert. */
  'DELETE /sites/{site}/alerts/{alert}': {
    path: {
      site: string | number;
      alert: number;
    };
    data: undefined;
  };

  /** List notification channels. Their URLs and tokens are secret. */
  'GET /sites/{site}/channels': {
    path: {
      site: string | number;
    };
    data: Array<NotificationChannel>;
  };

  /** Add a channel for reports, alerts and reached goals, such as Slack, ntfy or a webhook. */
  'POST /sites/{site}/channels': {
    path: {
      site: string | number;
    };
    body: NewNotificationChannel;
    data: NotificationChannel;
  };

  /** Change or pause a notification channel. */
  'PATCH /sites/{site}/channels/{channel}': {
    path: {
      site: string | number;
      channel: number;
    };
    body: NotificationChannelChange;
    data: NotificationChannel;
  };

  /** Remove a notification channel, with its URL and token. */
  'DELETE /sites/{site}/channels/{channel}': {
    path: {
      site: string | number;
      channel: number;
    };
    data: undefined;
  };

  /** Send a test message, and read whether it was accepted. */
  'POST /sites/{site}/channels/{channel}/test': {
    path: {
      site: string | number;
      channel: number;
    };
    data: ChannelTest;
  };

  /** List the origins that may show the public page in a frame. */
  'GET /sites/{site}/embeds': {
    path: {
      site: string | number;
    };
    data: Array<Embed>;
  };

  /** Add an origin. */
  'POST /sites/{site}/embeds': {
    path: {
      site: string | number;
    };
    body: NewEmbed;
    data: Embed;
  };

  /** Remove an origin. */
  'DELETE /sites/{site}/embeds/{embed}': {
    path: {
      site: string | number;
      embed: number;
    };
    data: undefined;
  };

  /** Preview patterns of private segments on the pages of the last 30 days. */
  'GET /sites/{site}/private-paths': {
    path: {
      site: string | number;
    };
    query?: {
      patterns?: string;
    };
    data: PrivatePaths;
  };

  /** Preview the page that a URL is stored as. */
  'GET /sites/{site}/page-parameters': {
    path: {
      site: string | number;
    };
    query?: {
      parameters?: string;
      url?: string;
    };
    data: PageParameters;
  };

  /** Read what browsers sent last since the server started, and the last host of another site. */
  'GET /sites/{site}/arrivals': {
    path: {
      site: string | number;
    };
    data: Arrivals;
  };

  /** Send hits that your server saw. */
  'POST /sites/{site}/hits': {
    path: {
      site: string | number;
    };
    body: Hits;
    data: Collected;
  };

  /** Send requests that your server saw. Only those of AI crawlers count. */
  'POST /sites/{site}/crawls': {
    path: {
      site: string | number;
    };
    body: Crawls;
    data: Collected;
  };

  /** Ask for figures by up to three dimensions, properties or times, with filters joined by "or". */
  'POST /sites/{site}/query': {
    path: {
      site: string | number;
    };
    body: Query;
    data: QueryTable;
  };

  /** Read visitors, pageviews, visits, bounce rate and visit duration, with the change since another period. */
  'GET /sites/{site}/stats/overview': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<PagePattern>;
      'filters[page][unlike]'?: Array<PagePattern>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<Pattern>;
      'filters[event][unlike]'?: Array<Pattern>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<PagePattern>;
      'filters[entry][unlike]'?: Array<PagePattern>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<PagePattern>;
      'filters[exit][unlike]'?: Array<PagePattern>;
      'filters[hostname]'?: string;
      'filters[hostname][is]'?: Array<string>;
      'filters[hostname][not]'?: Array<string>;
      'filters[hostname][like]'?: Array<SourcePattern>;
      'filters[hostname][unlike]'?: Array<SourcePattern>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<SourcePattern>;
      'filters[source][unlike]'?: Array<SourcePattern>;
      'filters[channel]'?: Channel;
      'filters[channel][is]'?: Array<Channel>;
      'filters[channel][not]'?: Array<Channel>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<Pattern>;
      'filters[utm_source][unlike]'?: Array<Pattern>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<Pattern>;
      'filters[utm_medium][unlike]'?: Array<Pattern>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<Pattern>;
      'filters[utm_campaign][unlike]'?: Array<Pattern>;
      'filters[utm_term]'?: string;
      'filters[utm_term][is]'?: Array<string>;
      'filters[utm_term][not]'?: Array<string>;
      'filters[utm_term][like]'?: Array<Pattern>;
      'filters[utm_term][unlike]'?: Array<Pattern>;
      'filters[utm_content]'?: string;
      'filters[utm_content][is]'?: Array<string>;
      'filters[utm_content][not]'?: Array<string>;
      'filters[utm_content][like]'?: Array<Pattern>;
      'filters[utm_content][unlike]'?: Array<Pattern>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[region]'?: string;
      'filters[region][is]'?: Array<string>;
      'filters[region][not]'?: Array<string>;
      'filters[city]'?: string;
      'filters[city][is]'?: Array<string>;
      'filters[city][not]'?: Array<string>;
      'filters[city][like]'?: Array<Pattern>;
      'filters[city][unlike]'?: Array<Pattern>;
      'filters[device]'?: Device;
      'filters[device][is]'?: Array<Device>;
      'filters[device][not]'?: Array<Device>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<Pattern>;
      'filters[browser][unlike]'?: Array<Pattern>;
      'filters[browser_version]'?: string;
      'filters[browser_version][is]'?: Array<string>;
      'filters[browser_version][not]'?: Array<string>;
      'filters[browser_version][like]'?: Array<Pattern>;
      'filters[browser_version][unlike]'?: Array<Pattern>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<Pattern>;
      'filters[os][unlike]'?: Array<Pattern>;
      'filters[os_version]'?: string;
      'filters[os_version][is]'?: Array<string>;
      'filters[os_version][not]'?: Array<string>;
      'filters[os_version][like]'?: Array<Pattern>;
      'filters[os_version][unlike]'?: Array<Pattern>;
      'filters[screen]'?: Screen;
      'filters[screen][is]'?: Array<Screen>;
      'filters[screen][not]'?: Array<Screen>;
      'filters[language]'?: string;
      'filters[language][is]'?: Array<string>;
      'filters[language][not]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
      [filter: `filters[property:${string}]${string}`]: string | Array<string>;
      metrics?: string;
      compare?: string;
      compare_until?: 'now';
      currency?: string;
      as_of?: string;
    };
    data: Overview;
  };

  /** Explain a difference: the fewest combinations of properties that make up most of it, and whether chance may. */
  'GET /sites/{site}/stats/explain': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<PagePattern>;
      'filters[page][unlike]'?: Array<PagePattern>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<Pattern>;
      'filters[event][unlike]'?: Array<Pattern>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<PagePattern>;
      'filters[entry][unlike]'?: Array<PagePattern>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<PagePattern>;
      'filters[exit][unlike]'?: Array<PagePattern>;
      'filters[hostname]'?: string;
      'filters[hostname][is]'?: Array<string>;
      'filters[hostname][not]'?: Array<string>;
      'filters[hostname][like]'?: Array<SourcePattern>;
      'filters[hostname][unlike]'?: Array<SourcePattern>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<SourcePattern>;
      'filters[source][unlike]'?: Array<SourcePattern>;
      'filters[channel]'?: Channel;
      'filters[channel][is]'?: Array<Channel>;
      'filters[channel][not]'?: Array<Channel>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<Pattern>;
      'filters[utm_source][unlike]'?: Array<Pattern>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<Pattern>;
      'filters[utm_medium][unlike]'?: Array<Pattern>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<Pattern>;
      'filters[utm_campaign][unlike]'?: Array<Pattern>;
      'filters[utm_term]'?: string;
      'filters[utm_term][is]'?: Array<string>;
      'filters[utm_term][not]'?: Array<string>;
      'filters[utm_term][like]'?: Array<Pattern>;
      'filters[utm_term][unlike]'?: Array<Pattern>;
      'filters[utm_content]'?: string;
      'filters[utm_content][is]'?: Array<string>;
      'filters[utm_content][not]'?: Array<string>;
      'filters[utm_content][like]'?: Array<Pattern>;
      'filters[utm_content][unlike]'?: Array<Pattern>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[region]'?: string;
      'filters[region][is]'?: Array<string>;
      'filters[region][not]'?: Array<string>;
      'filters[city]'?: string;
      'filters[city][is]'?: Array<string>;
      'filters[city][not]'?: Array<string>;
      'filters[city][like]'?: Array<Pattern>;
      'filters[city][unlike]'?: Array<Pattern>;
      'filters[device]'?: Device;
      'filters[device][is]'?: Array<Device>;
      'filters[device][not]'?: Array<Device>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<Pattern>;
      'filters[browser][unlike]'?: Array<Pattern>;
      'filters[browser_version]'?: string;
      'filters[browser_version][is]'?: Array<string>;
      'filters[browser_version][not]'?: Array<string>;
      'filters[browser_version][like]'?: Array<Pattern>;
      'filters[browser_version][unlike]'?: Array<Pattern>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<Pattern>;
      'filters[os][unlike]'?: Array<Pattern>;
      'filters[os_version]'?: string;
      'filters[os_version][is]'?: Array<string>;
      'filters[os_version][not]'?: Array<string>;
      'filters[os_version][like]'?: Array<Pattern>;
      'filters[os_version][unlike]'?: Array<Pattern>;
      'filters[screen]'?: Screen;
      'filters[screen][is]'?: Array<Screen>;
      'filters[screen][not]'?: Array<Screen>;
      'filters[language]'?: string;
      'filters[language][is]'?: Array<string>;
      'filters[language][not]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
      [filter: `filters[property:${string}]${string}`]: string | Array<string>;
      compare?: string;
      compare_until?: 'now';
      by?: 'visitors' | 'visits' | 'pageviews' | 'conversions';
      goal?: number;
    };
    data: Explanation;
  };

  /** Read visitors and pageviews by hour, day, week or month (default: by day, above 90 days by month). */
  'GET /sites/{site}/stats/timeseries': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<PagePattern>;
      'filters[page][unlike]'?: Array<PagePattern>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<Pattern>;
      'filters[event][unlike]'?: Array<Pattern>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<PagePattern>;
      'filters[entry][unlike]'?: Array<PagePattern>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<PagePattern>;
      'filters[exit][unlike]'?: Array<PagePattern>;
      'filters[hostname]'?: string;
      'filters[hostname][is]'?: Array<string>;
      'filters[hostname][not]'?: Array<string>;
      'filters[hostname][like]'?: Array<SourcePattern>;
      'filters[hostname][unlike]'?: Array<SourcePattern>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<SourcePattern>;
      'filters[source][unlike]'?: Array<SourcePattern>;
      'filters[channel]'?: Channel;
      'filters[channel][is]'?: Array<Channel>;
      'filters[channel][not]'?: Array<Channel>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<Pattern>;
      'filters[utm_source][unlike]'?: Array<Pattern>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<Pattern>;
      'filters[utm_medium][unlike]'?: Array<Pattern>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<Pattern>;
      'filters[utm_campaign][unlike]'?: Array<Pattern>;
      'filters[utm_term]'?: string;
      'filters[utm_term][is]'?: Array<string>;
      'filters[utm_term][not]'?: Array<string>;
      'filters[utm_term][like]'?: Array<Pattern>;
      'filters[utm_term][unlike]'?: Array<Pattern>;
      'filters[utm_content]'?: string;
      'filters[utm_content][is]'?: Array<string>;
      'filters[utm_content][not]'?: Array<string>;
      'filters[utm_content][like]'?: Array<Pattern>;
      'filters[utm_content][unlike]'?: Array<Pattern>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[region]'?: string;
      'filters[region][is]'?: Array<string>;
      'filters[region][not]'?: Array<string>;
      'filters[city]'?: string;
      'filters[city][is]'?: Array<string>;
      'filters[city][not]'?: Array<string>;
      'filters[city][like]'?: Array<Pattern>;
      'filters[city][unlike]'?: Array<Pattern>;
      'filters[device]'?: Device;
      'filters[device][is]'?: Array<Device>;
      'filters[device][not]'?: Array<Device>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<Pattern>;
      'filters[browser][unlike]'?: Array<Pattern>;
      'filters[browser_version]'?: string;
      'filters[browser_version][is]'?: Array<string>;
      'filters[browser_version][not]'?: Array<string>;
      'filters[browser_version][like]'?: Array<Pattern>;
      'filters[browser_version][unlike]'?: Array<Pattern>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<Pattern>;
      'filters[os][unlike]'?: Array<Pattern>;
      'filters[os_version]'?: string;
      'filters[os_version][is]'?: Array<string>;
      'filters[os_version][not]'?: Array<string>;
      'filters[os_version][like]'?: Array<Pattern>;
      'filters[os_version][unlike]'?: Array<Pattern>;
      'filters[screen]'?: Screen;
      'filters[screen][is]'?: Array<Screen>;
      'filters[screen][not]'?: Array<Screen>;
      'filters[language]'?: string;
      'filters[language][is]'?: Array<string>;
      'filters[language][not]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
      [filter: `filters[property:${string}]${string}`]: string | Array<string>;
      interval?: Interval;
      metrics?: string;
      currency?: string;
      as_of?: string;
    };
    data: Timeseries;
  };

  /** List the top values of a dimension, by visitors or another figure. */
  'GET /sites/{site}/stats/breakdown/{breakdown}': {
    path: {
      site: string | number;
      breakdown: BreakdownName;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<PagePattern>;
      'filters[page][unlike]'?: Array<PagePattern>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<Pattern>;
      'filters[event][unlike]'?: Array<Pattern>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<PagePattern>;
      'filters[entry][unlike]'?: Array<PagePattern>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<PagePattern>;
      'filters[exit][unlike]'?: Array<PagePattern>;
      'filters[hostname]'?: string;
      'filters[hostname][is]'?: Array<string>;
      'filters[hostname][not]'?: Array<string>;
      'filters[hostname][like]'?: Array<SourcePattern>;
      'filters[hostname][unlike]'?: Array<SourcePattern>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<SourcePattern>;
      'filters[source][unlike]'?: Array<SourcePattern>;
      'filters[channel]'?: Channel;
      'filters[channel][is]'?: Array<Channel>;
      'filters[channel][not]'?: Array<Channel>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<Pattern>;
      'filters[utm_source][unlike]'?: Array<Pattern>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<Pattern>;
      'filters[utm_medium][unlike]'?: Array<Pattern>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<Pattern>;
      'filters[utm_campaign][unlike]'?: Array<Pattern>;
      'filters[utm_term]'?: string;
      'filters[utm_term][is]'?: Array<string>;
      'filters[utm_term][not]'?: Array<string>;
      'filters[utm_term][like]'?: Array<Pattern>;
      'filters[utm_term][unlike]'?: Array<Pattern>;
      'filters[utm_content]'?: string;
      'filters[utm_content][is]'?: Array<string>;
      'filters[utm_content][not]'?: Array<string>;
      'filters[utm_content][like]'?: Array<Pattern>;
      'filters[utm_content][unlike]'?: Array<Pattern>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[region]'?: string;
      'filters[region][is]'?: Array<string>;
      'filters[region][not]'?: Array<string>;
      'filters[city]'?: string;
      'filters[city][is]'?: Array<string>;
      'filters[city][not]'?: Array<string>;
      'filters[city][like]'?: Array<Pattern>;
      'filters[city][unlike]'?: Array<Pattern>;
      'filters[device]'?: Device;
      'filters[device][is]'?: Array<Device>;
      'filters[device][not]'?: Array<Device>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<Pattern>;
      'filters[browser][unlike]'?: Array<Pattern>;
      'filters[browser_version]'?: string;
      'filters[browser_version][is]'?: Array<string>;
      'filters[browser_version][not]'?: Array<string>;
      'filters[browser_version][like]'?: Array<Pattern>;
      'filters[browser_version][unlike]'?: Array<Pattern>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<Pattern>;
      'filters[os][unlike]'?: Array<Pattern>;
      'filters[os_version]'?: string;
      'filters[os_version][is]'?: Array<string>;
      'filters[os_version][not]'?: Array<string>;
      'filters[os_version][like]'?: Array<Pattern>;
      'filters[os_version][unlike]'?: Array<Pattern>;
      'filters[screen]'?: Screen;
      'filters[screen][is]'?: Array<Screen>;
      'filters[screen][not]'?: Array<Screen>;
      'filters[language]'?: string;
      'filters[language][is]'?: Array<string>;
      'filters[language][not]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
      [filter: `filters[property:${string}]${string}`]: string | Array<string>;
      limit?: number;
      event?: string;
      property?: string;
      metrics?: string;
      goal?: number;
      sort?: Metric;
      order?: 'desc' | 'asc';
      search?: string;
      offset?: number;
      currency?: string;
      as_of?: string;
    };
    data: Breakdown;
  };

  /** Read visitors, conversions and conversion rate of each goal. */
  'GET /sites/{site}/stats/goals': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<PagePattern>;
      'filters[page][unlike]'?: Array<PagePattern>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<Pattern>;
      'filters[event][unlike]'?: Array<Pattern>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<PagePattern>;
      'filters[entry][unlike]'?: Array<PagePattern>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<PagePattern>;
      'filters[exit][unlike]'?: Array<PagePattern>;
      'filters[hostname]'?: string;
      'filters[hostname][is]'?: Array<string>;
      'filters[hostname][not]'?: Array<string>;
      'filters[hostname][like]'?: Array<SourcePattern>;
      'filters[hostname][unlike]'?: Array<SourcePattern>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<SourcePattern>;
      'filters[source][unlike]'?: Array<SourcePattern>;
      'filters[channel]'?: Channel;
      'filters[channel][is]'?: Array<Channel>;
      'filters[channel][not]'?: Array<Channel>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<Pattern>;
      'filters[utm_source][unlike]'?: Array<Pattern>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<Pattern>;
      'filters[utm_medium][unlike]'?: Array<Pattern>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<Pattern>;
      'filters[utm_campaign][unlike]'?: Array<Pattern>;
      'filters[utm_term]'?: string;
      'filters[utm_term][is]'?: Array<string>;
      'filters[utm_term][not]'?: Array<string>;
      'filters[utm_term][like]'?: Array<Pattern>;
      'filters[utm_term][unlike]'?: Array<Pattern>;
      'filters[utm_content]'?: string;
      'filters[utm_content][is]'?: Array<string>;
      'filters[utm_content][not]'?: Array<string>;
      'filters[utm_content][like]'?: Array<Pattern>;
      'filters[utm_content][unlike]'?: Array<Pattern>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[region]'?: string;
      'filters[region][is]'?: Array<string>;
      'filters[region][not]'?: Array<string>;
      'filters[city]'?: string;
      'filters[city][is]'?: Array<string>;
      'filters[city][not]'?: Array<string>;
      'filters[city][like]'?: Array<Pattern>;
      'filters[city][unlike]'?: Array<Pattern>;
      'filters[device]'?: Device;
      'filters[device][is]'?: Array<Device>;
      'filters[device][not]'?: Array<Device>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<Pattern>;
      'filters[browser][unlike]'?: Array<Pattern>;
      'filters[browser_version]'?: string;
      'filters[browser_version][is]'?: Array<string>;
      'filters[browser_version][not]'?: Array<string>;
      'filters[browser_version][like]'?: Array<Pattern>;
      'filters[browser_version][unlike]'?: Array<Pattern>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<Pattern>;
      'filters[os][unlike]'?: Array<Pattern>;
      'filters[os_version]'?: string;
      'filters[os_version][is]'?: Array<string>;
      'filters[os_version][not]'?: Array<string>;
      'filters[os_version][like]'?: Array<Pattern>;
      'filters[os_version][unlike]'?: Array<Pattern>;
      'filters[screen]'?: Screen;
      'filters[screen][is]'?: Array<Screen>;
      'filters[screen][not]'?: Array<Screen>;
      'filters[language]'?: string;
      'filters[language][is]'?: Array<string>;
      'filters[language][not]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
      [filter: `filters[property:${string}]${string}`]: string | Array<string>;
      metrics?: string;
      currency?: string;
      as_of?: string;
    };
    data: GoalReport;
  };

  /** Read the visitors of the last five minutes. */
  'GET /sites/{site}/stats/realtime': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<PagePattern>;
      'filters[page][unlike]'?: Array<PagePattern>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<Pattern>;
      'filters[event][unlike]'?: Array<Pattern>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<PagePattern>;
      'filters[entry][unlike]'?: Array<PagePattern>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<PagePattern>;
      'filters[exit][unlike]'?: Array<PagePattern>;
      'filters[hostname]'?: string;
      'filters[hostname][is]'?: Array<string>;
      'filters[hostname][not]'?: Array<string>;
      'filters[hostname][like]'?: Array<SourcePattern>;
      'filters[hostname][unlike]'?: Array<SourcePattern>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<SourcePattern>;
      'filters[source][unlike]'?: Array<SourcePattern>;
      'filters[channel]'?: Channel;
      'filters[channel][is]'?: Array<Channel>;
      'filters[channel][not]'?: Array<Channel>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<Pattern>;
      'filters[utm_source][unlike]'?: Array<Pattern>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<Pattern>;
      'filters[utm_medium][unlike]'?: Array<Pattern>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<Pattern>;
      'filters[utm_campaign][unlike]'?: Array<Pattern>;
      'filters[utm_term]'?: string;
      'filters[utm_term][is]'?: Array<string>;
      'filters[utm_term][not]'?: Array<string>;
      'filters[utm_term][like]'?: Array<Pattern>;
      'filters[utm_term][unlike]'?: Array<Pattern>;
      'filters[utm_content]'?: string;
      'filters[utm_content][is]'?: Array<string>;
      'filters[utm_content][not]'?: Array<string>;
      'filters[utm_content][like]'?: Array<Pattern>;
      'filters[utm_content][unlike]'?: Array<Pattern>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[region]'?: string;
      'filters[region][is]'?: Array<string>;
      'filters[region][not]'?: Array<string>;
      'filters[city]'?: string;
      'filters[city][is]'?: Array<string>;
      'filters[city][not]'?: Array<string>;
      'filters[city][like]'?: Array<Pattern>;
      'filters[city][unlike]'?: Array<Pattern>;
      'filters[device]'?: Device;
      'filters[device][is]'?: Array<Device>;
      'filters[device][not]'?: Array<Device>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<Pattern>;
      'filters[browser][unlike]'?: Array<Pattern>;
      'filters[browser_version]'?: string;
      'filters[browser_version][is]'?: Array<string>;
      'filters[browser_version][not]'?: Array<string>;
      'filters[browser_version][like]'?: Array<Pattern>;
      'filters[browser_version][unlike]'?: Array<Pattern>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<Pattern>;
      'filters[os][unlike]'?: Array<Pattern>;
      'filters[os_version]'?: string;
      'filters[os_version][is]'?: Array<string>;
      'filters[os_version][not]'?: Array<string>;
      'filters[os_version][like]'?: Array<Pattern>;
      'filters[os_version][unlike]'?: Array<Pattern>;
      'filters[screen]'?: Screen;
      'filters[screen][is]'?: Array<Screen>;
      'filters[screen][not]'?: Array<Screen>;
      'filters[language]'?: string;
      'filters[language][is]'?: Array<string>;
      'filters[language][not]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
      [filter: `filters[property:${string}]${string}`]: string | Array<string>;
    };
    data: Realtime;
  };

  /** Read the visitors of the last five minutes, and the activity of the last thirty by minute. */
  'GET /sites/{site}/stats/live': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<PagePattern>;
      'filters[page][unlike]'?: Array<PagePattern>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<Pattern>;
      'filters[event][unlike]'?: Array<Pattern>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<PagePattern>;
      'filters[entry][unlike]'?: Array<PagePattern>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<PagePattern>;
      'filters[exit][unlike]'?: Array<PagePattern>;
      'filters[hostname]'?: string;
      'filters[hostname][is]'?: Array<string>;
      'filters[hostname][not]'?: Array<string>;
      'filters[hostname][like]'?: Array<SourcePattern>;
      'filters[hostname][unlike]'?: Array<SourcePattern>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<SourcePattern>;
      'filters[source][unlike]'?: Array<SourcePattern>;
      'filters[channel]'?: Channel;
      'filters[channel][is]'?: Array<Channel>;
      'filters[channel][not]'?: Array<Channel>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<Pattern>;
      'filters[utm_source][unlike]'?: Array<Pattern>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<Pattern>;
      'filters[utm_medium][unlike]'?: Array<Pattern>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<Pattern>;
      'filters[utm_campaign][unlike]'?: Array<Pattern>;
      'filters[utm_term]'?: string;
      'filters[utm_term][is]'?: Array<string>;
      'filters[utm_term][not]'?: Array<string>;
      'filters[utm_term][like]'?: Array<Pattern>;
      'filters[utm_term][unlike]'?: Array<Pattern>;
      'filters[utm_content]'?: string;
      'filters[utm_content][is]'?: Array<string>;
      'filters[utm_content][not]'?: Array<string>;
      'filters[utm_content][like]'?: Array<Pattern>;
      'filters[utm_content][unlike]'?: Array<Pattern>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[region]'?: string;
      'filters[region][is]'?: Array<string>;
      'filters[region][not]'?: Array<string>;
      'filters[city]'?: string;
      'filters[city][is]'?: Array<string>;
      'filters[city][not]'?: Array<string>;
      'filters[city][like]'?: Array<Pattern>;
      'filters[city][unlike]'?: Array<Pattern>;
      'filters[device]'?: Device;
      'filters[device][is]'?: Array<Device>;
      'filters[device][not]'?: Array<Device>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<Pattern>;
      'filters[browser][unlike]'?: Array<Pattern>;
      'filters[browser_version]'?: string;
      'filters[browser_version][is]'?: Array<string>;
      'filters[browser_version][not]'?: Array<string>;
      'filters[browser_version][like]'?: Array<Pattern>;
      'filters[browser_version][unlike]'?: Array<Pattern>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<Pattern>;
      'filters[os][unlike]'?: Array<Pattern>;
      'filters[os_version]'?: string;
      'filters[os_version][is]'?: Array<string>;
      'filters[os_version][not]'?: Array<string>;
      'filters[os_version][like]'?: Array<Pattern>;
      'filters[os_version][unlike]'?: Array<Pattern>;
      'filters[screen]'?: Screen;
      'filters[screen][is]'?: Array<Screen>;
      'filters[screen][not]'?: Array<Screen>;
      'filters[language]'?: string;
      'filters[language][is]'?: Array<string>;
      'filters[language][not]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
      [filter: `filters[property:${string}]${string}`]: string | Array<string>;
    };
    data: Live;
  };

  /** Read the requests of AI crawlers, and the pages that they read most. */
  'GET /sites/{site}/stats/bots': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      limit?: number;
      crawler?: 'gptbot' | 'oai-searchbot' | 'chatgpt-user' | 'claudebot' | 'anthropic-ai' | 'claude-web' | 'claude-searchbot' | 'claude-user' | 'claude-code' | 'perplexitybot' | 'perplexity-user' | 'perplexityuser' | 'google-cloudvertexbot' | 'googleother' | 'google-notebooklm' | 'google-gemininotebook' | 'gemini-deep-research' | 'googleagent-mariner' | 'googleagent-urlcontext' | 'google-agent' | 'meta-externalagent' | 'facebookbot' | 'meta-webindexer' | 'meta-externalfetcher' | 'ccbot' | 'bytespider' | 'tiktokspider' | 'imagespider' | 'applebot' | 'amazonbot' | 'amzn-searchbot' | 'amzn-user' | 'bedrockbot' | 'novaact' | 'kendrabot' | 'azureai-searchbot' | 'duckassistbot' | 'mistralai-user' | 'mistralai-index' | 'mistralai-training' | 'cohere-training-data-crawler' | 'cohere-ai' | 'youbot' | 'petalbot' | 'pangubot' | 'linkupbot' | 'exasearchbot' | 'andibot' | 'iaskspider' | 'iaskbot' | 'phindbot' | 'linerbot' | 'tavilybot' | 'shapbot' | 'yandexadditional' | 'diffbot' | 'firecrawlagent' | 'imagesiftbot' | 'webzio-extended' | 'omgili' | 'timpibot' | 'ai2bot' | 'deepseekbot' | 'chatglm-spider' | 'sbintuitionsbot' | 'kimi-user' | 'manus-user' | 'kagi-fetcher' | 'tongyibot' | 'yiyanbot' | 'devin' | 'opencode' | 'apifybot' | 'apifywebsitecontentcrawler' | 'aranet-searchbot' | 'atlassian-bot' | 'brightbot' | 'terracotta' | 'channel3bot' | 'cloudflare-autorag' | 'crawl4ai' | 'anomura' | 'extecontextcrawl' | 'flyriverbot' | 'img2dataset' | 'kangaroobot' | 'kunatocrawler' | 'laion-huggingface-processor' | 'novellum' | 'poggio-citations' | 'semantic-visions' | 'linkreader' | 'spawning-ai' | 'taragroup' | 'henkbot' | 'zanistabot';
    };
    data: CrawlerReport;
  };

  /** Read the visitors at each step of a funnel. */
  'GET /sites/{site}/stats/funnels/{funnel}': {
    path: {
      site: string | number;
      funnel: number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<PagePattern>;
      'filters[page][unlike]'?: Array<PagePattern>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<Pattern>;
      'filters[event][unlike]'?: Array<Pattern>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<PagePattern>;
      'filters[entry][unlike]'?: Array<PagePattern>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<PagePattern>;
      'filters[exit][unlike]'?: Array<PagePattern>;
      'filters[hostname]'?: string;
      'filters[hostname][is]'?: Array<string>;
      'filters[hostname][not]'?: Array<string>;
      'filters[hostname][like]'?: Array<SourcePattern>;
      'filters[hostname][unlike]'?: Array<SourcePattern>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<SourcePattern>;
      'filters[source][unlike]'?: Array<SourcePattern>;
      'filters[channel]'?: Channel;
      'filters[channel][is]'?: Array<Channel>;
      'filters[channel][not]'?: Array<Channel>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<Pattern>;
      'filters[utm_source][unlike]'?: Array<Pattern>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<Pattern>;
      'filters[utm_medium][unlike]'?: Array<Pattern>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<Pattern>;
      'filters[utm_campaign][unlike]'?: Array<Pattern>;
      'filters[utm_term]'?: string;
      'filters[utm_term][is]'?: Array<string>;
      'filters[utm_term][not]'?: Array<string>;
      'filters[utm_term][like]'?: Array<Pattern>;
      'filters[utm_term][unlike]'?: Array<Pattern>;
      'filters[utm_content]'?: string;
      'filters[utm_content][is]'?: Array<string>;
      'filters[utm_content][not]'?: Array<string>;
      'filters[utm_content][like]'?: Array<Pattern>;
      'filters[utm_content][unlike]'?: Array<Pattern>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[region]'?: string;
      'filters[region][is]'?: Array<string>;
      'filters[region][not]'?: Array<string>;
      'filters[city]'?: string;
      'filters[city][is]'?: Array<string>;
      'filters[city][not]'?: Array<string>;
      'filters[city][like]'?: Array<Pattern>;
      'filters[city][unlike]'?: Array<Pattern>;
      'filters[device]'?: Device;
      'filters[device][is]'?: Array<Device>;
      'filters[device][not]'?: Array<Device>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<Pattern>;
      'filters[browser][unlike]'?: Array<Pattern>;
      'filters[browser_version]'?: string;
      'filters[browser_version][is]'?: Array<string>;
      'filters[browser_version][not]'?: Array<string>;
      'filters[browser_version][like]'?: Array<Pattern>;
      'filters[browser_version][unlike]'?: Array<Pattern>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<Pattern>;
      'filters[os][unlike]'?: Array<Pattern>;
      'filters[os_version]'?: string;
      'filters[os_version][is]'?: Array<string>;
      'filters[os_version][not]'?: Array<string>;
      'filters[os_version][like]'?: Array<Pattern>;
      'filters[os_version][unlike]'?: Array<Pattern>;
      'filters[screen]'?: Screen;
      'filters[screen][is]'?: Array<Screen>;
      'filters[screen][not]'?: Array<Screen>;
      'filters[language]'?: string;
      'filters[language][is]'?: Array<string>;
      'filters[language][not]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
      [filter: `filters[property:${string}]${string}`]: string | Array<string>;
      metrics?: string;
      currency?: string;
    };
    data: FunnelReport;
  };

  /** Read which pages visits saw next after a page, a goal or their entry, or before it. */
  'GET /sites/{site}/stats/journeys': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<PagePattern>;
      'filters[page][unlike]'?: Array<PagePattern>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<Pattern>;
      'filters[event][unlike]'?: Array<Pattern>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<PagePattern>;
      'filters[entry][unlike]'?: Array<PagePattern>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<PagePattern>;
      'filters[exit][unlike]'?: Array<PagePattern>;
      'filters[hostname]'?: string;
      'filters[hostname][is]'?: Array<string>;
      'filters[hostname][not]'?: Array<string>;
      'filters[hostname][like]'?: Array<SourcePattern>;
      'filters[hostname][unlike]'?: Array<SourcePattern>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<SourcePattern>;
      'filters[source][unlike]'?: Array<SourcePattern>;
      'filters[channel]'?: Channel;
      'filters[channel][is]'?: Array<Channel>;
      'filters[channel][not]'?: Array<Channel>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<Pattern>;
      'filters[utm_source][unlike]'?: Array<Pattern>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<Pattern>;
      'filters[utm_medium][unlike]'?: Array<Pattern>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<Pattern>;
      'filters[utm_campaign][unlike]'?: Array<Pattern>;
      'filters[utm_term]'?: string;
      'filters[utm_term][is]'?: Array<string>;
      'filters[utm_term][not]'?: Array<string>;
      'filters[utm_term][like]'?: Array<Pattern>;
      'filters[utm_term][unlike]'?: Array<Pattern>;
      'filters[utm_content]'?: string;
      'filters[utm_content][is]'?: Array<string>;
      'filters[utm_content][not]'?: Array<string>;
      'filters[utm_content][like]'?: Array<Pattern>;
      'filters[utm_content][unlike]'?: Array<Pattern>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[region]'?: string;
      'filters[region][is]'?: Array<string>;
      'filters[region][not]'?: Array<string>;
      'filters[city]'?: string;
      'filters[city][is]'?: Array<string>;
      'filters[city][not]'?: Array<string>;
      'filters[city][like]'?: Array<Pattern>;
      'filters[city][unlike]'?: Array<Pattern>;
      'filters[device]'?: Device;
      'filters[device][is]'?: Array<Device>;
      'filters[device][not]'?: Array<Device>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<Pattern>;
      'filters[browser][unlike]'?: Array<Pattern>;
      'filters[browser_version]'?: string;
      'filters[browser_version][is]'?: Array<string>;
      'filters[browser_version][not]'?: Array<string>;
      'filters[browser_version][like]'?: Array<Pattern>;
      'filters[browser_version][unlike]'?: Array<Pattern>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<Pattern>;
      'filters[os][unlike]'?: Array<Pattern>;
      'filters[os_version]'?: string;
      'filters[os_version][is]'?: Array<string>;
      'filters[os_version][not]'?: Array<string>;
      'filters[os_version][like]'?: Array<Pattern>;
      'filters[os_version][unlike]'?: Array<Pattern>;
      'filters[screen]'?: Screen;
      'filters[screen][is]'?: Array<Screen>;
      'filters[screen][not]'?: Array<Screen>;
      'filters[language]'?: string;
      'filters[language][is]'?: Array<string>;
      'filters[language][not]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
      [filter: `filters[property:${string}]${string}`]: string | Array<string>;
      from?: string;
      direction?: 'after' | 'before';
      steps?: number;
      limit?: number;
    };
    data: JourneyReport;
  };

  /** Read the visitors that AI assistants sent. */
  'GET /sites/{site}/stats/assistants': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<PagePattern>;
      'filters[page][unlike]'?: Array<PagePattern>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<Pattern>;
      'filters[event][unlike]'?: Array<Pattern>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<PagePattern>;
      'filters[entry][unlike]'?: Array<PagePattern>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<PagePattern>;
      'filters[exit][unlike]'?: Array<PagePattern>;
      'filters[hostname]'?: string;
      'filters[hostname][is]'?: Array<string>;
      'filters[hostname][not]'?: Array<string>;
      'filters[hostname][like]'?: Array<SourcePattern>;
      'filters[hostname][unlike]'?: Array<SourcePattern>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<SourcePattern>;
      'filters[source][unlike]'?: Array<SourcePattern>;
      'filters[channel]'?: Channel;
      'filters[channel][is]'?: Array<Channel>;
      'filters[channel][not]'?: Array<Channel>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<Pattern>;
      'filters[utm_source][unlike]'?: Array<Pattern>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<Pattern>;
      'filters[utm_medium][unlike]'?: Array<Pattern>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<Pattern>;
      'filters[utm_campaign][unlike]'?: Array<Pattern>;
      'filters[utm_term]'?: string;
      'filters[utm_term][is]'?: Array<string>;
      'filters[utm_term][not]'?: Array<string>;
      'filters[utm_term][like]'?: Array<Pattern>;
      'filters[utm_term][unlike]'?: Array<Pattern>;
      'filters[utm_content]'?: string;
      'filters[utm_content][is]'?: Array<string>;
      'filters[utm_content][not]'?: Array<string>;
      'filters[utm_content][like]'?: Array<Pattern>;
      'filters[utm_content][unlike]'?: Array<Pattern>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[region]'?: string;
      'filters[region][is]'?: Array<string>;
      'filters[region][not]'?: Array<string>;
      'filters[city]'?: string;
      'filters[city][is]'?: Array<string>;
      'filters[city][not]'?: Array<string>;
      'filters[city][like]'?: Array<Pattern>;
      'filters[city][unlike]'?: Array<Pattern>;
      'filters[device]'?: Device;
      'filters[device][is]'?: Array<Device>;
      'filters[device][not]'?: Array<Device>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<Pattern>;
      'filters[browser][unlike]'?: Array<Pattern>;
      'filters[browser_version]'?: string;
      'filters[browser_version][is]'?: Array<string>;
      'filters[browser_version][not]'?: Array<string>;
      'filters[browser_version][like]'?: Array<Pattern>;
      'filters[browser_version][unlike]'?: Array<Pattern>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<Pattern>;
      'filters[os][unlike]'?: Array<Pattern>;
      'filters[os_version]'?: string;
      'filters[os_version][is]'?: Array<string>;
      'filters[os_version][not]'?: Array<string>;
      'filters[os_version][like]'?: Array<Pattern>;
      'filters[os_version][unlike]'?: Array<Pattern>;
      'filters[screen]'?: Screen;
      'filters[screen][is]'?: Array<Screen>;
      'filters[screen][not]'?: Array<Screen>;
      'filters[language]'?: string;
      'filters[language][is]'?: Array<string>;
      'filters[language][not]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
      [filter: `filters[property:${string}]${string}`]: string | Array<string>;
    };
    data: AssistantReport;
  };

  /** Read web vitals: how fast pages are, in all or by page, device, country or browser. */
  'GET /sites/{site}/stats/vitals': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<PagePattern>;
      'filters[page][unlike]'?: Array<PagePattern>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<Pattern>;
      'filters[event][unlike]'?: Array<Pattern>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<PagePattern>;
      'filters[entry][unlike]'?: Array<PagePattern>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<PagePattern>;
      'filters[exit][unlike]'?: Array<PagePattern>;
      'filters[hostname]'?: string;
      'filters[hostname][is]'?: Array<string>;
      'filters[hostname][not]'?: Array<string>;
      'filters[hostname][like]'?: Array<SourcePattern>;
      'filters[hostname][unlike]'?: Array<SourcePattern>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<SourcePattern>;
      'filters[source][unlike]'?: Array<SourcePattern>;
      'filters[channel]'?: Channel;
      'filters[channel][is]'?: Array<Channel>;
      'filters[channel][not]'?: Array<Channel>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<Pattern>;
      'filters[utm_source][unlike]'?: Array<Pattern>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<Pattern>;
      'filters[utm_medium][unlike]'?: Array<Pattern>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<Pattern>;
      'filters[utm_campaign][unlike]'?: Array<Pattern>;
      'filters[utm_term]'?: string;
      'filters[utm_term][is]'?: Array<string>;
      'filters[utm_term][not]'?: Array<string>;
      'filters[utm_term][like]'?: Array<Pattern>;
      'filters[utm_term][unlike]'?: Array<Pattern>;
      'filters[utm_content]'?: string;
      'filters[utm_content][is]'?: Array<string>;
      'filters[utm_content][not]'?: Array<string>;
      'filters[utm_content][like]'?: Array<Pattern>;
      'filters[utm_content][unlike]'?: Array<Pattern>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[region]'?: string;
      'filters[region][is]'?: Array<string>;
      'filters[region][not]'?: Array<string>;
      'filters[city]'?: string;
      'filters[city][is]'?: Array<string>;
      'filters[city][not]'?: Array<string>;
      'filters[city][like]'?: Array<Pattern>;
      'filters[city][unlike]'?: Array<Pattern>;
      'filters[device]'?: Device;
      'filters[device][is]'?: Array<Device>;
      'filters[device][not]'?: Array<Device>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<Pattern>;
      'filters[browser][unlike]'?: Array<Pattern>;
      'filters[browser_version]'?: string;
      'filters[browser_version][is]'?: Array<string>;
      'filters[browser_version][not]'?: Array<string>;
      'filters[browser_version][like]'?: Array<Pattern>;
      'filters[browser_version][unlike]'?: Array<Pattern>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<Pattern>;
      'filters[os][unlike]'?: Array<Pattern>;
      'filters[os_version]'?: string;
      'filters[os_version][is]'?: Array<string>;
      'filters[os_version][not]'?: Array<string>;
      'filters[os_version][like]'?: Array<Pattern>;
      'filters[os_version][unlike]'?: Array<Pattern>;
      'filters[screen]'?: Screen;
      'filters[screen][is]'?: Array<Screen>;
      'filters[screen][not]'?: Array<Screen>;
      'filters[language]'?: string;
      'filters[language][is]'?: Array<string>;
      'filters[language][not]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
      [filter: `filters[property:${string}]${string}`]: string | Array<string>;
      by?: 'none' | 'pages' | 'devices' | 'countries' | 'browsers';
      limit?: number;
    };
    data: VitalReport;
  };

  /** List searches on Google from imported files: queries, pages, countries or devices. */
  'GET /sites/{site}/stats/search': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      by?: 'query' | 'page' | 'country' | 'device';
      limit?: number;
    };
    data: SearchReport;
  };

  /** List hits that were not counted, by reason. Filters do not apply. */
  'GET /sites/{site}/stats/drops': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
    };
    data: DropReport;
  };

  /** List when hits were not collected, and why. Filters do not apply. */
  'GET /sites/{site}/stats/outages': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
    };
    data: OutageReport;
  };

  /** List the details of each day: its state, excluded and dropped hits, and when it was verified. Filters do not apply. */
  'GET /sites/{site}/stats/days': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
    };
    data: DayReport;
  };

  /** List what changed figures of past days: why, by whom, when and by how much. */
  'GET /sites/{site}/changes': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      after?: number;
      limit?: number;
    };
    data: ChangeList;
  };

  /** List the signed receipts of sealed days, in the order in which they were made. */
  'GET /sites/{site}/receipts': {
    path: {
      site: string | number;
    };
    query?: {
      after?: number;
      limit?: number;
    };
    data: ReceiptList;
  };

  /** Download all hits, or their daily totals, as a file. Without a range, of all days. One export at a time. */
  'GET /sites/{site}/export': {
    path: {
      site: string | number;
    };
    query: {
      format: 'ndjson' | 'csv' | 'parquet' | 'plausible';
      range?: string;
    };
    data: ReadableStream<Uint8Array>;
  };

  /** List imports, the latest first. */
  'GET /sites/{site}/imports': {
    path: {
      site: string | number;
    };
    data: Array<Import>;
  };

  /** Remove a whole import. Hits of past days that it replaced do not come back. */
  'DELETE /sites/{site}/imports/{import_id}': {
    path: {
      site: string | number;
      import_id: number;
    };
    data: undefined;
  };

  /** Delete all hits, totals and imports of some days that are over, for good. */
  'POST /sites/{site}/deletions': {
    path: {
      site: string | number;
    };
    body: DeletedDays;
    data: Deletion;
  };

  /** Preview a deletion: what goes, and which days are not sealed yet. Nothing is deleted. */
  'POST /sites/{site}/deletions/preview': {
    path: {
      site: string | number;
    };
    body: DeletedDays;
    data: DeletionPreview;
  };

  /** List the latest upload of a file: its state, and what was found in it. */
  'GET /sites/{site}/uploads': {
    path: {
      site: string | number;
    };
    data: Array<Upload>;
  };

  /** Begin to upload a file of another product. Nothing is imported before you confirm. */
  'POST /sites/{site}/uploads': {
    path: {
      site: string | number;
    };
    body: NewUpload;
    data: Upload;
  };

  /** Send a piece of up to 1 MiB. After the last piece, the file is read. */
  'POST /sites/{site}/uploads/{upload}/bytes': {
    path: {
      site: string | number;
      upload: number;
    };
    query: {
      offset: number;
    };
    body: Uint8Array<ArrayBuffer>;
    data: Upload;
  };

  /** Import a file that is ready. Only the owner may replace hits of the site. */
  'POST /sites/{site}/uploads/{upload}/confirmation': {
    path: {
      site: string | number;
      upload: number;
    };
    body: Confirmation;
    data: Upload;
  };

  /** Cancel an upload. Nothing is imported. */
  'DELETE /sites/{site}/uploads/{upload}': {
    path: {
      site: string | number;
      upload: number;
    };
    data: undefined;
  };

  /** Read the overview of all sites that you may see, or of some. */
  'GET /stats/overview': {
    query?: {
      range?: string;
      sites?: string;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<SourcePattern>;
      'filters[source][unlike]'?: Array<SourcePattern>;
      'filters[channel]'?: Channel;
      'filters[channel][is]'?: Array<Channel>;
      'filters[channel][not]'?: Array<Channel>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<Pattern>;
      'filters[utm_source][unlike]'?: Array<Pattern>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<Pattern>;
      'filters[utm_medium][unlike]'?: Array<Pattern>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<Pattern>;
      'filters[utm_campaign][unlike]'?: Array<Pattern>;
      'filters[utm_term]'?: string;
      'filters[utm_term][is]'?: Array<string>;
      'filters[utm_term][not]'?: Array<string>;
      'filters[utm_term][like]'?: Array<Pattern>;
      'filters[utm_term][unlike]'?: Array<Pattern>;
      'filters[utm_content]'?: string;
      'filters[utm_content][is]'?: Array<string>;
      'filters[utm_content][not]'?: Array<string>;
      'filters[utm_content][like]'?: Array<Pattern>;
      'filters[utm_content][unlike]'?: Array<Pattern>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[region]'?: string;
      'filters[region][is]'?: Array<string>;
      'filters[region][not]'?: Array<string>;
      'filters[city]'?: string;
      'filters[city][is]'?: Array<string>;
      'filters[city][not]'?: Array<string>;
      'filters[city][like]'?: Array<Pattern>;
      'filters[city][unlike]'?: Array<Pattern>;
      'filters[device]'?: Device;
      'filters[device][is]'?: Array<Device>;
      'filters[device][not]'?: Array<Device>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<Pattern>;
      'filters[browser][unlike]'?: Array<Pattern>;
      'filters[browser_version]'?: string;
      'filters[browser_version][is]'?: Array<string>;
      'filters[browser_version][not]'?: Array<string>;
      'filters[browser_version][like]'?: Array<Pattern>;
      'filters[browser_version][unlike]'?: Array<Pattern>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<Pattern>;
      'filters[os][unlike]'?: Array<Pattern>;
      'filters[os_version]'?: string;
      'filters[os_version][is]'?: Array<string>;
      'filters[os_version][not]'?: Array<string>;
      'filters[os_version][like]'?: Array<Pattern>;
      'filters[os_version][unlike]'?: Array<Pattern>;
      'filters[screen]'?: Screen;
      'filters[screen][is]'?: Array<Screen>;
      'filters[screen][not]'?: Array<Screen>;
      'filters[language]'?: string;
      'filters[language][is]'?: Array<string>;
      'filters[language][not]'?: Array<string>;
      compare?: string;
      compare_until?: 'now';
      metrics?: string;
      currency?: string;
    };
    data: Overview;
  };

  /** Read visitors and pageviews of these sites by day, week or month (default: by day, above 90 days by month). */
  'GET /stats/timeseries': {
    query?: {
      range?: string;
      sites?: string;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<SourcePattern>;
      'filters[source][unlike]'?: Array<SourcePattern>;
      'filters[channel]'?: Channel;
      'filters[channel][is]'?: Array<Channel>;
      'filters[channel][not]'?: Array<Channel>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<Pattern>;
      'filters[utm_source][unlike]'?: Array<Pattern>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<Pattern>;
      'filters[utm_medium][unlike]'?: Array<Pattern>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<Pattern>;
      'filters[utm_campaign][unlike]'?: Array<Pattern>;
      'filters[utm_term]'?: string;
      'filters[utm_term][is]'?: Array<string>;
      'filters[utm_term][not]'?: Array<string>;
      'filters[utm_term][like]'?: Array<Pattern>;
      'filters[utm_term][unlike]'?: Array<Pattern>;
      'filters[utm_content]'?: string;
      'filters[utm_content][is]'?: Array<string>;
      'filters[utm_content][not]'?: Array<string>;
      'filters[utm_content][like]'?: Array<Pattern>;
      'filters[utm_content][unlike]'?: Array<Pattern>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[region]'?: string;
      'filters[region][is]'?: Array<string>;
      'filters[region][not]'?: Array<string>;
      'filters[city]'?: string;
      'filters[city][is]'?: Array<string>;
      'filters[city][not]'?: Array<string>;
      'filters[city][like]'?: Array<Pattern>;
      'filters[city][unlike]'?: Array<Pattern>;
      'filters[device]'?: Device;
      'filters[device][is]'?: Array<Device>;
      'filters[device][not]'?: Array<Device>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<Pattern>;
      'filters[browser][unlike]'?: Array<Pattern>;
      'filters[browser_version]'?: string;
      'filters[browser_version][is]'?: Array<string>;
      'filters[browser_version][not]'?: Array<string>;
      'filters[browser_version][like]'?: Array<Pattern>;
      'filters[browser_version][unlike]'?: Array<Pattern>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<Pattern>;
      'filters[os][unlike]'?: Array<Pattern>;
      'filters[os_version]'?: string;
      'filters[os_version][is]'?: Array<string>;
      'filters[os_version][not]'?: Array<string>;
      'filters[os_version][like]'?: Array<Pattern>;
      'filters[os_version][unlike]'?: Array<Pattern>;
      'filters[screen]'?: Screen;
      'filters[screen][is]'?: Array<Screen>;
      'filters[screen][not]'?: Array<Screen>;
      'filters[language]'?: string;
      'filters[language][is]'?: Array<string>;
      'filters[language][not]'?: Array<string>;
      interval?: 'day' | 'week' | 'month';
      metrics?: string;
      currency?: string;
    };
    data: Timeseries;
  };

  /** List the top sites, or the top values of a dimension on these sites, by visitors. */
  'GET /stats/breakdown/{breakdown}': {
    path: {
      breakdown: SharedBreakdownName;
    };
    query?: {
      range?: string;
      sites?: string;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<SourcePattern>;
      'filters[source][unlike]'?: Array<SourcePattern>;
      'filters[channel]'?: Channel;
      'filters[channel][is]'?: Array<Channel>;
      'filters[channel][not]'?: Array<Channel>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<Pattern>;
      'filters[utm_source][unlike]'?: Array<Pattern>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<Pattern>;
      'filters[utm_medium][unlike]'?: Array<Pattern>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<Pattern>;
      'filters[utm_campaign][unlike]'?: Array<Pattern>;
      'filters[utm_term]'?: string;
      'filters[utm_term][is]'?: Array<string>;
      'filters[utm_term][not]'?: Array<string>;
      'filters[utm_term][like]'?: Array<Pattern>;
      'filters[utm_term][unlike]'?: Array<Pattern>;
      'filters[utm_content]'?: string;
      'filters[utm_content][is]'?: Array<string>;
      'filters[utm_content][not]'?: Array<string>;
      'filters[utm_content][like]'?: Array<Pattern>;
      'filters[utm_content][unlike]'?: Array<Pattern>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[region]'?: string;
      'filters[region][is]'?: Array<string>;
      'filters[region][not]'?: Array<string>;
      'filters[city]'?: string;
      'filters[city][is]'?: Array<string>;
      'filters[city][not]'?: Array<string>;
      'filters[city][like]'?: Array<Pattern>;
      'filters[city][unlike]'?: Array<Pattern>;
      'filters[device]'?: Device;
      'filters[device][is]'?: Array<Device>;
      'filters[device][not]'?: Array<Device>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<Pattern>;
      'filters[browser][unlike]'?: Array<Pattern>;
      'filters[browser_version]'?: string;
      'filters[browser_version][is]'?: Array<string>;
      'filters[browser_version][not]'?: Array<string>;
      'filters[browser_version][like]'?: Array<Pattern>;
      'filters[browser_version][unlike]'?: Array<Pattern>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<Pattern>;
      'filters[os][unlike]'?: Array<Pattern>;
      'filters[os_version]'?: string;
      'filters[os_version][is]'?: Array<string>;
      'filters[os_version][not]'?: Array<string>;
      'filters[os_version][like]'?: Array<Pattern>;
      'filters[os_version][unlike]'?: Array<Pattern>;
      'filters[screen]'?: Screen;
      'filters[screen][is]'?: Array<Screen>;
      'filters[screen][not]'?: Array<Screen>;
      'filters[language]'?: string;
      'filters[language][is]'?: Array<string>;
      'filters[language][not]'?: Array<string>;
      limit?: number;
      offset?: number;
    };
    data: SharedBreakdown;
  };

  /** Read the visitors of the last five minutes on these sites. */
  'GET /stats/realtime': {
    query?: {
      range?: string;
      sites?: string;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<SourcePattern>;
      'filters[source][unlike]'?: Array<SourcePattern>;
      'filters[channel]'?: Channel;
      'filters[channel][is]'?: Array<Channel>;
      'filters[channel][not]'?: Array<Channel>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<Pattern>;
      'filters[utm_source][unlike]'?: Array<Pattern>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<Pattern>;
      'filters[utm_medium][unlike]'?: Array<Pattern>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<Pattern>;
      'filters[utm_campaign][unlike]'?: Array<Pattern>;
      'filters[utm_term]'?: string;
      'filters[utm_term][is]'?: Array<string>;
      'filters[utm_term][not]'?: Array<string>;
      'filters[utm_term][like]'?: Array<Pattern>;
      'filters[utm_term][unlike]'?: Array<Pattern>;
      'filters[utm_content]'?: string;
      'filters[utm_content][is]'?: Array<string>;
      'filters[utm_content][not]'?: Array<string>;
      'filters[utm_content][like]'?: Array<Pattern>;
      'filters[utm_content][unlike]'?: Array<Pattern>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[region]'?: string;
      'filters[region][is]'?: Array<string>;
      'filters[region][not]'?: Array<string>;
      'filters[city]'?: string;
      'filters[city][is]'?: Array<string>;
      'filters[city][not]'?: Array<string>;
      'filters[city][like]'?: Array<Pattern>;
      'filters[city][unlike]'?: Array<Pattern>;
      'filters[device]'?: Device;
      'filters[device][is]'?: Array<Device>;
      'filters[device][not]'?: Array<Device>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<Pattern>;
      'filters[browser][unlike]'?: Array<Pattern>;
      'filters[browser_version]'?: string;
      'filters[browser_version][is]'?: Array<string>;
      'filters[browser_version][not]'?: Array<string>;
      'filters[browser_version][like]'?: Array<Pattern>;
      'filters[browser_version][unlike]'?: Array<Pattern>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<Pattern>;
      'filters[os][unlike]'?: Array<Pattern>;
      'filters[os_version]'?: string;
      'filters[os_version][is]'?: Array<string>;
      'filters[os_version][not]'?: Array<string>;
      'filters[os_version][like]'?: Array<Pattern>;
      'filters[os_version][unlike]'?: Array<Pattern>;
      'filters[screen]'?: Screen;
      'filters[screen][is]'?: Array<Screen>;
      'filters[screen][not]'?: Array<Screen>;
      'filters[language]'?: string;
      'filters[language][is]'?: Array<string>;
      'filters[language][not]'?: Array<string>;
    };
    data: Realtime;
  };

  /** Read your team, its limit, and the teams that you belong to. */
  'GET /team': {
    data: Team;
  };

  /** Invite a person, or renew an open invitation. */
  'POST /team': {
    body: NewMember;
    data: InvitedMember;
  };

  /** Change the role or the sites of a person. */
  'PATCH /team/{member}': {
    path: {
      member: number;
    };
    body: MemberChange;
    data: Member;
  };

  /** Remove a person or an open invitation. */
  'DELETE /team/{member}': {
    path: {
      member: number;
    };
    data: undefined;
  };

  /** List what was changed in your account and on your sites, the latest first. */
  'GET /account/log': {
    query?: {
      before?: number;
      limit?: number;
    };
    data: Array<AuditEntry>;
  };

  /** List your tokens. */
  'GET /tokens': {
    data: Array<Token>;
  };

  /** Add a token. Only this answer has its plain value. */
  'POST /tokens': {
    body: NewToken;
    data: PlainToken;
  };

  /** Revoke a token. */
  'DELETE /tokens/{token}': {
    path: {
      token: number;
    };
    data: undefined;
  };

  /** List where you are signed in. */
  'GET /sessions': {
    data: Array<Session>;
  };

  /** End a session. */
  'DELETE /sessions/{session}': {
    path: {
      session: number;
    };
    data: undefined;
  };

  /** Read what needs attention on the server, and how this request came. */
  'GET /server': {
    data: Server;
  };

  /** Read the state of each ClickHouse server, what waits to be sent to them, and the copies of open days. */
  'GET /cluster': {
    data: Cluster;
  };

  /** Answer a statement in SQL about all sites of the server. Only with --sql. */
  'POST /sql': {
    body: SqlQuery;
    data: SqlRows;
  };
};
