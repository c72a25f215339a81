# orbweaver in a container: `docker run --rm --security-opt seccomp=browsers/seccomp.json -v "$PWD:/crawls" orbweaver crawl https://example.org/`
#
# Chromium keeps its sandbox, for which it makes user namespaces. Docker's default seccomp profile forbids that, so the
# container needs browsers/seccomp.json: a list of what is allowed, shorter than Docker's but for these namespaces (`--security-opt
# seccomp=unconfined` would do as well, and forbids nothing; the capabilities of the container stay what they are). Everything else
# may be taken away: `--security-opt no-new-privileges --read-only --tmpfs /tmp`. Nothing is written but /crawls and /tmp.
# For a folder of the host's add `--user "$(id -u):$(id -g)"`: the program needs no particular user, only not root.

FROM node:24-bookworm-slim AS build
WORKDIR /build
# the packages first: a changed source does not install them again
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts scripts
COPY browsers browsers
COPY src src
RUN node scripts/build.mjs \
 && chmod 755 dist/bin/orbweaver.js \
 && find dist -name '*.map' -delete \
 && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
# Another build of the browser can be pinned: --build-arg CHROMIUM=chromium-headless-shell=<version>. By default it is the one
# that Debian's security team supports on the day of the build.
ARG CHROMIUM=chromium-headless-shell
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      "$CHROMIUM" fonts-liberation redis-server tini \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --gid 10001 orbweaver \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin orbweaver \
 && install -d -o 10001 -g 10001 /crawls
COPY package.json LICENSE /opt/orbweaver/
COPY --from=build /build/node_modules /opt/orbweaver/node_modules
COPY --from=build /build/dist /opt/orbweaver/dist
RUN ln -s /opt/orbweaver/dist/bin/orbweaver.js /usr/local/bin/orbweaver

# HOME is where any user may write, also with --user and --read-only --tmpfs /tmp
ENV NODE_ENV=production HOME=/tmp
USER 10001:10001
WORKDIR /crawls
VOLUME /crawls
# tini reaps the processes that Chromium leaves behind, and hands SIGTERM on: the crawl is saved
ENTRYPOINT ["tini", "--", "orbweaver"]
CMD ["--help"]
