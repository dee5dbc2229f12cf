"""Running kith on a terminal: standard output, standard error or both are a pseudo-terminal."""
import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios

from kithcli import KITH

SGR = re.compile(r"\x1b\[[0-9;]*m")
PATIENCE = 60  # seconds without output
# Of a person's terminal, whatever the tests run on.
USUAL = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "NO_COLOR": ""}


def without_colors(text):
    return SGR.sub("", text)


class Session:
    """A running kith whose `streams` ("stdout", "stderr") are one terminal of so many columns."""

    def __init__(self, words, streams, columns=80, env=None):
        self.ours, theirs = pty.openpty()
        # Lines end with LF alone, as they were written.
        flags = termios.tcgetattr(theirs)
        flags[1] &= ~termios.OPOST
        termios.tcsetattr(theirs, termios.TCSANOW, flags)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        places = {name: theirs if name in streams else subprocess.DEVNULL
                  for name in ("stdout", "stderr")}
        self.process = subprocess.Popen([KITH, *map(str, words)], stdin=subprocess.DEVNULL,
                                        env={**os.environ, **USUAL, **(env or {})}, **places)
        os.close(theirs)
        self.text = b""

    def read_some(self):
        """More of the output; False at its end. A program that hangs is killed."""
        if not select.select([self.ours], [], [], PATIENCE)[0]:
            self.process.kill()
            raise TimeoutError(f"nothing for {PATIENCE} s after {self.text!r}")
        with contextlib.suppress(OSError):  # EIO is the end of a terminal
            part = os.read(self.ours, 1 << 16)
            self.text += part
            return part != b""
        return False

    def read_until(self, pattern):
        """Waits until what was shown holds the pattern; False where the output ends without."""
        while not re.search(pattern, self.text.decode(errors="replace")):
            if not self.read_some():
                return False
        return True

    def finish(self):
        """All output, once the program has ended."""
        while self.read_some():
            pass
        os.close(self.ours)
        self.status = self.process.wait(timeout=60)
        return self.text.decode()


def on_terminal(*words, streams=("stdout",), columns=80, env=None, status=0):
    session = Session(words, streams, columns, env)
    text = session.finish()
    assert status is None or session.status == status, f"{words}: status {session.status}\n{text}"
    return text
