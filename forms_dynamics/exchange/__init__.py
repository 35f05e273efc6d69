"""A memory as plain rows: ``export`` writes them, ``load`` takes them, each the inverse of the other.

Format 2, one JSON object a row, in this order:

    {"kind": "scope", "tenant", "user", "format": 2}    the shared space first (user null), then each user
    message, record, tool                               in order of arrival
    form, each followed by its versions                 by id; versions 1, 2, … without a gap
    mention                                             which Forms a message touched
    edge                                                by source, relation, target
    pending, act                                        by id
    {"kind": "end"}                                     so that a file that was cut off is noticed

What is canonical is in it, and of what is derived only that which cannot be derived whole: mentions, and rule
edges with what has happened to them. Salts and hashes are of one chain, not of the facts: the same facts give
the same bytes, and ``load`` seals chains anew. Of what was erased there is only its numbering: a Form of status
erased with its versions' numbers and times, a version whose ``payload`` is null; an erased message is left out.
Times are ISO 8601 in UTC to the microsecond. Format 1 (without acts, mentions, evidence of edges and the end
row, all Forms before all versions, one user a file) is read too.
"""
