{{- define "salus.name" -}}
{{- if contains "salus" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-salus{{ end }}
{{- end }}

{{- define "salus.secret" -}}
{{- if .Values.secret.existing }}{{ .Values.secret.existing }}{{ else if .Values.secret.values }}{{ include "salus.name" . }}{{ else }}{{ fail "secret.existing names a Secret with the settings that values.yaml lists, or secret.values holds them" }}{{ end }}
{{- end }}

{{- define "salus.selector" -}}
app.kubernetes.io/name: salus
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "salus.labels" -}}
{{ include "salus.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "salus.probe" -}}
httpGet: { path: {{ .path }}, port: {{ .port }} }
periodSeconds: {{ .period }}
timeoutSeconds: 5
failureThreshold: {{ .failures }}
{{- end }}

{{/* A pod of one role: root (the chart's context), role (api, worker or migrate), resources, dataSize. */}}
{{- define "salus.pod" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
metadata:
  labels:
    {{- include "salus.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
    {{- with $values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    # Restarts the pods when settings or secrets of the chart change.
    checksum/settings: {{ list $values.settings $values.secret | toJson | sha256sum }}
    {{- if ne .role "migrate" }}
    prometheus.io/scrape: "true"
    prometheus.io/path: /metrics
    prometheus.io/port: {{ ternary "8787" "8788" (eq .role "api") | quote }}
    {{- end }}
    {{- with $values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "salus.name" $root }}
  automountServiceAccountToken: false
  # 5 seconds until the service has removed the pod, then 25 to stop.
  terminationGracePeriodSeconds: 40
  {{- if eq .role "migrate" }}
  restartPolicy: OnFailure
  {{- else }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "salus.selector" $root | nindent 10 }}
          app.kubernetes.io/component: {{ .role }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    seccompProfile: { type: RuntimeDefault }
  {{- with $values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: salus
      image: "{{ $values.image.repository }}:{{ $values.image.tag | default $root.Chart.AppVersion }}"
      imagePullPolicy: {{ $values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      envFrom:
        - configMapRef: { name: {{ include "salus.name" $root }} }
        - secretRef: { name: {{ include "salus.secret" $root }} }
      env:
        - { name: SALUS_MIGRATE, value: {{ ternary "only" "wait" (eq .role "migrate") }} }
        - { name: SALUS_ROLES, value: {{ ternary "worker" "api" (eq .role "worker") }} }
        - { name: PORT, value: "8787" }
        - { name: SALUS_HEALTH_PORT, value: "8788" }
        {{- if eq .role "api" }}
        - { name: SALUS_DRAIN_SECONDS, value: "5" }
        {{- end }}
      {{- if ne .role "migrate" }}
      {{- $port := ternary "http" "health" (eq .role "api") }}
      ports:
        - { name: {{ $port }}, containerPort: {{ ternary 8787 8788 (eq .role "api") }} }
      # Ten minutes: a pod listens after the migrations.
      startupProbe:
        {{- include "salus.probe" (dict "path" "/health/live" "port" $port "period" 5 "failures" 120) | nindent 8 }}
      livenessProbe:
        {{- include "salus.probe" (dict "path" "/health/live" "port" $port "period" 10 "failures" 6) | nindent 8 }}
      readinessProbe:
        {{- include "salus.probe" (dict "path" "/health/ready" "port" $port "period" 5 "failures" 2) | nindent 8 }}
      {{- end }}
      resources:
        {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - name: data
      emptyDir: { sizeLimit: {{ .dataSize | default "1Gi" }} }
    - name: tmp
      emptyDir: { sizeLimit: 1Gi }
{{- end }}
