-- From version 3 to 4: states that were encoded as negative numbers and zeros get columns of their own.

ALTER TABLE import RENAME TO old_import;
CREATE TABLE import (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL,
  state TEXT NOT NULL CONSTRAINT state_known CHECK (state IN ('staged', 'shown', 'gone')),
  started_at INTEGER NOT NULL,
  shown_at INTEGER,
  open_day INTEGER,
  void_until INTEGER
) STRICT;
INSERT INTO import SELECT id, site_id,
  CASE WHEN shown_at IS NOT NULL THEN 'shown' WHEN started_at = 0 THEN 'gone' ELSE 'staged' END,
  started_at, shown_at, nullif(open_day, 0), void_until FROM old_import;
DELETE FROM sqlite_sequence WHERE name = 'import';
UPDATE sqlite_sequence SET name = 'import' WHERE name = 'old_import';
DROP TABLE old_import;
CREATE INDEX import_site_id ON import (site_id);

ALTER TABLE hit RENAME TO old_hit;
CREATE TABLE hit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL,
  import_id INTEGER,
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
-- Hits of an import had its negative id as their site_id. Those of a deleted import did not count, and are left out.
INSERT INTO hit SELECT h.id, coalesce(i.site_id, h.site_id), i.id, h.day, h.second, h.visitor, h.engaged, h.page, h.event,
  h.label, h.source, h.utm_source, h.utm_medium, h.utm_campaign, h.country, h.device, h.browser, h.os
  FROM old_hit h LEFT JOIN import i ON i.id = -h.site_id WHERE h.site_id > 0 OR i.id IS NOT NULL ORDER BY h.id;
DELETE FROM sqlite_sequence WHERE name = 'hit';
UPDATE sqlite_sequence SET name = 'hit' WHERE name = 'old_hit';
DROP TABLE old_hit;
CREATE INDEX hit_site_id_import_id_day ON hit (site_id, import_id, day);

ALTER TABLE sealed_day RENAME TO old_sealed_day;
CREATE TABLE sealed_day (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  import_id INTEGER,
  state TEXT NOT NULL CONSTRAINT state_known CHECK (state IN ('staged', 'shown', 'gone')),
  staged_at INTEGER NOT NULL,
  format INTEGER NOT NULL,
  has_hits INTEGER NOT NULL CONSTRAINT has_hits_bool CHECK (has_hits IN (0, 1)),
  visitors INTEGER NOT NULL,
  visits INTEGER NOT NULL,
  pageviews INTEGER NOT NULL,
  events INTEGER NOT NULL,
  bounces INTEGER NOT NULL,
  seconds INTEGER NOT NULL
) STRICT;
INSERT INTO sealed_day SELECT id, site_id, day, import_id,
  CASE WHEN shown = 1 THEN 'shown' WHEN staged_at = 0 THEN 'gone' ELSE 'staged' END, staged_at, 3,
  NOT EXISTS (SELECT 1 FROM rollup r WHERE r.sealed_day_id = d.id AND r.name = 'totals'),
  visitors, visits, pageviews, events, bounces, seconds FROM old_sealed_day d;
DELETE FROM sqlite_sequence WHERE name = 'sealed_day';
UPDATE sqlite_sequence SET name = 'sealed_day' WHERE name = 'old_sealed_day';
DROP TABLE old_sealed_day;
CREATE UNIQUE INDEX sealed_day_site_id_day ON sealed_day (site_id, day) WHERE state = 'shown';
CREATE INDEX sealed_day_site_id ON sealed_day (site_id);
CREATE INDEX sealed_day_staged_at ON sealed_day (staged_at) WHERE state <> 'shown';
