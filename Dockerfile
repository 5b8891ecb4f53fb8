# What GoReleaser makes the image of: the program alone, which needs no other files, as a
# user without rights.
FROM scratch
ARG TARGETPLATFORM
COPY LICENSE /LICENSE
COPY $TARGETPLATFORM/tofumerge /usr/bin/tofumerge
USER 65532:65532
WORKDIR /src
ENTRYPOINT ["/usr/bin/tofumerge"]
