"""Conversion of lichess-bot's and BotLi's configurations to ours."""
