# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Debian 12 with cohortcc; docs/ci-without-a-gpu.md shows its use.
# The first stage builds the packages of this checkout; the image has the installed Debian package alone. The steps are
# those of tools/package/container.sh.
FROM debian:12-slim AS packages
COPY . /cohort
RUN /cohort/tools/package/container.sh build /packages

FROM debian:12-slim
COPY tools/package/container.sh /usr/local/sbin/cohort-container
RUN --mount=type=bind,from=packages,source=/packages,target=/packages \
    /usr/local/sbin/cohort-container install /packages && rm /usr/local/sbin/cohort-container
ENV CUDACXX=/usr/bin/cohortcc CUDA_HOME=/usr/lib/cohort/cohort-toolkit
WORKDIR /work
CMD ["bash"]
