-- From version 8 to 9.

-- The rollups of days that are sealed from now on, and of months, are compressed, and have more sums of their rows, which older programs
-- cannot read. Days from before stay as they are.
