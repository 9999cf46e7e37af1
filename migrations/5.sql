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
