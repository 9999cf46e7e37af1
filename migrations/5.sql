-- From version 4 to 5.

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
