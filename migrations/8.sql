-- From version 7 to 8.

-- The seconds and the engagement of days that are sealed from now on are compressed with zstd, which older programs cannot read. Days
-- from before stay as they are.
