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

-- The key that signs the cookie by which a browser is known that has signed in before, so that nobody can make one.
CREATE TABLE browser_key (
  one INTEGER PRIMARY KEY CONSTRAINT one_row CHECK (one = 1),
  bytes BLOB NOT NULL CONSTRAINT bytes_length CHECK (length(bytes) = 32)
) STRICT;
