"""Runs the jobs of a crontab as cron does."""

import re
import subprocess

from harness import PATIENCE, mutation


class Crontab:
    """The variables and the commands of a crontab."""

    def __init__(self, text):
        lines = text.splitlines()
        self.variables = dict(line.split("=", 1) for line in lines if re.match(r"\w+ *=", line))
        jobs = [line for line in lines if re.match(r"[0-9*]", line)]
        self.commands = [job.split(None, 5)[5] for job in jobs]
        # cron replaces the first percent sign by the start of the input.
        assert self.commands and not any("%" in command for command in self.commands)

    def run(self, home, folder):
        """Runs the only job without a terminal, in the home folder. `folder` contains the installed `larder`."""
        (command,) = self.commands
        ours = {"HOME": str(home), "SHELL": "/bin/sh", "LOGNAME": "me", **mutation()}
        env = ours | self.variables | {"PATH": f"{folder}:{self.variables['PATH']}"}
        return subprocess.run(
            [env["SHELL"], "-c", command], env=env, cwd=home, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            start_new_session=True, timeout=PATIENCE)
