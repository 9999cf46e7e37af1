-- From version 4 to 5.

-- Sites name the segments of their paths that are private.
ALTER TABLE site ADD COLUMN private_paths TEXT NOT NULL DEFAULT '';
