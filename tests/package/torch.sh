#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PyTorch's load and load_inline with the wheel, in a new Debian 12 with its PyTorch for CPUs:  torch.sh SOURCE PACKAGES FOLDER
set -euo pipefail
source=$1 packages=$2 folder=$3

# shellcheck source=tests/support/debian_chroot.sh
source "$(dirname "$0")/../support/debian_chroot.sh"

make_chroot bookworm "$folder"
root=$folder/root
mkdir "$root/packages"
cp "$packages"/cohortcc-*.whl "$root/packages/"
cp "$source/tests/python/with_torch/test_extensions.py" "$root/"
python3 -m pip download -q --no-deps -d "$root/packages" nvidia-cuda-cccl==13.0.85 || skip "pip cannot load nvidia-cuda-cccl"
in_chroot "$root" "export DEBIAN_FRONTEND=noninteractive && apt-get -q update >/dev/null &&
  apt-get -q install -y --no-install-recommends g++ python3-torch python3-setuptools python3-dev \
    python3-pip pybind11-dev libtorch-dev ninja-build >/dev/null &&
  pip install -q --no-index --break-system-packages /packages/*.whl &&
  python3 /test_extensions.py"
