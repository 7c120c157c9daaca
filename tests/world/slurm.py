# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Slurm cluster that consists of this machine, with its own daemons, key and files."""

import os
import pathlib
import shlex
import shutil
import socket
import subprocess
import tempfile
import time

CONFIGURATION = """
ClusterName=cohort
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={next_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=tests Nodes={host} Default=YES State=UP
"""
# Debian installs daemons where a user's PATH may not lead.
PATH = os.environ.get("PATH", "") + ":/usr/local/sbin:/usr/sbin:/sbin"


class Missing(Exception):
    """The reason why this machine cannot have such a cluster."""


def find(tool):
    found = shutil.which(tool, path=PATH)
    if not found:
        raise Missing(f"there is no `{tool}` (Debian: slurm-wlm and munge)")
    return found


def free_ports():
    """Returns the first of two adjacent ports that are free."""
    for port in range(20000 + os.getpid() % 10000, 40000, 2):
        try:
            for tried in (port, port + 1):
                with socket.socket() as one:
                    one.bind(("127.0.0.1", tried))
            return port
        except OSError:
            continue
    raise Missing("no two adjacent ports are free")


class Slurm:
    """The cluster, in a `with` statement, which ends the daemons. `environment` leads Slurm's commands to this cluster.
    """

    def __init__(self):
        if os.geteuid() != 0:
            raise Missing("its daemons need root")
        self.tools = {tool: find(tool) for tool in ("mungekey", "munged", "slurmctld", "slurmd", "srun", "sinfo")}
        self.folder = None
        self.daemons = []

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.folder.chmod(0o755)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        host, port = socket.gethostname().split(".")[0], free_ports()
        configuration = self.folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(host=host, port=port, next_port=port + 1, folder=self.folder,
                                                      cpus=os.cpu_count()))
        self.environment = {"SLURM_CONF": str(configuration)}
        try:
            self.call("mungekey", "-c", "-k", f"{self.folder}/key")
            self.start("munged", "--foreground", "--force", f"--key-file={self.folder}/key",
                       f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munged.pid",
                       f"--seed-file={self.folder}/seed")
            self.start("slurmctld", "-D", "-f", configuration)
            self.start("slurmd", "-D", "-f", configuration)
            self.wait_until_idle()
        except Missing:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, tool, *arguments):
        command = [self.tools[tool], *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60,
                              env={**os.environ, **self.environment})
        if done.returncode != 0:
            raise Missing(f"`{shlex.join(command)}` failed: {done.stderr.strip()}")
        return done.stdout

    def start(self, tool, *arguments):
        with open(self.folder / f"{tool}.output", "w", encoding="utf-8") as output:
            self.daemons.append(subprocess.Popen([self.tools[tool], *map(str, arguments)], stdin=subprocess.DEVNULL,
                                                 stdout=output, stderr=output, env={**os.environ, **self.environment}))

    def wait_until_idle(self):
        state, begin = "", time.monotonic()
        while time.monotonic() - begin < 60:
            try:
                state = self.call("sinfo", "-h", "-o", "%T").strip()
            except Missing as reason:
                state = str(reason)
            if state == "idle":
                return
            time.sleep(0.2)
        outputs = "\n".join(file.read_text() for file in sorted(self.folder.glob("*.output")))
        raise Missing(f"its node does not become idle: {state}\n{outputs}")
