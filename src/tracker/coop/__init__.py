"""One campaign on several machines: everybody plays on a copy of their own, and the copies exchange entries.

What is replicated is the set of entries. Ids have counters, so a few numbers describe a set
(`idset`), and after any absence two copies find out what each of them lacks. `wire` has the messages; `lines` and its
neighbors have the pipes that carry them; `invitation` and `keys` prove who is at the other end; `seats` checks
what somebody sends. `host` and `guest` are the two ends, and `company` is what frontends use.

Only the commands for playing together import this package, and nothing below it knows it.
"""
