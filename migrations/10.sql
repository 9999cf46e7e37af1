-- From version 9 to 10.

-- The servers of a cluster have a state each, and a mark by which one that lost something is known.
ALTER TABLE cluster_server ADD COLUMN state TEXT NOT NULL DEFAULT 'complete' CONSTRAINT state_known CHECK (state IN ('complete', 'lacking', 'filling'));
ALTER TABLE cluster_server ADD COLUMN reason TEXT NOT NULL DEFAULT '' CONSTRAINT reason_known CHECK (reason IN ('', 'missed', 'empty', 'restored'));
ALTER TABLE cluster_server ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE cluster_server ADD COLUMN fill INTEGER NOT NULL DEFAULT 0;
ALTER TABLE cluster_server ADD COLUMN progress TEXT NOT NULL DEFAULT '';
ALTER TABLE cluster_server ADD COLUMN is_wanted INTEGER NOT NULL DEFAULT 0 CONSTRAINT is_wanted_bool CHECK (is_wanted IN (0, 1));
ALTER TABLE cluster_server ADD COLUMN beat INTEGER NOT NULL DEFAULT 0;
CREATE TABLE installation (
  one INTEGER PRIMARY KEY CONSTRAINT one_row CHECK (one = 1),
  name TEXT NOT NULL,
  beat INTEGER NOT NULL
) STRICT;
CREATE TABLE unknown_site (
  site_id INTEGER PRIMARY KEY
) STRICT;

-- Days with sums only name the sums that their import did not have. Of earlier imports that is not known: they keep 0.
ALTER TABLE sealed_day ADD COLUMN unknown TEXT NOT NULL DEFAULT '';
CREATE INDEX sealed_day_site_id_day_unknown ON sealed_day (site_id, day) WHERE unknown <> '';

-- A collector has one outbox, may be asked to retire, and its number is remembered.
ALTER TABLE collector ADD COLUMN outbox TEXT;
ALTER TABLE collector ADD COLUMN is_retiring INTEGER NOT NULL DEFAULT 0 CONSTRAINT is_retiring_bool CHECK (is_retiring IN (0, 1));
CREATE TABLE retired_collector (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  retired_at INTEGER NOT NULL,
  is_lost INTEGER NOT NULL CONSTRAINT is_lost_bool CHECK (is_lost IN (0, 1))
) STRICT;

-- A suggestion that is dismissed is dismissed for everybody of the site.
CREATE TABLE dismissed_day (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  PRIMARY KEY (site_id, day)
) STRICT, WITHOUT ROWID;

-- The sealed days whose rows a cluster still has.
CREATE INDEX sealed_day_after_id ON sealed_day (staged_at) WHERE after_id > 0;

-- Zones are called by their names of today: src/lib/zone-names.ts.
CREATE TABLE renamed_zone (old TEXT PRIMARY KEY, new TEXT NOT NULL) STRICT;
INSERT INTO renamed_zone (old, new) VALUES
  ('Africa/Asmera', 'Africa/Asmara'),
  ('America/Buenos_Aires', 'America/Argentina/Buenos_Aires'),
  ('America/Catamarca', 'America/Argentina/Catamarca'),
  ('America/Coral_Harbour', 'America/Atikokan'),
  ('America/Cordoba', 'America/Argentina/Cordoba'),
  ('America/Godthab', 'America/Nuuk'),
  ('America/Indianapolis', 'America/Indiana/Indianapolis'),
  ('America/Jujuy', 'America/Argentina/Jujuy'),
  ('America/Louisville', 'America/Kentucky/Louisville'),
  ('America/Mendoza', 'America/Argentina/Mendoza'),
  ('Asia/Calcutta', 'Asia/Kolkata'),
  ('Asia/Katmandu', 'Asia/Kathmandu'),
  ('Asia/Rangoon', 'Asia/Yangon'),
  ('Asia/Saigon', 'Asia/Ho_Chi_Minh'),
  ('Atlantic/Faeroe', 'Atlantic/Faroe'),
  ('Europe/Kiev', 'Europe/Kyiv'),
  ('Pacific/Enderbury', 'Pacific/Kanton'),
  ('Pacific/Ponape', 'Pacific/Pohnpei'),
  ('Pacific/Truk', 'Pacific/Chuuk');
UPDATE site SET time_zone = (SELECT new FROM renamed_zone WHERE old = time_zone)
  WHERE time_zone IN (SELECT old FROM renamed_zone);
UPDATE zone_change SET time_zone = (SELECT new FROM renamed_zone WHERE old = time_zone)
  WHERE time_zone IN (SELECT old FROM renamed_zone);
UPDATE import SET time_zone = (SELECT new FROM renamed_zone WHERE old = time_zone)
  WHERE time_zone IN (SELECT old FROM renamed_zone);
DROP TABLE renamed_zone;

-- Wrong codes of a second factor are counted until a right one.
CREATE TABLE wrong_code (
  user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
  tries INTEGER NOT NULL CONSTRAINT tries_positive CHECK (tries > 0),
  last_at INTEGER NOT NULL
) STRICT;
