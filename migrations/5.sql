-- Accounts that come by an invitation get the plan `guest`; those that are there keep what they have. A plan of the operator's that
-- is called so keeps its accounts and limits, and gets another name.
UPDATE plan SET name = 'guest (plan ' || id || ')' WHERE name = 'guest';
INSERT INTO plan (name, sites, members) VALUES ('guest', 0, 0);
