-- From version 1, which knew sites and people, to 2, which took in hits. Files of that time say 1 too, so that some have these
-- tables already.

CREATE TABLE IF NOT EXISTS salt (
  one INTEGER PRIMARY KEY CONSTRAINT one_row CHECK (one = 1),
  day INTEGER NOT NULL,
  bytes BLOB NOT NULL CONSTRAINT bytes_length CHECK (length(bytes) = 32)
) STRICT;

CREATE TABLE IF NOT EXISTS term (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  id INTEGER NOT NULL CONSTRAINT id_positive CHECK (id > 0),
  text TEXT NOT NULL,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS term_site_id_text ON term (site_id, text);

CREATE TABLE IF NOT EXISTS hit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  second INTEGER NOT NULL CONSTRAINT second_range CHECK (second BETWEEN 0 AND 86399),
  visitor INTEGER NOT NULL,
  engaged INTEGER,
  page INTEGER NOT NULL,
  event INTEGER NOT NULL,
  label INTEGER NOT NULL,
  source INTEGER NOT NULL,
  utm_source INTEGER NOT NULL,
  utm_medium INTEGER NOT NULL,
  utm_campaign INTEGER NOT NULL,
  country INTEGER NOT NULL,
  device INTEGER NOT NULL,
  browser INTEGER NOT NULL,
  os INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS hit_site_id_day ON hit (site_id, day);

CREATE TABLE IF NOT EXISTS day_word (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  kind TEXT NOT NULL,
  term INTEGER NOT NULL,
  PRIMARY KEY (site_id, day, kind, term)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS drop_day (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  reason TEXT NOT NULL,
  hits INTEGER NOT NULL,
  PRIMARY KEY (site_id, day, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS crawl_day (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  crawler TEXT NOT NULL,
  page INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (site_id, day, crawler, page)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS log_position (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  fingerprint BLOB NOT NULL CONSTRAINT fingerprint_length CHECK (length(fingerprint) = 32),
  length INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  PRIMARY KEY (site_id, fingerprint)
) STRICT, WITHOUT ROWID;
