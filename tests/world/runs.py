# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of programs in several processes, with a time limit and without leftover processes."""

import os
import signal
import subprocess
import time

# The processes share few cores: none is bound to a core, and an MPI yields its core while it waits.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "COHORT_WORKERS": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
}


class Run:
    """The result of a command: status, output (both streams), seconds. The status is None if the time limit ended the
    command."""

    def __init__(self, command, limit=60, **variables):
        begin = time.monotonic()
        environment = {**os.environ, **ENVIRONMENT, **variables}
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   env=environment, text=True, errors="replace", start_new_session=True)
        try:
            self.output, _ = process.communicate(timeout=limit)
            self.status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            self.output, _ = process.communicate()
            self.status = None
        self.seconds = time.monotonic() - begin

    def lacks(self, *texts):
        return [text for text in texts if text not in self.output]
