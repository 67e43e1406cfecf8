"""What the other implementations are known not to do; each was seen with the pinned version.

(name, "read" | "write" | "both", tags, why): holds for a case that has all the tags. The table is
exact both ways: what fails and is not listed fails the run, and so does what is listed and works.
"""

TABLE = []


def reason_why_not(peer, doing, tags):
    for name, what, needed, why in TABLE:
        if peer.startswith(name) and what in (doing, "both") and needed <= tags:
            return why
    return None
