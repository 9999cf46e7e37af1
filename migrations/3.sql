-- From version 2 to 3: days are sealed, people sign in, mails are sent.

ALTER TABLE site ADD COLUMN keep_days INTEGER NOT NULL DEFAULT 0 CONSTRAINT keep_days_positive CHECK (keep_days >= 0);

-- What was counted refers to its site without a foreign key from now on: with one, deleting a site took all of it at once.

ALTER TABLE term RENAME TO old_term;
CREATE TABLE term (
  site_id INTEGER NOT NULL,
  id INTEGER NOT NULL CONSTRAINT id_positive CHECK (id > 0),
  text TEXT NOT NULL,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO term SELECT * FROM old_term;
DROP TABLE old_term;
CREATE UNIQUE INDEX term_site_id_text ON term (site_id, text);

ALTER TABLE hit RENAME TO old_hit;
CREATE TABLE hit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL,
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
INSERT INTO hit SELECT * FROM old_hit;
DELETE FROM sqlite_sequence WHERE name = 'hit';
UPDATE sqlite_sequence SET name = 'hit' WHERE name = 'old_hit';
DROP TABLE old_hit;
CREATE INDEX hit_site_id_day ON hit (site_id, day);

ALTER TABLE day_word RENAME TO old_day_word;
CREATE TABLE day_word (
  site_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  kind TEXT NOT NULL,
  term INTEGER NOT NULL,
  PRIMARY KEY (site_id, day, kind, term)
) STRICT, WITHOUT ROWID;
INSERT INTO day_word SELECT * FROM old_day_word;
DROP TABLE old_day_word;

ALTER TABLE drop_day RENAME TO old_drop_day;
CREATE TABLE drop_day (
  site_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  reason TEXT NOT NULL,
  hits INTEGER NOT NULL,
  PRIMARY KEY (site_id, day, reason)
) STRICT, WITHOUT ROWID;
INSERT INTO drop_day SELECT * FROM old_drop_day;
DROP TABLE old_drop_day;

ALTER TABLE crawl_day RENAME TO old_crawl_day;
CREATE TABLE crawl_day (
  site_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  crawler TEXT NOT NULL,
  page INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (site_id, day, crawler, page)
) STRICT, WITHOUT ROWID;
INSERT INTO crawl_day SELECT * FROM old_crawl_day;
DROP TABLE old_crawl_day;

ALTER TABLE log_position RENAME TO old_log_position;
CREATE TABLE log_position (
  site_id INTEGER NOT NULL,
  fingerprint BLOB NOT NULL CONSTRAINT fingerprint_length CHECK (length(fingerprint) = 32),
  length INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  PRIMARY KEY (site_id, fingerprint)
) STRICT, WITHOUT ROWID;
INSERT INTO log_position SELECT * FROM old_log_position;
DROP TABLE old_log_position;

CREATE TABLE session (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  hash BLOB NOT NULL CONSTRAINT hash_length CHECK (length(hash) = 32),
  browser TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL
) STRICT;
CREATE INDEX session_user_id ON session (user_id);
CREATE UNIQUE INDEX session_hash ON session (hash);

CREATE TABLE embed (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  origin TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX embed_site_id_origin ON embed (site_id, origin);

CREATE TABLE removed_site (
  site_id INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE sealed_day (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  import_id INTEGER,
  staged_at INTEGER NOT NULL,
  shown INTEGER NOT NULL DEFAULT 0 CONSTRAINT shown_bool CHECK (shown IN (0, 1)),
  visitors INTEGER NOT NULL,
  visits INTEGER NOT NULL,
  pageviews INTEGER NOT NULL,
  events INTEGER NOT NULL,
  bounces INTEGER NOT NULL,
  seconds INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX sealed_day_site_id_day ON sealed_day (site_id, day) WHERE shown = 1;
CREATE INDEX sealed_day_site_id ON sealed_day (site_id);
CREATE INDEX sealed_day_staged_at ON sealed_day (staged_at) WHERE shown = 0;

CREATE TABLE segment (
  sealed_day_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  data BLOB NOT NULL,
  crc INTEGER NOT NULL,
  PRIMARY KEY (sealed_day_id, name)
) STRICT;

CREATE TABLE rollup (
  sealed_day_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  data BLOB NOT NULL,
  crc INTEGER NOT NULL,
  PRIMARY KEY (sealed_day_id, name)
) STRICT;

CREATE TABLE month_rollup (
  site_id INTEGER NOT NULL,
  month INTEGER NOT NULL,
  name TEXT NOT NULL,
  days TEXT NOT NULL,
  data BLOB NOT NULL,
  crc INTEGER NOT NULL,
  PRIMARY KEY (site_id, month, name)
) STRICT;

CREATE TABLE import (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  shown_at INTEGER,
  open_day INTEGER NOT NULL,
  void_until INTEGER
) STRICT;
CREATE INDEX import_site_id ON import (site_id);

CREATE TABLE upkeep (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  fine INTEGER NOT NULL CONSTRAINT fine_bool CHECK (fine IN (0, 1)),
  words TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE mail_key (
  one INTEGER PRIMARY KEY CONSTRAINT one_row CHECK (one = 1),
  bytes BLOB NOT NULL CONSTRAINT bytes_length CHECK (length(bytes) = 32)
) STRICT;

CREATE TABLE unsubscribed (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (site_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX unsubscribed_user_id ON unsubscribed (user_id);

CREATE TABLE mailing (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CONSTRAINT kind_known CHECK (kind IN ('weekly', 'traffic', 'silence', 'return')),
  at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE UNIQUE INDEX mailing_site_id_kind_at ON mailing (site_id, kind, at);
CREATE INDEX mailing_created_at ON mailing (created_at);

CREATE TABLE mailed (
  mailing_id INTEGER NOT NULL REFERENCES mailing (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  taken INTEGER NOT NULL CONSTRAINT taken_bool CHECK (taken IN (0, 1)),
  sent_at INTEGER NOT NULL,
  PRIMARY KEY (mailing_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mailed_user_id ON mailed (user_id);
