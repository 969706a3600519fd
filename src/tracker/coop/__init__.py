"""One campaign on several machines: everybody plays on a copy of their own, and the copies exchange entries.

What is replicated is the set of entries. Ids have counters, so a few numbers describe a set (`saves/id_set.py`), and
after any absence two copies find out what each of them lacks (`replica`). `wire` has the messages, `lines` and
`iroh_line` the pipes that carry them. `host` and `guest` are the two ends of a line; without a host, members read and
post to one feed (`nats_member`, `nats_feed`). `proofs` and `key_files` prove who is at the other end,
`questions` has what a host is asked about it, and `rulings` decides about each entry that a player sends. `company` is
what frontends use.

It is imported only when a player hosts or joins.
"""
