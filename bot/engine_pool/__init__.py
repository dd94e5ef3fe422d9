"""Engine processes for all games: started warm, leased, monitored, replaced, ended.

    with EnginePool(settings.engines) as pool:
        engine = pool.lend(Requirement())
        search = engine.play(board, Limit(white_clock=60.0, black_clock=60.0), ponder=True, on_done=queue.put)
        ...                   # search.abandon(): no answer wanted
        engine.give_back()

The answer is delivered to `on_done` in the pool's thread: process it quickly there or hand it to another thread.
"""
