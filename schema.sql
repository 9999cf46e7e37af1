-- All tables of the one SQLite file. Times are seconds since 1970. Days are dates in the time zone of their site,
-- counted in days since 1970. Only the date of a note is text ('YYYY-MM-DD'). Ids are AUTOINCREMENT, therefore the id
-- of a deleted row is never used again.

-- The limits of an account. NULL means no limit. An account without a plan is blocked.
CREATE TABLE plan (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CONSTRAINT name_given CHECK (name <> ''),
  sites INTEGER CONSTRAINT sites_positive CHECK (sites >= 0),
  members INTEGER CONSTRAINT members_positive CHECK (members >= 0),
  events INTEGER CONSTRAINT events_positive CHECK (events >= 0)
) STRICT;
CREATE UNIQUE INDEX plan_name ON plan (name);
INSERT INTO plan (name) VALUES ('self-hosted');
-- The plan of an account that was made when its user accepted an invitation. Such a user sees the sites of others. The
-- account itself can have no sites and no team.
INSERT INTO plan (name, sites, members) VALUES ('guest', 0, 0);

-- A person who can sign in. password is NULL until the person has set one. email is in lower case.
CREATE TABLE user (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL CONSTRAINT email_lower CHECK (email = lower(email)),
  password TEXT,
  created_at INTEGER NOT NULL,
  language TEXT
) STRICT;
CREATE UNIQUE INDEX user_email ON user (email);

-- Each user has one account. The account owns sites and has a team.
CREATE TABLE account (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  plan_id INTEGER REFERENCES plan (id) ON DELETE SET NULL
) STRICT;
CREATE UNIQUE INDEX account_user_id ON account (user_id);
CREATE INDEX account_plan_id ON account (plan_id);

-- The number of counted events of an account in one calendar month ('YYYY-MM', UTC).
CREATE TABLE usage (
  account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  month TEXT NOT NULL CONSTRAINT month_form CHECK (month GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]'),
  events INTEGER NOT NULL CONSTRAINT events_positive CHECK (events >= 0),
  PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;

-- Tokens of the API. hash is the SHA-256 of the secret. The secret itself is shown once and not stored.
CREATE TABLE token (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  abilities TEXT NOT NULL CONSTRAINT abilities_list CHECK (json_valid(abilities)),
  hash BLOB NOT NULL CONSTRAINT hash_length CHECK (length(hash) = 32),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX token_user_id ON token (user_id);

-- What people, programs and commands changed, for 400 days. An entry has the texts of its time, because users, tokens
-- and sites may be deleted later. account_id is NULL if a command was about no account. fields is a list of names.
CREATE TABLE audit_entry (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  account_id INTEGER REFERENCES account (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  way TEXT NOT NULL CONSTRAINT way_known CHECK (way IN ('session', 'token', 'page', 'command', 'guest')),
  way_name TEXT NOT NULL,
  site TEXT NOT NULL,
  action TEXT NOT NULL CONSTRAINT action_known CHECK (action IN ('add', 'change', 'remove', 'run')),
  noun TEXT NOT NULL,
  name TEXT NOT NULL,
  fields TEXT NOT NULL CONSTRAINT fields_list CHECK (json_valid(fields))
) STRICT;
CREATE INDEX audit_entry_account_id ON audit_entry (account_id, id);
CREATE INDEX audit_entry_at ON audit_entry (at);

-- Links with which a user who was added by the operator sets a password. Each link works once.
CREATE TABLE password_link (
  user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
  hash BLOB NOT NULL CONSTRAINT hash_length CHECK (length(hash) = 32),
  expires_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX password_link_hash ON password_link (hash);

-- Sessions of the dashboard. hash is the SHA-256 of the cookie. browser is shown in the list of sessions.
-- reauthenticated_at is when the person last signed in or typed the password again.
CREATE TABLE session (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  hash BLOB NOT NULL CONSTRAINT hash_length CHECK (length(hash) = 32),
  browser TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  reauthenticated_at INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX session_user_id ON session (user_id);
CREATE UNIQUE INDEX session_hash ON session (hash);

-- The key that signs some cookies. These cookies alone sign nobody in. One of them says that a browser signed in
-- before. Another one says that the password was right and the second factor is still missing.
CREATE TABLE cookie_key (
  one INTEGER PRIMARY KEY CONSTRAINT one_row CHECK (one = 1),
  bytes BLOB NOT NULL CONSTRAINT bytes_length CHECK (length(bytes) = 32)
) STRICT;

-- The second factors of a user. key is the secret of an authenticator app, or the public key of a passkey. credential
-- is the id of a passkey. used is the latest time step of a code, or the counter of a passkey. By this number, daybook
-- refuses a code or a response of a passkey that was used before.
CREATE TABLE factor (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CONSTRAINT kind_known CHECK (kind IN ('app', 'passkey')),
  name TEXT NOT NULL,
  key BLOB NOT NULL,
  credential TEXT,
  used INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX factor_user_id ON factor (user_id);
CREATE UNIQUE INDEX factor_credential ON factor (credential) WHERE credential IS NOT NULL;

-- Codes that replace a lost second factor. Each code works once. hash is the SHA-256 of the code. The code itself is
-- shown once.
CREATE TABLE recovery_code (
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  hash BLOB NOT NULL CONSTRAINT hash_length CHECK (length(hash) = 32),
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

-- The number of wrong codes of a second factor that a user has typed since the last right one. A user without a row has
-- typed none.
CREATE TABLE wrong_code (
  user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
  tries INTEGER NOT NULL CONSTRAINT tries_positive CHECK (tries > 0),
  last_at INTEGER NOT NULL
) STRICT;

-- A person in the team of an account. The member is invited while user_id is NULL, and active afterwards. The id stays
-- the same. With sees_all, the member sees all sites of the account. Otherwise, the member sees the sites in
-- member_site.
CREATE TABLE member (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  email TEXT NOT NULL CONSTRAINT email_lower CHECK (email = lower(email)),
  role TEXT NOT NULL CONSTRAINT role_known CHECK (role IN ('viewer', 'manager')),
  sees_all INTEGER NOT NULL DEFAULT 1 CONSTRAINT sees_all_bool CHECK (sees_all IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX member_account_id_email ON member (account_id, email);
CREATE UNIQUE INDEX member_user_id_account_id ON member (user_id, account_id) WHERE user_id IS NOT NULL;

-- The open invitation of a member. It is deleted when the member accepts it. hash belongs to the link that the inviting
-- person sees too. mailed_hash belongs to the link in the mail. Only a person who can read the member's e-mails has
-- this second link.
CREATE TABLE invitation (
  member_id INTEGER PRIMARY KEY REFERENCES member (id) ON DELETE CASCADE,
  hash BLOB NOT NULL CONSTRAINT hash_length CHECK (length(hash) = 32),
  expires_at INTEGER NOT NULL,
  mailed_hash BLOB CONSTRAINT mailed_hash_length CHECK (length(mailed_hash) = 32)
) STRICT;
CREATE UNIQUE INDEX invitation_hash ON invitation (hash);
CREATE UNIQUE INDEX invitation_mailed_hash ON invitation (mailed_hash) WHERE mailed_hash IS NOT NULL;

-- A code that is mailed to the member when somebody opens the first link of an invitation. The code is needed, because
-- the inviting person knows this link too. hash is the hash of the link and the code together, because a code alone is
-- easy to guess. tries is the number of wrong codes.
CREATE TABLE invitation_code (
  member_id INTEGER PRIMARY KEY REFERENCES invitation (member_id) ON DELETE CASCADE,
  hash BLOB NOT NULL CONSTRAINT hash_length CHECK (length(hash) = 32),
  expires_at INTEGER NOT NULL,
  tries INTEGER NOT NULL
) STRICT;

-- Sites and their settings. share_slug is the secret part of the public read-only link. NULL means that the site is not
-- shared. Days older than keep_days lose their hits and keep their sums. With 0, all hits are kept. private_paths has
-- one pattern per line (src/classify/private.ts). page_parameters has one name per line
-- (src/classify/page-parameters.ts). dimensions_off has one dimension per line (src/stats/dimensions-off.ts). places is
-- 1 if the regions and cities of visitors are kept. track_vitals is 1 if web vitals are kept. currency is the code of
-- the currency of the site's revenue, and empty until the first revenue arrives. time_zone is a name that
-- src/lib/zone.ts knows.
CREATE TABLE site (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  domain TEXT NOT NULL CONSTRAINT domain_lower CHECK (domain = lower(domain)),
  created_at INTEGER NOT NULL,
  weekly_report INTEGER NOT NULL DEFAULT 0 CONSTRAINT weekly_report_bool CHECK (weekly_report IN (0, 1)),
  public_live INTEGER NOT NULL DEFAULT 0 CONSTRAINT public_live_bool CHECK (public_live IN (0, 1)),
  share_slug TEXT,
  alert_traffic INTEGER NOT NULL DEFAULT 0 CONSTRAINT alert_traffic_bool CHECK (alert_traffic IN (0, 1)),
  alert_silence INTEGER NOT NULL DEFAULT 0 CONSTRAINT alert_silence_bool CHECK (alert_silence IN (0, 1)),
  alert_custom INTEGER NOT NULL DEFAULT 1 CONSTRAINT alert_custom_bool CHECK (alert_custom IN (0, 1)),
  report_effects INTEGER NOT NULL DEFAULT 1 CONSTRAINT report_effects_bool CHECK (report_effects IN (0, 1)),
  track_crawlers INTEGER NOT NULL DEFAULT 1 CONSTRAINT track_crawlers_bool CHECK (track_crawlers IN (0, 1)),
  main_goal_id INTEGER REFERENCES goal (id) ON DELETE SET NULL,
  keep_days INTEGER NOT NULL DEFAULT 0 CONSTRAINT keep_days_positive CHECK (keep_days >= 0),
  private_paths TEXT NOT NULL DEFAULT '',
  page_parameters TEXT NOT NULL DEFAULT '',
  dimensions_off TEXT NOT NULL DEFAULT '',
  places INTEGER NOT NULL DEFAULT 0 CONSTRAINT places_bool CHECK (places IN (0, 1)),
  track_vitals INTEGER NOT NULL DEFAULT 0 CONSTRAINT track_vitals_bool CHECK (track_vitals IN (0, 1)),
  currency TEXT NOT NULL DEFAULT '',
  time_zone TEXT NOT NULL DEFAULT 'UTC',
  monthly_report INTEGER NOT NULL DEFAULT 0 CONSTRAINT monthly_report_bool CHECK (monthly_report IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX site_domain ON site (domain);
CREATE INDEX site_account_id ON site (account_id);
CREATE UNIQUE INDEX site_share_slug ON site (share_slug) WHERE share_slug IS NOT NULL;
CREATE INDEX site_main_goal_id ON site (main_goal_id) WHERE main_goal_id IS NOT NULL;

-- The sites of members who see only some sites of an account.
CREATE TABLE member_site (
  member_id INTEGER NOT NULL REFERENCES member (id) ON DELETE CASCADE,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  PRIMARY KEY (member_id, site_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX member_site_site_id ON member_site (site_id);

-- The changes of time zones. at is when a site got another time zone, and time_zone is the former one. day was the
-- current day of the site at that moment. After the change, this day ends when the next date begins in the new zone.
-- Therefore no past day gets more hits.
CREATE TABLE zone_change (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  day INTEGER NOT NULL,
  time_zone TEXT NOT NULL,
  PRIMARY KEY (site_id, at)
) STRICT, WITHOUT ROWID;

-- The former domains of sites. Up to the moment `until`, hits with a former domain count for its site, and no other
-- site can get this domain.
CREATE TABLE former_domain (
  domain TEXT PRIMARY KEY CONSTRAINT domain_lower CHECK (domain = lower(domain)),
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX former_domain_site_id ON former_domain (site_id);

-- Rules for what a site does not count from now on. value is a pattern or a country. For an IP address, value is a hash
-- that was made with block_key.
CREATE TABLE block (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CONSTRAINT kind_known CHECK (kind IN ('address', 'country', 'hostname', 'page', 'source', 'agent')),
  value TEXT NOT NULL,
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX block_site_id ON block (site_id, kind, value);

-- The key for hashes of blocked IP addresses, as 64 hexadecimal digits.
CREATE TABLE block_key (
  one INTEGER PRIMARY KEY CONSTRAINT one_row CHECK (one = 1),
  key TEXT NOT NULL CONSTRAINT key_form CHECK (length(key) = 64)
) STRICT;

-- The origins of other websites that may show the public page of a site in a frame.
CREATE TABLE embed (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  origin TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX embed_site_id_origin ON embed (site_id, origin);

-- Goals. value is a page path or an event name. changed_by is the id of the change that last changed the goal, or 0.
CREATE TABLE goal (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  type TEXT NOT NULL CONSTRAINT type_known CHECK (type IN ('page', 'event')),
  value TEXT NOT NULL,
  property TEXT NOT NULL DEFAULT '',
  property_value TEXT NOT NULL DEFAULT '',
  scroll INTEGER NOT NULL DEFAULT 0 CONSTRAINT scroll_range CHECK (scroll BETWEEN 0 AND 100),
  created_at INTEGER NOT NULL,
  changed_by INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX goal_site_id_target ON goal (site_id, type, value, property, property_value, scroll);

-- Goals as they were before they were changed or removed. A row was valid from the change changed_by to the change
-- replaced_by.
CREATE TABLE former_goal (
  id INTEGER NOT NULL,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  value TEXT NOT NULL,
  property TEXT NOT NULL,
  property_value TEXT NOT NULL,
  scroll INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  changed_by INTEGER NOT NULL,
  replaced_by INTEGER NOT NULL
) STRICT;
CREATE INDEX former_goal_site_id ON former_goal (site_id);

CREATE TABLE funnel (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX funnel_site_id ON funnel (site_id);

CREATE TABLE funnel_step (
  funnel_id INTEGER NOT NULL REFERENCES funnel (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CONSTRAINT position_range CHECK (position BETWEEN 0 AND 7),
  type TEXT NOT NULL CONSTRAINT type_known CHECK (type IN ('page', 'event')),
  value TEXT NOT NULL,
  property TEXT NOT NULL DEFAULT '',
  property_value TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (funnel_id, position)
) STRICT;

-- A note on a day of the chart. url is a page about the note, such as the page of a commit. effect is 1 if a message
-- two weeks later says how the figures changed (src/mail/effects.ts).
CREATE TABLE note (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  date TEXT NOT NULL CONSTRAINT date_form CHECK (date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  text TEXT NOT NULL,
  url TEXT,
  effect INTEGER NOT NULL DEFAULT 0 CONSTRAINT effect_bool CHECK (effect IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX note_site_id_date ON note (site_id, date);

-- Figures of searches on Google, from a file of its Search Console. These figures do not count visits. A row is about
-- all days from first_day to last_day together. A file of many days has only one sum for each search term, which Google
-- calls a query. kind 'day' has the sums of all searches of a day, without a name. places is the sum of the positions
-- of all impressions, in thousandths (src/store/sites/searches.ts).
CREATE TABLE search (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CONSTRAINT kind_known CHECK (kind IN ('day', 'query', 'page', 'country', 'device')),
  first_day INTEGER NOT NULL,
  last_day INTEGER NOT NULL CONSTRAINT last_day_after CHECK (last_day >= first_day),
  name TEXT NOT NULL,
  clicks INTEGER NOT NULL CONSTRAINT clicks_positive CHECK (clicks >= 0),
  impressions INTEGER NOT NULL CONSTRAINT impressions_positive CHECK (impressions >= 0),
  places INTEGER NOT NULL CONSTRAINT places_positive CHECK (places >= 0),
  PRIMARY KEY (site_id, kind, first_day, last_day, name)
) STRICT, WITHOUT ROWID;

-- Saved views: the range, the filters and the settings of a site's page, as they are written after ? in its URL.
CREATE TABLE saved_view (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  query TEXT NOT NULL
) STRICT;
CREATE INDEX saved_view_site_id ON saved_view (site_id);

-- The share links of a site that have a name. The link without a name is share_slug of the site. A link with a view
-- shows only what the view shows, and is deleted with the view. password is a hash, or NULL. origins is a list of the
-- websites that may show the link in a frame.
CREATE TABLE share (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  view_id INTEGER REFERENCES saved_view (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  password TEXT,
  expires_at INTEGER,
  origins TEXT NOT NULL CONSTRAINT origins_list CHECK (json_valid(origins)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX share_site_id ON share (site_id);
CREATE INDEX share_view_id ON share (view_id);
CREATE UNIQUE INDEX share_slug ON share (slug);

-- The custom alerts of a site. Each has a condition for a day that is over. threshold is NULL if the condition is
-- 'unusual'. filters has the filters, with each goal as it was when the alert was added. applied has the filters as
-- they were requested.
CREATE TABLE alert (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  metric TEXT NOT NULL,
  goal_id INTEGER REFERENCES goal (id) ON DELETE CASCADE,
  condition TEXT NOT NULL,
  threshold INTEGER,
  filters TEXT NOT NULL CONSTRAINT filters_json CHECK (json_valid(filters)),
  applied TEXT NOT NULL CONSTRAINT applied_json CHECK (json_valid(applied)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX alert_site_id ON alert (site_id);
CREATE INDEX alert_goal_id ON alert (goal_id);

-- Where the messages about a site go, in addition to e-mails: a channel of Slack, a room of Matrix and so on. place is
-- the part of the settings that people see, such as the host. messages is a JSON list of the kinds of messages that the
-- destination gets. since is when the destination was added, or when its pause ended. The destination gets only later
-- messages. failure says why the last message was not accepted, as a code with values. NULL means that the message was
-- accepted.
CREATE TABLE destination (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  place TEXT NOT NULL,
  messages TEXT NOT NULL CONSTRAINT messages_list CHECK (json_valid(messages)),
  language TEXT NOT NULL,
  paused INTEGER NOT NULL DEFAULT 0 CONSTRAINT paused_bool CHECK (paused IN (0, 1)),
  since INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  sent_at INTEGER,
  failed_at INTEGER,
  failure TEXT CONSTRAINT failure_json CHECK (json_valid(failure))
) STRICT;
CREATE INDEX destination_site_id ON destination (site_id);

-- The settings of destinations, as JSON: URLs, tokens and secrets. No backup has a row of this table
-- (src/store/file/copy.ts).
CREATE TABLE destination_secret (
  destination_id INTEGER PRIMARY KEY REFERENCES destination (id) ON DELETE CASCADE,
  settings TEXT NOT NULL CONSTRAINT settings_json CHECK (json_valid(settings))
) STRICT;

-- Exclusions of visits. An exclusion is about the days from from_day up to, but not including, to_day. If to_day is
-- NULL, the exclusion has no end. Visits that the filters select are excluded. filters has the filters, with each goal
-- as it was when the exclusion was added. applied has the filters as they were requested. added_by is the id of a
-- change, or 0.
CREATE TABLE exclusion (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  from_day INTEGER NOT NULL,
  to_day INTEGER,
  filters TEXT NOT NULL CONSTRAINT filters_json CHECK (json_valid(filters)),
  applied TEXT NOT NULL CONSTRAINT applied_json CHECK (json_valid(applied)),
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  added_by INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX exclusion_site_id ON exclusion (site_id);

-- Exclusions that were removed by the change with the id removed_by. Answers as of a past day still need them.
CREATE TABLE former_exclusion (
  id INTEGER NOT NULL,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  from_day INTEGER NOT NULL,
  to_day INTEGER,
  filters TEXT NOT NULL CONSTRAINT filters_json CHECK (json_valid(filters)),
  applied TEXT NOT NULL CONSTRAINT applied_json CHECK (json_valid(applied)),
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  added_by INTEGER NOT NULL,
  removed_by INTEGER NOT NULL
) STRICT;
CREATE INDEX former_exclusion_site_id ON former_exclusion (site_id);

-- Settings of sites that answers depend on, as they were until the change replaced_by.
CREATE TABLE former_setting (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  replaced_by INTEGER NOT NULL,
  main_goal_id INTEGER,
  page_parameters TEXT NOT NULL,
  currency TEXT NOT NULL,
  PRIMARY KEY (site_id, replaced_by)
) STRICT, WITHOUT ROWID;

-- The journal of everything that changed answers about past days. A change is about the days from from_day up to, but
-- not including, to_day. These days were over at that time. name is the name of the goal or the exclusion.
-- audit_entry_id is the entry of the audit log that says who made the change, until that entry is deleted. state says
-- whether the figures of change_day are counted already. 'unknown' means that they cannot be counted, because hits of
-- these days were deleted.
CREATE TABLE change (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  reason TEXT NOT NULL CONSTRAINT reason_known CHECK (reason IN ('exclusion_added', 'exclusion_removed', 'import_added',
    'import_removed', 'days_removed', 'late_hits', 'retention', 'goal_added', 'goal_changed', 'goal_removed', 'setting_changed')),
  name TEXT NOT NULL,
  from_day INTEGER NOT NULL,
  to_day INTEGER NOT NULL,
  state TEXT NOT NULL CONSTRAINT state_known CHECK (state IN ('due', 'counted', 'unknown')),
  audit_entry_id INTEGER REFERENCES audit_entry (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX change_site_id ON change (site_id, id);
CREATE INDEX change_audit_entry_id ON change (audit_entry_id) WHERE audit_entry_id IS NOT NULL;
CREATE INDEX change_due ON change (id) WHERE state = 'due';

-- The figures of the days that a change changed, before and after the change. Days with equal figures have no row.
-- change_id has no foreign key, because a deleted site may have many rows. They are deleted in small transactions.
CREATE TABLE change_day (
  change_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  before TEXT NOT NULL CONSTRAINT before_json CHECK (json_valid(before)),
  after TEXT NOT NULL CONSTRAINT after_json CHECK (json_valid(after)),
  PRIMARY KEY (change_id, day)
) STRICT, WITHOUT ROWID;

-- Lost days: days that cannot be counted again as they were between two changes. since and until are the ids of these
-- changes. figures are the last figures of the day, if they are known. has_sums is 1 if only the hits were deleted.
CREATE TABLE lost_day (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER NOT NULL,
  has_sums INTEGER NOT NULL CONSTRAINT has_sums_bool CHECK (has_sums IN (0, 1)),
  figures TEXT CONSTRAINT figures_json CHECK (json_valid(figures)),
  PRIMARY KEY (site_id, day, until, since)
) STRICT, WITHOUT ROWID;

-- Days for which daybook suggests no exclusion any more, because somebody said that their visits are wanted.
CREATE TABLE dismissed_day (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  PRIMARY KEY (site_id, day)
) STRICT, WITHOUT ROWID;

-- The salts of the visitor codes, one for each site and day. A salt is deleted when its day is over, and backups have
-- no salts. While the clock is not trusted, the salts of the trusted days stay.
CREATE TABLE salt (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  bytes BLOB NOT NULL CONSTRAINT bytes_length CHECK (length(bytes) = 32),
  PRIMARY KEY (site_id, day)
) STRICT, WITHOUT ROWID;

-- The latest UTC day on which the clock was trusted. While the clock differs from this day by more than two days,
-- nothing is sealed or deleted.
CREATE TABLE trusted_day (
  one INTEGER PRIMARY KEY CONSTRAINT one_row CHECK (one = 1),
  day INTEGER NOT NULL
) STRICT;

-- Deleted sites whose hits are still being deleted, in small transactions. The tables below refer to sites without a
-- foreign key. ON DELETE CASCADE would delete everything in one transaction that blocks all other writes.
CREATE TABLE removed_site (
  site_id INTEGER PRIMARY KEY
) STRICT;

-- Deletions of days whose crawler requests and drops are still being deleted, in small transactions. The hits and sums
-- of these days are already hidden, and their searches are deleted. The days are from_day up to, but not including,
-- to_day.
CREATE TABLE deletion (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  from_day INTEGER NOT NULL,
  to_day INTEGER NOT NULL CONSTRAINT to_day_after CHECK (to_day > from_day),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX deletion_site_id ON deletion (site_id);

-- The terms of a site: numbers that stand for its paths, sources, tags, names, labels and other texts. Hits then have
-- small numbers instead of texts. Terms begin at 1 for each site. 0 is the empty text.
CREATE TABLE term (
  site_id INTEGER NOT NULL,
  id INTEGER NOT NULL CONSTRAINT id_positive CHECK (id > 0),
  text TEXT NOT NULL,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX term_site_id_text ON term (site_id, text);

-- The hits of open days, in the order in which they arrived. Each has the source, country and so on of its own message.
-- Visits are formed when a day is read, therefore a late hit still joins its visit. second counts from 00:00 UTC of the
-- day's date. Therefore day and second are an instant in every zone. In a zone where the day begins earlier, second may
-- be negative. engaged is NULL for a hit. A row with engaged is a heartbeat: the page was visible for that number of
-- seconds. scroll is how many percent of the page were seen. scroll is NULL if the heartbeat did not report it. vitals
-- has the web vitals of the heartbeat, packed as in src/stats/vitals.ts, or 0. import_id is NULL for live hits.
-- Imported hits count from the moment when their import is shown.
CREATE TABLE hit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL,
  import_id INTEGER,
  day INTEGER NOT NULL,
  second INTEGER NOT NULL CONSTRAINT second_range CHECK (second BETWEEN -57600 AND 143999),
  visitor INTEGER NOT NULL,
  engaged INTEGER,
  scroll INTEGER CONSTRAINT scroll_range CHECK (scroll BETWEEN 0 AND 100),
  page INTEGER NOT NULL,
  event INTEGER NOT NULL,
  label INTEGER NOT NULL,
  hostname INTEGER NOT NULL,
  source INTEGER NOT NULL,
  utm_source INTEGER NOT NULL,
  utm_medium INTEGER NOT NULL,
  utm_campaign INTEGER NOT NULL,
  utm_term INTEGER NOT NULL,
  utm_content INTEGER NOT NULL,
  country INTEGER NOT NULL,
  region INTEGER NOT NULL,
  city INTEGER NOT NULL,
  device INTEGER NOT NULL,
  browser INTEGER NOT NULL,
  browser_version INTEGER NOT NULL,
  os INTEGER NOT NULL,
  os_version INTEGER NOT NULL,
  screen INTEGER NOT NULL,
  language INTEGER NOT NULL,
  ad INTEGER NOT NULL,
  properties INTEGER NOT NULL,
  revenue INTEGER NOT NULL,
  vitals INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX hit_site_id_import_id_day ON hit (site_id, import_id, day);

-- The different sets of properties that the hits of an open day have. members is JSON with the names of a set's
-- properties and the terms of their values. A hit has the id of its set, or 0. A sealed day has columns instead of
-- sets.
CREATE TABLE property_set (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  members TEXT NOT NULL CONSTRAINT members_json CHECK (json_valid(members))
) STRICT;
CREATE INDEX property_set_site_id_day ON property_set (site_id, day);
CREATE UNIQUE INDEX property_set_site_id_day_members ON property_set (site_id, day, members);

-- The shards of large open days. A shard has all hits of some visitors. Their visitor codes begin at from_visitor, and
-- end before from_visitor of the next shard. Live hits with an id up to hit_until are in the shard. Their rows in hit
-- no longer count, and most of these rows are deleted. row_count is the number of rows that the day had up to
-- hit_until. A shard is staged while it is written, and then shown. It is gone after other shards have replaced it, or
-- after the day was sealed. format is the version of the columns, as in a sealed day.
CREATE TABLE open_shard (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  state TEXT NOT NULL CONSTRAINT state_known CHECK (state IN ('staged', 'shown', 'gone')),
  staged_at INTEGER NOT NULL,
  format INTEGER NOT NULL,
  from_visitor INTEGER NOT NULL,
  hit_until INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  visitors INTEGER NOT NULL,
  visits INTEGER NOT NULL,
  pageviews INTEGER NOT NULL,
  events INTEGER NOT NULL,
  bounces INTEGER NOT NULL,
  seconds INTEGER NOT NULL
) STRICT;
CREATE INDEX open_shard_site_id_day ON open_shard (site_id, day);

-- The columns of an open shard and its visitor codes, packed as in src/ledger/open/shard-format.ts.
CREATE TABLE open_blob (
  open_shard_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  data BLOB NOT NULL,
  crc INTEGER NOT NULL,
  PRIMARY KEY (open_shard_id, name)
) STRICT;

-- The terms that the hits of an open day have, by kind of text. A day may have only a limited number of different texts
-- of each kind (src/catalog/text-caps.ts).
CREATE TABLE day_term (
  site_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  kind TEXT NOT NULL,
  term INTEGER NOT NULL,
  PRIMARY KEY (site_id, day, kind, term)
) STRICT, WITHOUT ROWID;

-- Sealed days. A row is staged while its blobs are written, and shown when the day is sealed. From then on, the rows in
-- hit do not count. A late hit reopens the day: then the day counts together with the rows in hit with ids above
-- after_id. When the day is sealed again, these rows become one more slice. A day that was replaced, removed or given
-- up is gone, and is deleted later.
--
-- has_hits is 0 for a totals-only day. unknown then names its unknown sums (src/stats/unknown.ts), with spaces between
-- them. The import of the day did not have these sums. Or retention deleted hits whose columns were damaged, so these
-- sums could not be counted.
--
-- A large day has several rows, its slices, numbered from 0. Each slice has other visitors, so the sums of slices may
-- be added. On a cluster, after_id is the highest number of the sealed rows, until these rows are deleted. Then it is
-- 0.
--
-- recounted_at is when the day was last recounted. format is the version of the columns. Dimensions that were added to
-- daybook later are empty in such a day. If late hits or an import brought a slice, since is the id of their change.
-- For all other slices, since is 0. reopened_by is the id of the change that last reopened the day.
CREATE TABLE sealed_day (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  import_id INTEGER,
  state TEXT NOT NULL CONSTRAINT state_known CHECK (state IN ('staged', 'shown', 'reopened', 'gone')),
  staged_at INTEGER NOT NULL,
  after_id INTEGER,
  format INTEGER NOT NULL,
  has_hits INTEGER NOT NULL CONSTRAINT has_hits_bool CHECK (has_hits IN (0, 1)),
  visitors INTEGER NOT NULL,
  visits INTEGER NOT NULL,
  pageviews INTEGER NOT NULL,
  events INTEGER NOT NULL,
  bounces INTEGER NOT NULL,
  seconds INTEGER NOT NULL,
  slice INTEGER NOT NULL DEFAULT 0,
  recounted_at INTEGER,
  unknown TEXT NOT NULL DEFAULT '',
  since INTEGER NOT NULL DEFAULT 0,
  reopened_by INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX sealed_day_site_id_day_slice ON sealed_day (site_id, day, slice) WHERE state = 'shown';
CREATE INDEX sealed_day_site_id ON sealed_day (site_id);
CREATE INDEX sealed_day_site_id_day_unknown ON sealed_day (site_id, day) WHERE unknown <> '';
CREATE INDEX sealed_day_staged_at ON sealed_day (staged_at) WHERE state <> 'shown';
CREATE INDEX sealed_day_after_id ON sealed_day (staged_at) WHERE after_id > 0;

-- The columns of a sealed day's visits and hits, packed as in src/ledger/column/column.ts.
CREATE TABLE sealed_blob (
  sealed_day_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  data BLOB NOT NULL,
  crc INTEGER NOT NULL,
  PRIMARY KEY (sealed_day_id, name)
) STRICT;

-- The sums of a sealed day without a filter. There is a row for each breakdown (src/ledger/sealed/rollup.ts). Other
-- rows have further sums of the values of a breakdown (src/ledger/sealed/row-sums.ts). A totals-only day has no blobs,
-- and one more row with its totals (src/ledger/sealed/totals-only.ts). Only totals-only days have a row with channels,
-- because all other days count channels from hits.
CREATE TABLE rollup (
  sealed_day_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  data BLOB NOT NULL,
  crc INTEGER NOT NULL,
  PRIMARY KEY (sealed_day_id, name)
) STRICT;

-- The totals of a sealed day without its excluded visits. excluded is JSON: the number of visits that each exclusion
-- leaves out, by its id. The key 0 counts each excluded visit once. A row is valid only if it was made with exactly the
-- exclusions that the day has now. Any other row is ignored, and made again.
CREATE TABLE excluded_sum (
  sealed_day_id INTEGER PRIMARY KEY,
  site_id INTEGER NOT NULL,
  exclusions TEXT NOT NULL,
  excluded TEXT NOT NULL CONSTRAINT excluded_json CHECK (json_valid(excluded)),
  visitors INTEGER NOT NULL,
  visits INTEGER NOT NULL,
  pageviews INTEGER NOT NULL,
  events INTEGER NOT NULL,
  bounces INTEGER NOT NULL,
  seconds INTEGER NOT NULL
) STRICT;
CREATE INDEX excluded_sum_site_id ON excluded_sum (site_id);

-- The rollups of a day without its excluded visits, packed as in rollup. A day without rows here has no excluded visit,
-- therefore its plain rollups count.
CREATE TABLE excluded_rollup (
  sealed_day_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  data BLOB NOT NULL,
  crc INTEGER NOT NULL,
  PRIMARY KEY (sealed_day_id, name)
) STRICT;

-- Rollups of months that are over. With these rollups, a query over years reads few rows. days names the sealed days
-- that are added up, and the exclusions of days that have some. If these are not exactly the days that are shown now,
-- the row is ignored.
CREATE TABLE month_rollup (
  site_id INTEGER NOT NULL,
  month INTEGER NOT NULL,
  name TEXT NOT NULL,
  days TEXT NOT NULL,
  data BLOB NOT NULL,
  crc INTEGER NOT NULL,
  PRIMARY KEY (site_id, month, name)
) STRICT;

-- Imported files. An import is staged until its whole file is stored. Then it is shown. An import that was given up or
-- removed is gone, until it is deleted. open_day is the day that was open during the import. It is NULL if the file has
-- no hits of that day. If void_until is set, the import replaces that day: live hits with an id up to void_until do not
-- count. time_zone is the zone by which the hits were divided into days.
CREATE TABLE import (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL,
  state TEXT NOT NULL CONSTRAINT state_known CHECK (state IN ('staged', 'shown', 'gone')),
  started_at INTEGER NOT NULL,
  shown_at INTEGER,
  open_day INTEGER,
  void_until INTEGER,
  time_zone TEXT NOT NULL DEFAULT 'UTC'
) STRICT;
CREATE INDEX import_site_id ON import (site_id);

-- The times in which hits were not collected. Either the server did not run, or it refused hits because it could not
-- store them or received too many.
CREATE TABLE outage (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  from_at INTEGER NOT NULL,
  to_at INTEGER NOT NULL,
  reason TEXT NOT NULL CONSTRAINT reason_known CHECK (reason IN ('down', 'refused'))
) STRICT;
CREATE INDEX outage_to_at ON outage (to_at);

-- The number of hits that were not counted, by reason. block is the id of the block that dropped them, or 0 for any
-- other reason. If a block is removed, its hits still belong to the sum of their day. Ids are never used again.
CREATE TABLE drop_day (
  site_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  reason TEXT NOT NULL,
  block INTEGER NOT NULL DEFAULT 0,
  hits INTEGER NOT NULL,
  PRIMARY KEY (site_id, day, reason, block)
) STRICT, WITHOUT ROWID;

-- Requests of AI crawlers since midnight, by crawler and page. Each night, the days that are over are packed.
CREATE TABLE crawl_day (
  site_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  crawler TEXT NOT NULL,
  page INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (site_id, day, crawler, page)
) STRICT, WITHOUT ROWID;

-- Days of crawl_day that are over. A row says how often a crawler requested each page, packed as in
-- src/ledger/rows/packed-crawls.ts. requests is the sum. After keep_days, the pages of each crawler are deleted, and
-- data is NULL. Then the row with crawler '' has the pages of all crawlers.
CREATE TABLE packed_crawl (
  site_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  crawler TEXT NOT NULL,
  requests INTEGER NOT NULL,
  data BLOB,
  crc INTEGER NOT NULL,
  PRIMARY KEY (site_id, day, crawler)
) STRICT;

-- The Ed25519 keys that sign receipts. The latest key signs. seed has the 32 random bytes of the private key. It is
-- NULL after the key was replaced.
CREATE TABLE receipt_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL CONSTRAINT key_length CHECK (length(key) = 43),
  seed BLOB CONSTRAINT seed_length CHECK (length(seed) = 32),
  created_at INTEGER NOT NULL,
  replaced_at INTEGER
) STRICT;
CREATE UNIQUE INDEX receipt_key_key ON receipt_key (key);

-- The signed receipts of the sealed days of a site, in a chain (src/receipts/receipt.ts). body is the receipt as it was
-- signed. state says from what the receipt was made (src/catalog/receipts.ts). If the state of a day differs from the
-- state of its latest receipt, a new receipt is due.
CREATE TABLE receipt (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL CONSTRAINT sequence_positive CHECK (sequence > 0),
  day INTEGER NOT NULL,
  state TEXT NOT NULL CONSTRAINT state_json CHECK (json_valid(state)),
  body TEXT NOT NULL CONSTRAINT body_json CHECK (json_valid(body)),
  PRIMARY KEY (site_id, sequence)
) STRICT;
CREATE INDEX receipt_site_id_day ON receipt (site_id, day, sequence);

-- How far the access logs of a site have been read, in bytes and lines of their text. A file is recognised by the
-- SHA-256 of its first `length` bytes. Therefore it may be renamed and compressed.
CREATE TABLE log_position (
  site_id INTEGER NOT NULL,
  fingerprint BLOB NOT NULL CONSTRAINT fingerprint_length CHECK (length(fingerprint) = 32),
  length INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  PRIMARY KEY (site_id, fingerprint)
) STRICT, WITHOUT ROWID;

-- The results of the latest backup, restore test and so on, for the operator. fine is 0 if something needs attention.
-- In a nightly backup, this table says when the backup was made, and by which server.
CREATE TABLE upkeep (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  fine INTEGER NOT NULL CONSTRAINT fine_bool CHECK (fine IN (0, 1)),
  words TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The key that signs the unsubscribe links in mails. Without this key, nobody can make a link for another person.
CREATE TABLE mail_key (
  one INTEGER PRIMARY KEY CONSTRAINT one_row CHECK (one = 1),
  bytes BLOB NOT NULL CONSTRAINT bytes_length CHECK (length(bytes) = 32)
) STRICT;

-- The users who have unsubscribed from the mails about a site.
CREATE TABLE unsubscribed (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (site_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX unsubscribed_user_id ON unsubscribed (user_id);

-- The mails that were due for a site. at is when a report was due, or the first hour of an alert. For a silence and its
-- end, at is the last hit before the silence. ended_at is when a traffic alert or a silence ended. details is JSON. It
-- says what the message is about, such as the goals that were reached (src/mail/goals.ts). Some kinds have no details.
CREATE TABLE mailing (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  details TEXT CONSTRAINT details_json CHECK (json_valid(details))
) STRICT;
CREATE UNIQUE INDEX mailing_site_id_kind_at ON mailing (site_id, kind, at);
CREATE INDEX mailing_created_at ON mailing (created_at);

-- The users to whom a mail was sent. taken is 0 if the mail server finally refused the mail.
CREATE TABLE mailed (
  mailing_id INTEGER NOT NULL REFERENCES mailing (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  taken INTEGER NOT NULL CONSTRAINT taken_bool CHECK (taken IN (0, 1)),
  sent_at INTEGER NOT NULL,
  PRIMARY KEY (mailing_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mailed_user_id ON mailed (user_id);

-- The state of the delivery of a mailing to a destination. destination_id is 0 for the webhook of the server's
-- settings. taken is 1 if the mailing was accepted, and 0 if it was given up. While taken is NULL, the next try is at
-- next_at.
CREATE TABLE posted (
  mailing_id INTEGER NOT NULL REFERENCES mailing (id) ON DELETE CASCADE,
  destination_id INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  taken INTEGER CONSTRAINT taken_bool CHECK (taken IN (0, 1)),
  PRIMARY KEY (mailing_id, destination_id)
) STRICT, WITHOUT ROWID;

-- The number of mails in a day that begins at `since`: to one e-mail address, for one account, or from the whole
-- server. name says which of these a row counts. Only mails that somebody can cause, such as invitations, are counted.
-- The counts are stored, because a restart of the server must not allow more mails. name has only the SHA-256 of an
-- e-mail address.
CREATE TABLE mail_count (
  name TEXT PRIMARY KEY,
  since INTEGER NOT NULL,
  mails INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The servers of a cluster, if a cluster stores the hits instead of this file. A complete server has all rows of its
-- shard. A lacking server lacks some rows and answers no queries. reason says why, and since when. A filling server
-- gets new rows, and the rest is copied from a complete replica. fill is the number of its latest copy, and progress
-- says how far it is. is_wanted is 1 after `daybook cluster fill`. beat is the latest number in the mark that this
-- server has (src/cluster/servers/marks.ts). is_added is 1 for a server that a command added, so that --engine need not
-- name it. is_leaving is 1 after `daybook cluster remove`.
CREATE TABLE cluster_server (
  url TEXT PRIMARY KEY,
  shard INTEGER NOT NULL,
  replica INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'complete' CONSTRAINT state_known CHECK (state IN ('complete', 'lacking', 'filling')),
  reason TEXT NOT NULL DEFAULT '' CONSTRAINT reason_known CHECK (reason IN ('', 'missed', 'empty', 'restored')),
  since INTEGER NOT NULL DEFAULT 0,
  fill INTEGER NOT NULL DEFAULT 0,
  progress TEXT NOT NULL DEFAULT '',
  is_wanted INTEGER NOT NULL DEFAULT 0 CONSTRAINT is_wanted_bool CHECK (is_wanted IN (0, 1)),
  beat INTEGER NOT NULL DEFAULT 0,
  is_added INTEGER NOT NULL DEFAULT 0 CONSTRAINT is_added_bool CHECK (is_added IN (0, 1)),
  is_leaving INTEGER NOT NULL DEFAULT 0 CONSTRAINT is_leaving_bool CHECK (is_leaving IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Servers that a command removed from the cluster. Outboxes note what a server has by the numbers of its shard and
-- replica. So no other server gets the same two numbers.
CREATE TABLE removed_server (
  shard INTEGER NOT NULL,
  replica INTEGER NOT NULL,
  url TEXT NOT NULL,
  removed_at INTEGER NOT NULL,
  PRIMARY KEY (shard, replica)
) STRICT, WITHOUT ROWID;

-- From this day until the day of the next row, visitors are divided among this number of shards. With 0 shards, the
-- division is not decided yet, and hits of these days wait in the outboxes. Without rows, all days are divided among
-- all shards.
CREATE TABLE division (
  day INTEGER PRIMARY KEY,
  shards INTEGER NOT NULL CONSTRAINT shards_range CHECK (shards >= 0)
) STRICT;

-- The name of this installation, made when it first has a cluster. The servers have this name in their mark. beat is
-- the latest number that was written into a mark.
CREATE TABLE installation (
  one INTEGER PRIMARY KEY CONSTRAINT one_row CHECK (one = 1),
  name TEXT NOT NULL,
  beat INTEGER NOT NULL
) STRICT;

-- Sites that this file does not know, but whose rows a cluster already had when this file began to use it. Only
-- `daybook cluster unknown` deletes such rows.
CREATE TABLE unknown_site (
  site_id INTEGER PRIMARY KEY
) STRICT;

-- Sealed days that this file does not know, but of which a server may have rows. Either the cluster already had them
-- when this file began to use it, or the server missed that they were removed. last_id is the highest of neighbouring
-- ids.
CREATE TABLE unknown_day (
  last_id INTEGER PRIMARY KEY
) STRICT;

-- Collectors: programs on other machines that take hits for a cluster. The row numbers of a collector end in its
-- number. hash is the SHA-256 of its secret. status is the last status that it sent (src/collectors/messages.ts), and
-- seen_at is when. outbox is the name of its outbox, which never changes. is_retiring is 1 while the collector sends
-- its remaining rows and takes no more hits.
CREATE TABLE collector (
  number INTEGER PRIMARY KEY CONSTRAINT number_range CHECK (number BETWEEN 1 AND 62),
  name TEXT NOT NULL CONSTRAINT name_given CHECK (name <> ''),
  hash BLOB NOT NULL CONSTRAINT hash_length CHECK (length(hash) = 32),
  created_at INTEGER NOT NULL,
  seen_at INTEGER,
  status TEXT CONSTRAINT status_json CHECK (json_valid(status)),
  outbox TEXT,
  is_retiring INTEGER NOT NULL DEFAULT 0 CONSTRAINT is_retiring_bool CHECK (is_retiring IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX collector_name ON collector (name);
CREATE UNIQUE INDEX collector_hash ON collector (hash);

-- The numbers of collectors that were removed. is_lost is 1 if a collector had not confirmed that the cluster has all
-- rows that it took. servers then says how far each server of the cluster was, as JSON, until that server is filled.
-- outbox is the name of its outbox, which no other collector may use if the collector is lost.
CREATE TABLE retired_collector (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  outbox TEXT,
  retired_at INTEGER NOT NULL,
  is_lost INTEGER NOT NULL CONSTRAINT is_lost_bool CHECK (is_lost IN (0, 1)),
  servers TEXT NOT NULL DEFAULT '[]' CONSTRAINT servers_json CHECK (json_valid(servers))
) STRICT;

-- The number of hits of a site and month (UTC) that each outbox of a collector has counted towards the plan. With this
-- number, no hit counts twice.
CREATE TABLE collected (
  outbox TEXT NOT NULL,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  month TEXT NOT NULL CONSTRAINT month_form CHECK (month GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]'),
  hits INTEGER NOT NULL CONSTRAINT hits_positive CHECK (hits >= 0),
  PRIMARY KEY (outbox, site_id, month)
) STRICT, WITHOUT ROWID;
CREATE INDEX collected_site_id ON collected (site_id);

-- The sealed days that another engine already has, while all content of a file is moved there.
CREATE TABLE moved_day (
  sealed_day_id INTEGER PRIMARY KEY
) STRICT;
