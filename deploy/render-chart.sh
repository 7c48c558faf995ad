#!/bin/sh
# Renders the chart with its example values into deploy/kubernetes.yaml. HELM names another helm program.
set -eu
cd "$(dirname "$0")"
digest=$(find helm -type f | LC_ALL=C sort | xargs cat | sha256sum | cut -d' ' -f1)
rendered=$(${HELM:-helm} template salus helm/salus -f helm/example.yaml)
cat > kubernetes.yaml <<EOF
# Rendered by deploy/render-chart.sh from the chart and deploy/helm/example.yaml, for clusters without Helm.
# Chart $digest
$rendered
EOF
