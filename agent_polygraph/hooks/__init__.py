"""What a host runs when its agent stops: one policy, a table of dialects, files and memory.

    dialects  what comes in on standard input and what goes out, one row a host
    tail      the last turn of a transcript, read from its end
    memory    what a session was told already, and where its earlier evidence lies
    scene     the turn at a stop: evidence, sub-agents, what is out of sight
    policy    verdict -> silence, a notice or a block
    state     the files of it, and the log of its own faults
    run       all of it put together, behind one barrier: a fault is silence and a line in the log

The modules load as little as they can: a host starts a process for every stop.
"""
