"""How the tables of every SQL store came to be what they are, as Alembic revisions.

One line of revisions serves all stores: a revision says per store what it changes, and a database runs the parts of
the stores it holds. Revisions are written by hand from ``steps``, whose operations do nothing where their result is
there already: MySQL commits every change of a table on its own, so a revision may have to go on in the middle.
Published revisions never change. ``state.stores.schema.HEAD`` names the newest.
"""
