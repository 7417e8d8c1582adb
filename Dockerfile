# The mock in a container, from npm alone: docker build -t acs-mock .
# A checkout: npm pack, then docker build -t acs-mock --build-arg ACS_KIT=./acs-kit-0.1.0.tgz .
ARG BASE=node:24-slim

FROM ${BASE} AS install
ARG ACS_KIT=acs-kit
WORKDIR /opt/acs
# A base without Node, such as debian:trixie-slim, gets it from the packages of Debian.
RUN command -v npm || { apt-get update && apt-get install -y --no-install-recommends nodejs npm; }
# The Dockerfile is always there, so that the line also holds without an archive.
COPY Dockerfile acs-kit*.tgz ./
# classic-level is for --state.
RUN npm install --omit=dev --no-audit --no-fund --prefix /opt/acs "$ACS_KIT" classic-level@3

# The image itself has no npm: with Debian's it would be twice as large.
FROM ${BASE}
WORKDIR /opt/acs
RUN command -v node || { apt-get update && apt-get install -y --no-install-recommends nodejs && rm -rf /var/lib/apt/lists/*; }
RUN id node || useradd --system node
COPY --from=install /opt/acs/node_modules /opt/acs/node_modules
USER node
EXPOSE 4010
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:4010/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/opt/acs/node_modules/.bin/acs"]
CMD ["mock", "--host", "0.0.0.0"]
