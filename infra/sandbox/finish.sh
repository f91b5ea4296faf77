#!/bin/sh
# Last step of both image builds. $1 is the root of the image. No setuid file survives (SC-S4); the agent's group may
# write below /usr/local, /opt and /srv, which only a world with a writable root can use (mode danger-full-access).
set -eu
root=${1%/}
find "$root/" -xdev -type f -perm /6000 -exec chmod a-s {} +
mkdir -p "$root/workspace" "$root/home/agent" "$root/opt/gantry"
for dir in usr/local opt srv; do
  find "$root/$dir" -xdev -type d -not -path "$root/opt/gantry*" -exec chgrp 10000 {} + -exec chmod 2775 {} +
done
# Sessions of one workspace run under different uids and share its repository through the group.
cat > "$root/etc/gitconfig" <<'CONFIG'
[safe]
	directory = *
[init]
	defaultBranch = main
[core]
	sharedRepository = group
[user]
	name = Gantry agent
	email = agent@gantry.invalid
[advice]
	detachedHead = false
CONFIG
