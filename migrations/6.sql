-- From version 5 to 6.

-- Sites have a time zone; until now all days were those of UTC.
ALTER TABLE site ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';
ALTER TABLE import ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';
CREATE TABLE zone_change (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  day INTEGER NOT NULL,
  time_zone TEXT NOT NULL,
  PRIMARY KEY (site_id, at)
) STRICT, WITHOUT ROWID;

-- Each site has salts of its own. That of the running day, which all have had, stays for each until its day is over, so that
-- nobody is another visitor after the update.
ALTER TABLE salt RENAME TO old_salt;
CREATE TABLE salt (
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  bytes BLOB NOT NULL CONSTRAINT bytes_length CHECK (length(bytes) = 32),
  PRIMARY KEY (site_id, day)
) STRICT, WITHOUT ROWID;

INSERT INTO salt SELECT site.id, old_salt.day, old_salt.bytes FROM old_salt CROSS JOIN site;
DROP TABLE old_salt;

-- A day may begin before 00:00 UTC of its date, and end after it.
ALTER TABLE hit RENAME TO old_hit;
CREATE TABLE hit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL,
  import_id INTEGER,
  day INTEGER NOT NULL,
  second INTEGER NOT NULL CONSTRAINT second_range CHECK (second BETWEEN -57600 AND 143999),
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
INSERT INTO hit SELECT id, site_id, import_id, day, second, visitor, engaged, page, event, label, source, utm_source, utm_medium, utm_campaign, country, device, browser, os FROM old_hit;
DELETE FROM sqlite_sequence WHERE name = 'hit';
UPDATE sqlite_sequence SET name = 'hit' WHERE name = 'old_hit';
DROP TABLE old_hit;
CREATE INDEX hit_site_id_import_id_day ON hit (site_id, import_id, day);

-- Sites can be renamed.
CREATE TABLE former_domain (
  domain TEXT PRIMARY KEY CONSTRAINT domain_lower CHECK (domain = lower(domain)),
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX former_domain_site_id ON former_domain (site_id);
