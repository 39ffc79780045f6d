#!/bin/sh
# Makes the secrets of compose.yaml in the folder `secrets` beside it: random passwords and keys, and the certificate of
# the MQTT broker. Files that exist stay as they are. Only the folder's owner can enter it; the files in it can be read by
# the users of the containers they are mounted in.
set -eu
cd "$(dirname "$0")"
host=$(sed -n 's/^PUBLIC_HOST=//p' .env)
if [ -z "$host" ]; then
  echo "prepare.sh: set PUBLIC_HOST in .env first" >&2
  exit 1
fi
mkdir -p -m 700 secrets
cd secrets
# Writes a value to a file unless it exists, whole or not at all.
keep() {
  if [ ! -e "$1" ]; then
    echo "$2" >"$1.new"
    mv "$1.new" "$1"
  fi
}
for name in secret_key database_password mqtt_password; do
  value=$(openssl rand -hex 32)
  keep "$name" "$value"
done
keep database_url "postgresql://aqua:$(cat database_password)@database/aqua"
keep mqtt_url "mqtts://aqua:$(cat mqtt_password)@mqtt:8883"
if [ ! -e mqtt_key ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=$host" \
    -addext "subjectAltName=DNS:$host,DNS:mqtt" -keyout mqtt_key.new -out mqtt_certificate
  mv mqtt_key.new mqtt_key
fi
chmod 644 ./*
