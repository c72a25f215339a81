#!/bin/sh
# Starts the browser as an unprivileged user, so that root can crawl with Chromium's sandbox on (it refuses to run as root).
# Given: ORBWEAVER_BROWSER_PROGRAM, ORBWEAVER_BROWSER_UID. Every `exec` keeps the process id and the descriptors of the pipe.
set -eu
for argument in "$@"; do
  case $argument in
    --user-data-dir=*) home=${argument#--user-data-dir=} ;;
  esac
done
chown "$ORBWEAVER_BROWSER_UID:$ORBWEAVER_BROWSER_UID" "$home"
exec setpriv --reuid="$ORBWEAVER_BROWSER_UID" --regid="$ORBWEAVER_BROWSER_UID" --clear-groups --inh-caps=-all --no-new-privs \
  env HOME="$home" "$ORBWEAVER_BROWSER_PROGRAM" "$@"
