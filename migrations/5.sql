-- From version 4 to 5.

-- Large open days: parts of folded visitors, and sealed days of several parts.
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
DROP INDEX sealed_day_site_id_day;
ALTER TABLE sealed_day ADD COLUMN part INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX sealed_day_site_id_day_part ON sealed_day (site_id, day, part) WHERE state = 'shown';
