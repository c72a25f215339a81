#!/bin/sh
# Starts a program under a limit of memory: in a control group where it can be entered, which holds all its processes
# together, else with a limit of what each of them may write to. Every `exec` keeps the process id and the open descriptors.
# Given: ORBWEAVER_LIMITED_PROGRAM, ORBWEAVER_MEMORY_GROUP (the list of the group's processes; may be empty), ORBWEAVER_DATA_KIB.
set -eu
program=$ORBWEAVER_LIMITED_PROGRAM
group=$ORBWEAVER_MEMORY_GROUP
data=$ORBWEAVER_DATA_KIB
unset ORBWEAVER_LIMITED_PROGRAM ORBWEAVER_MEMORY_GROUP ORBWEAVER_DATA_KIB
if [ -z "$group" ] || ! echo $$ 2>/dev/null >"$group"; then
  # a limit that is stricter already stays as it is
  ulimit -d "$data" 2>/dev/null || true
fi
exec "$program" "$@"
