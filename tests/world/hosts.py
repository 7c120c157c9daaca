# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two hosts on this machine: network namespaces with names of their own and a cable between them. Open MPI starts a
process on each host; their messages are TCP packets on the cable."""

import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile

AGENT = """#!/bin/sh
# The place of ssh: agent ADDRESS COMMAND...
host={name}-${{1##*.}}
shift
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
"""


class Missing(Exception):
    """The reason why this machine cannot have such hosts."""


def call(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(f"`{shlex.join(command)}` failed: {done.stderr.strip()}")


class Hosts:
    """The two hosts, in a `with` statement, which removes them with all processes on them."""

    def __init__(self):
        for tool in ("ip", "unshare", "mpirun"):
            if not shutil.which(tool):
                raise Missing(f"there is no `{tool}`")
        if "Open MPI" not in subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=False).stdout:
            raise Missing("`mpirun` is not Open MPI's")
        self.name = f"cohort-{os.getpid()}"
        self.network = f"10.{200 + os.getpid() % 50}.{os.getpid() // 50 % 250}"
        self.names = [f"{self.name}-{n}" for n in (1, 2)]
        self.folder = None

    def __enter__(self):
        try:
            for name in self.names:
                call("ip", "netns", "add", name)
                call("ip", "-n", name, "link", "set", "lo", "up")
            call("ip", "link", "add", "cable", "netns", self.names[0], "type", "veth",
                 "peer", "name", "cable", "netns", self.names[1])
            for n, name in enumerate(self.names, 1):
                call("ip", "-n", name, "addr", "add", f"{self.network}.{n}/24", "dev", "cable")
                call("ip", "-n", name, "link", "set", "cable", "up")
        except Missing:
            self.__exit__()
            raise
        self.folder = pathlib.Path(tempfile.mkdtemp())
        agent = self.folder / "agent"
        agent.write_text(AGENT.format(name=self.name))
        agent.chmod(0o755)
        return self

    def __exit__(self, *_):
        for name in self.names:
            for process in self.processes(name):
                subprocess.run(["kill", "-9", process], capture_output=True, check=False)
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
        if self.folder:
            shutil.rmtree(self.folder)

    def processes(self, name, program=None):
        """The processes on a host, all or those of one program."""
        listed = subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True, check=False).stdout.split()
        return [p for p in listed if program is None or command_of(p) == program[:15]]

    def launcher(self, *variables):
        """The command that runs a program on both hosts when it stands before it; it passes on `variables` of the
        environment."""
        network = f"{self.network}.0/24"
        started = ["mpirun", "-np", "2", "--host", f"{self.network}.1:1,{self.network}.2:1",
                   "--mca", "plm_rsh_agent", str(self.folder / "agent"),
                   "--mca", "oob_tcp_if_include", network, "--mca", "btl_tcp_if_include", network]
        for variable in variables:
            started += ["-x", variable]
        return ["ip", "netns", "exec", self.names[0], "unshare", "--uts", "sh", "-c",
                f'hostname {self.names[0]}; exec "$@"', "sh", *started]

    def cut(self):
        call("ip", "-n", self.names[1], "link", "set", "cable", "down")


def command_of(process):
    try:
        return pathlib.Path("/proc", process, "comm").read_text().strip()
    except OSError:
        return ""
