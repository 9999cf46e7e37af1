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

-- Messages go to a webhook.
CREATE TABLE posted (
  mailing_id INTEGER PRIMARY KEY REFERENCES mailing (id) ON DELETE CASCADE,
  tries INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  taken INTEGER CONSTRAINT taken_bool CHECK (taken IN (0, 1))
) STRICT;
