-- From version 5 to 6.

-- Sites can be renamed.
CREATE TABLE former_domain (
  domain TEXT PRIMARY KEY CONSTRAINT domain_lower CHECK (domain = lower(domain)),
  site_id INTEGER NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX former_domain_site_id ON former_domain (site_id);
