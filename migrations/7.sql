-- From version 6 to 7.

-- Visits can be set aside, and put back.
CREATE TABLE exclusion (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  from_day INTEGER NOT NULL,
  to_day INTEGER,
  filters TEXT NOT NULL CONSTRAINT filters_json CHECK (json_valid(filters)),
  applied TEXT NOT NULL CONSTRAINT applied_json CHECK (json_valid(applied)),
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX exclusion_site_id ON exclusion (site_id);

CREATE TABLE reduced_day (
  sealed_day_id INTEGER PRIMARY KEY,
  site_id INTEGER NOT NULL,
  exclusions TEXT NOT NULL,
  aside TEXT NOT NULL CONSTRAINT aside_json CHECK (json_valid(aside)),
  visitors INTEGER NOT NULL,
  visits INTEGER NOT NULL,
  pageviews INTEGER NOT NULL,
  events INTEGER NOT NULL,
  bounces INTEGER NOT NULL,
  seconds INTEGER NOT NULL
) STRICT;
CREATE INDEX reduced_day_site_id ON reduced_day (site_id);

CREATE TABLE reduced_rollup (
  sealed_day_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  data BLOB NOT NULL,
  crc INTEGER NOT NULL,
  PRIMARY KEY (sealed_day_id, name)
) STRICT;

-- Views of a site have names.
CREATE TABLE saved_view (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  query TEXT NOT NULL
) STRICT;
CREATE INDEX saved_view_site_id ON saved_view (site_id);

-- When hits were not collected.
CREATE TABLE outage (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  from_at INTEGER NOT NULL,
  to_at INTEGER NOT NULL,
  reason TEXT NOT NULL CONSTRAINT reason_known CHECK (reason IN ('down', 'refused'))
) STRICT;
CREATE INDEX outage_to_at ON outage (to_at);

-- Sealed days are counted again through the month.
ALTER TABLE sealed_day ADD COLUMN recounted_at INTEGER;

-- The language that somebody has chosen; else it is that of their browser.
ALTER TABLE user ADD COLUMN language TEXT;

-- A report of each month can be mailed too.
ALTER TABLE site ADD COLUMN monthly_report INTEGER NOT NULL DEFAULT 0 CONSTRAINT monthly_report_bool CHECK (monthly_report IN (0, 1));

ALTER TABLE mailing RENAME TO old_mailing;
CREATE TABLE mailing (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CONSTRAINT kind_known CHECK (kind IN ('weekly', 'monthly', 'traffic', 'silence', 'return')),
  at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
INSERT INTO mailing SELECT * FROM old_mailing;
DELETE FROM sqlite_sequence WHERE name = 'mailing';
UPDATE sqlite_sequence SET name = 'mailing' WHERE name = 'old_mailing';

-- It refers to the table that was renamed.
ALTER TABLE mailed RENAME TO old_mailed;
CREATE TABLE mailed (
  mailing_id INTEGER NOT NULL REFERENCES mailing (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  taken INTEGER NOT NULL CONSTRAINT taken_bool CHECK (taken IN (0, 1)),
  sent_at INTEGER NOT NULL,
  PRIMARY KEY (mailing_id, user_id)
) STRICT, WITHOUT ROWID;
INSERT INTO mailed SELECT * FROM old_mailed;
DROP TABLE old_mailed;
DROP TABLE old_mailing;
CREATE UNIQUE INDEX mailing_site_id_kind_at ON mailing (site_id, kind, at);
CREATE INDEX mailing_created_at ON mailing (created_at);
CREATE INDEX mailed_user_id ON mailed (user_id);

-- Messages go to a webhook.
CREATE TABLE posted (
  mailing_id INTEGER PRIMARY KEY REFERENCES mailing (id) ON DELETE CASCADE,
  tries INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  taken INTEGER CONSTRAINT taken_bool CHECK (taken IN (0, 1))
) STRICT;

-- The servers of a cluster that keeps the hits in place of this file, by their addresses: which replica of which shard each was.
CREATE TABLE cluster_server (
  url TEXT PRIMARY KEY,
  shard INTEGER NOT NULL,
  replica INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Other machines take hits for a cluster.
CREATE TABLE collector (
  number INTEGER PRIMARY KEY CONSTRAINT number_range CHECK (number BETWEEN 1 AND 62),
  name TEXT NOT NULL CONSTRAINT name_given CHECK (name <> ''),
  hash BLOB NOT NULL CONSTRAINT hash_length CHECK (length(hash) = 32),
  created_at INTEGER NOT NULL,
  seen_at INTEGER,
  status TEXT CONSTRAINT status_json CHECK (json_valid(status))
) STRICT;
CREATE UNIQUE INDEX collector_name ON collector (name);
CREATE UNIQUE INDEX collector_hash ON collector (hash);

CREATE TABLE collected (
  outbox TEXT NOT NULL,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  month TEXT NOT NULL CONSTRAINT month_form CHECK (month GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]'),
  hits INTEGER NOT NULL CONSTRAINT hits_positive CHECK (hits >= 0),
  PRIMARY KEY (outbox, site_id, month)
) STRICT, WITHOUT ROWID;
CREATE INDEX collected_site_id ON collected (site_id);

CREATE TABLE moved_day (
  sealed_day_id INTEGER PRIMARY KEY
) STRICT;
