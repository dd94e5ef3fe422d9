"""`bot88 ctl`: the control socket, its client, and the grammar of the commands."""
