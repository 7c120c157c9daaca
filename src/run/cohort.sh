#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `cohort learn` starts the puzzles (docs/learn/puzzles.md). `cohort run` starts the processes of a world with the launcher
# of the MPI that the program is linked with, and divides this host's cores between them (docs/world.md). `cohort matrix`
# runs a program for several GPUs (docs/environment.md). The other commands work on reports (docs/would-it-be-slow.md,
# docs/ci-without-a-gpu.md).
set -uo pipefail

usage() {
  cat <<'TEXT'
usage: cohort run [-n PROCESSES] [--host HOST,HOST...] [--print] PROGRAM [ARGUMENT...]
       cohort learn [NUMBER] [--text | --hint | --solution]
       cohort budget REPORT BUDGET
       cohort compare BEFORE AFTER
       cohort occupancy REPORT [--gpu NAME] [--registers N|FILE]
       cohort sarif REPORT... [--budget BUDGET] [--source-root DIR] [-o FILE]
       cohort matrix --gpus NAME[,NAME...] -- COMMAND [ARGUMENT...]

cohort learn lists puzzles about cooperative groups, or begins and checks one; see cohort learn --help.

cohort budget fails if a kernel of a report of COHORT_COUNT exceeds the limits of a TOML file. cohort compare prints the
numbers that differ between two reports, cohort occupancy the waves of its launches on a GPU. cohort sarif writes the
findings of reports in the form that GitHub shows beside the source. Each has --help.

cohort matrix runs COMMAND once for each GPU, with COHORT_GPU set to it, and prints a table of the results.

cohort run starts PROGRAM in several processes, with the launcher of its MPI.
  -n N          processes; default: the CPUs that may be used
  --host LIST   hosts, separated by commas; default: this one
  --print       print the command instead of running it
COHORT_LAUNCHER names another launcher. COHORT_WORKERS, where unset, becomes the CPUs of a process.
TEXT
}
fail() {
  echo "cohort run: $1" >&2
  exit 2
}

case ${1-} in
  run) shift ;;
  learn)
    shift
    python=$(command -v python3) || { echo "cohort learn: python3 is not installed" >&2; exit 2; }
    exec "$python" -B "$(dirname "$(readlink -f "$0")")/../lib/cohort/learn/learn.py" "$@"
    ;;
  budget | compare | occupancy | sarif | matrix)
    python=$(command -v python3) || { echo "cohort $1: python3 is not installed" >&2; exit 2; }
    exec "$python" -B "$(dirname "$(readlink -f "$0")")/../lib/cohort/reports/report_commands.py" "$@"
    ;;
  -h | --help) usage && exit 0 ;;
  *) usage >&2 && exit 2 ;;
esac
cores=$(nproc)
processes=$cores hosts='' print=0
while [[ ${1-} == -* ]]; do
  case $1 in
    -n) processes=${2-} && shift ;;
    --host) hosts=${2-} && shift ;;
    --print) print=1 ;;
    -h | --help) usage && exit 0 ;;
    *) fail "unknown option '$1'; see cohort run --help" ;;
  esac
  shift || fail "the option needs a value; see cohort run --help"
done
[[ $processes =~ ^[1-9][0-9]{0,6}$ ]] || fail "-n needs a number of processes, not '$processes'"
[[ $# -gt 0 ]] || fail "no program was named; see cohort run --help"
program=$(command -v -- "$1") || fail "'$1' is no program"

# Each process that the launcher of another MPI starts would be alone in a world of its own.
libraries=$(ldd "$program" 2>/dev/null)
case $libraries in
  *libmpich*) names=(mpiexec.mpich mpiexec.hydra mpiexec mpirun) kind=HYDRA ;;
  *libmpi.so*) names=(mpirun.openmpi mpirun mpiexec) kind='Open MPI\|OpenRTE\|open-mpi' ;;
  *) fail "$1 is linked with no MPI: include <cohort/world_mpi.hpp> and link cohort::mpi" ;;
esac
launcher=${COHORT_LAUNCHER-}
if [[ -z $launcher ]]; then
  # There may be several installations of MPI, so the launcher next to the program's library is tried first.
  library=$(awk '/libmpi(ch)?\.so/ { print $3; exit }' <<<"$libraries")
  for name in "$(dirname "$library")/../bin/mpirun" "${names[@]}"; do
    version=$("$name" --version 2>/dev/null </dev/null) || continue
    grep -q "$kind" <<<"$version" && launcher=$(command -v -- "$name") && break
  done
  [[ -n $launcher ]] || fail "no launcher of the MPI of $1 was found (${names[*]}); set COHORT_LAUNCHER"
fi
version=$("$launcher" --version 2>/dev/null </dev/null)

host_count=1
if [[ -n $hosts ]]; then host_count=$(tr ',' '\n' <<<"$hosts" | grep -c .); fi
here=$(((processes + host_count - 1) / host_count))
workers=$((cores / here))
export COHORT_WORKERS=${COHORT_WORKERS-$((workers > 0 ? workers : 1))}

command=("$launcher" -n "$processes")
if [[ $version == *"Open MPI"* || $version == *OpenRTE* ]]; then
  if [[ $EUID -eq 0 && -z ${OMPI_ALLOW_RUN_AS_ROOT-} ]]; then
    fail "Open MPI does not start programs as root. Run as another user, or set both OMPI_ALLOW_RUN_AS_ROOT=1 and \
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
  fi
  command+=(--bind-to none)
  if ((here > cores)); then
    export OMPI_MCA_mpi_yield_when_idle=1
  fi
  if [[ $version =~ \(Open\ MPI\)\ ([0-9]+) && ${BASH_REMATCH[1]} -ge 5 ]]; then
    command+=(--map-by :OVERSUBSCRIBE --with-ft ulfm)
  else
    command+=(--oversubscribe -x COHORT_WORKERS)
  fi
  if [[ -n $hosts ]]; then command+=(--host "$hosts"); fi
elif [[ -n $hosts ]]; then
  command+=(-hosts "$hosts")
fi
command+=("$@")
if ((print)); then
  echo "COHORT_WORKERS=$COHORT_WORKERS ${command[*]}"
  exit 0
fi
exec "${command[@]}"
