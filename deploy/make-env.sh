#!/bin/sh
# Writes the settings and secrets of deploy/compose.yaml to deploy/.env:
#   sh deploy/make-env.sh salus.example.com
# Keep that file like the data: SALUS_SECRET_KEY decrypts sealed values in the database.
set -eu
domain=${1:?"give the domain under which Salus is reached"}
file=${2:-$(dirname "$0")/.env}
if [ -e "$file" ]; then
  echo "$file is there already; its secrets belong to the data." >&2
  exit 1
fi
umask 077
letters() { openssl rand -hex "$1"; }
cat > "$file" <<EOF
SALUS_DOMAIN=$domain
SALUS_TLS=
SALUS_SECRET_KEY=$(openssl rand -base64 32)
SALUS_API_KEY=pk_us_$(letters 24)
SALUS_MANAGEMENT_KEY=mg_$(letters 24)
POSTGRES_PASSWORD=$(letters 24)
CLICKHOUSE_PASSWORD=$(letters 24)
S3_SECRET_KEY=$(letters 24)
EOF
echo "wrote $file"
