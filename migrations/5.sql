-- From version 4 to 5.

-- Sites name the segments of their paths that are private.
ALTER TABLE site ADD COLUMN private_paths TEXT NOT NULL DEFAULT '';
-- The latest day that was seen is kept. Of an older file that is the day of its salt, and in a copy, which has none, of its last hit.
CREATE TABLE trusted_day (
  one INTEGER PRIMARY KEY CONSTRAINT one_row CHECK (one = 1),
  day INTEGER NOT NULL
) STRICT;
INSERT INTO trusted_day SELECT 1, day FROM (SELECT coalesce(
  (SELECT day FROM salt),
  (SELECT day FROM hit WHERE import_id IS NULL ORDER BY id DESC LIMIT 1),
  (SELECT max(day) FROM sealed_day WHERE state = 'shown')) AS day) WHERE day IS NOT NULL;
ALTER TABLE salt RENAME TO old_salt;
CREATE TABLE salt (
  day INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL CONSTRAINT bytes_length CHECK (length(bytes) = 32)
) STRICT;
INSERT INTO salt SELECT day, bytes FROM old_salt;
DROP TABLE old_salt;

-- A sealed day can be opened again, and have several parts.
ALTER TABLE sealed_day RENAME TO old_sealed_day;
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
  part INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO sealed_day SELECT id, site_id, day, import_id, state, staged_at, NULL, format, has_hits,
  visitors, visits, pageviews, events, bounces, seconds, 0 FROM old_sealed_day;
DELETE FROM sqlite_sequence WHERE name = 'sealed_day';
UPDATE sqlite_sequence SET name = 'sealed_day' WHERE name = 'old_sealed_day';
DROP TABLE old_sealed_day;
CREATE UNIQUE INDEX sealed_day_site_id_day_part ON sealed_day (site_id, day, part) WHERE state = 'shown';
CREATE INDEX sealed_day_site_id ON sealed_day (site_id);
CREATE INDEX sealed_day_staged_at ON sealed_day (staged_at) WHERE state <> 'shown';

-- The requests of AI crawlers on past days; the first night packs those that there are.
CREATE TABLE packed_crawl (
  site_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  crawler TEXT NOT NULL,
  requests INTEGER NOT NULL,
  data BLOB,
  crc INTEGER NOT NULL,
  PRIMARY KEY (site_id, day, crawler)
) STRICT;
-- Accounts that come by an invitation get the plan `guest`; those that are there keep what they have. A plan of the operator's that
-- is called so keeps its accounts and limits, and gets another name.
UPDATE plan SET name = 'guest (plan ' || id || ')' WHERE name = 'guest';
INSERT INTO plan (name, sites, members) VALUES ('guest', 0, 0);

-- A mailed invitation has a link of its own, and the other one needs a code that is mailed when it is opened.
ALTER TABLE invitation ADD COLUMN mailed_hash BLOB CONSTRAINT mailed_hash_length CHECK (length(mailed_hash) = 32);
CREATE UNIQUE INDEX invitation_mailed_hash ON invitation (mailed_hash) WHERE mailed_hash IS NOT NULL;
CREATE TABLE invitation_code (
  member_id INTEGER PRIMARY KEY REFERENCES invitation (member_id) ON DELETE CASCADE,
  hash BLOB NOT NULL CONSTRAINT hash_length CHECK (length(hash) = 32),
  expires_at INTEGER NOT NULL,
  tries INTEGER NOT NULL
) STRICT;

-- Limits of mails hold across starts.
CREATE TABLE mail_count (
  name TEXT PRIMARY KEY,
  since INTEGER NOT NULL,
  mails INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- The key that signs cookies which let nobody in by themselves: that of a browser that has signed in before, and that of somebody
-- whose password was right and whose second factor is still asked for.
CREATE TABLE cookie_key (
  one INTEGER PRIMARY KEY CONSTRAINT one_row CHECK (one = 1),
  bytes BLOB NOT NULL CONSTRAINT bytes_length CHECK (length(bytes) = 32)
) STRICT;

-- The second factors of a user. key is the secret of an authenticator app, or the public key of a passkey, whose id is credential.
-- used is the latest time step of a code, or the counter of a passkey, so that nothing counts twice.
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

-- Codes that stand in for a lost second factor, each once. hash is the SHA-256 of the code; the code itself is shown once.
CREATE TABLE recovery_code (
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  hash BLOB NOT NULL CONSTRAINT hash_length CHECK (length(hash) = 32),
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

ALTER TABLE session ADD COLUMN proved_at INTEGER NOT NULL DEFAULT 0;

-- Large open days: parts of folded visitors.
CREATE TABLE open_part (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  state TEXT NOT NULL CONSTRAINT state_known CHECK (state IN ('staged', 'shown', 'gone')),
  staged_at INTEGER NOT NULL,
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
CREATE INDEX open_part_site_id_day ON open_part (site_id, day);

CREATE TABLE open_piece (
  open_part_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  data BLOB NOT NULL,
  crc INTEGER NOT NULL,
  PRIMARY KEY (open_part_id, name)
) STRICT;
