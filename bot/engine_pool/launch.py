"""A launcher put before every engine: `python launch.py PARENT_PID COMMAND...` becomes COMMAND.

It asks the kernel (Linux) to kill the engine when the thread that started it ends, for whatever reason. End of input
on stdin asks the same of every UCI engine, but a stopped or hung engine does not read its input. What the engine itself
starts is not covered by this: see reaper.py. The script runs isolated, imports nothing of the bot, and takes some 20 ms
once per engine process.
"""

import os
import sys

_PR_SET_PDEATHSIG = 1
_SIGKILL = 9


def _die_with_parent(parent: int) -> None:
    if not sys.platform.startswith("linux"):
        return
    import ctypes  # imported late: other systems may lack it

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit("the bot ended before its engine could start")


def main(arguments: list[str]) -> None:
    """Replace this process by the command; exit code 127 with the reason on stderr when that is impossible."""
    parent, command = int(arguments[0]), arguments[1:]
    _die_with_parent(parent)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.stderr.write(f"cannot start {command[0]!r}: {error.strerror}\n")
        sys.exit(127)


if __name__ == "__main__":
    main(sys.argv[1:])
