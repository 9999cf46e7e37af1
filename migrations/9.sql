-- From version 8 to 9.

-- Days that are sealed from now on have sums of the rows of their rollups too, and compressed rollups of pages, which older programs cannot
-- read. Days from before stay as they are.
