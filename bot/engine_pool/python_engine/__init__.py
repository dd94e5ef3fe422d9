"""An engine written as a Python class, behind a UCI adapter: `python -m bot.engine_pool.python_engine FILE[:CLASS]`.

The class runs in the adapter's process, never in the bot's; docs/your-engine.md describes what it may contain.
"""
