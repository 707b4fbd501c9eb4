{{- define "reenact.name" -}}
{{- $name := .Release.Name -}}
{{- if not (contains .Chart.Name $name) }}{{ $name = printf "%s-%s" $name .Chart.Name }}{{ end -}}
{{- $name | trunc 30 | trimSuffix "-" -}}
{{- end }}

{{- define "reenact.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "reenact.labels" -}}
{{ include "reenact.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "reenact.account" -}}
{{ .Values.serviceAccount.name | default (include "reenact.name" .) }}
{{- end }}

{{/* The settings of all processes, as the file that they read. */}}
{{- define "reenact.settings" -}}
{{- $own := dict "keys" (printf "/etc/reenact/keys/%s" .Values.keys.file) -}}
{{- if .Values.tls.secretName -}}
{{- $_ := set $own "listen" (dict "tls" (dict "cert" "/etc/reenact/tls/tls.crt" "key" "/etc/reenact/tls/tls.key")) -}}
{{- end -}}
{{- toYaml (mustMergeOverwrite (deepCopy .Values.config) $own) -}}
{{- end }}

{{/* Ends the rendering with what is wrong and what to do. */}}
{{- define "reenact.check" -}}
{{- $journal := dig "journal" "url" "" .Values.config -}}
{{- $catalog := dig "catalog" "url" "" .Values.config -}}
{{- if not .Values.image }}{{ fail "image is not set: no image is published. Build collector/Dockerfile, push it, and set image to its reference" }}{{ end -}}
{{- if not .Values.keys.secretName }}{{ fail "keys.secretName is not set: the collector listens beyond its machine, which needs API keys. Make a Secret with the file keys.yaml (OPERATIONS.md, Keys) and name it" }}{{ end -}}
{{- if not .Values.config.store }}{{ fail "config.store is not set: s3://bucket/prefix, or a folder below config.data for one process" }}{{ end -}}
{{- range $url := list $journal $catalog }}
{{- if regexMatch "://[^/@]*:[^/@]*@" $url }}{{ fail "config holds an address with a password, which a ConfigMap would show: write it into secretEnv as REENACT_COLLECTOR_JOURNAL_URL or REENACT_COLLECTOR_CATALOG_URL" }}{{ end -}}
{{- end -}}
{{- range $destination := .Values.config.forward -}}
{{- range $name, $value := $destination.headers -}}
{{- if not (contains "${" (toString $value)) }}{{ fail (printf "config.forward: the header %s of %s is written out, which a ConfigMap would show: write ${NAME}, and NAME into secretEnv" $name $destination.name) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := .Values.env -}}
{{- if or (regexMatch "(?i)password|secret|token|_key$" $name) (regexMatch "://[^/@]*:[^/@]*@" (toString $value)) }}{{ fail (printf "env.%s looks like a secret, which the pod's description would show: write it into secretEnv" $name) }}{{ end -}}
{{- if hasKey $.Values.secretEnv $name }}{{ fail (printf "%s is in env and in secretEnv: write it once" $name) }}{{ end -}}
{{- end -}}
{{- $isShared := or $journal (hasKey .Values.secretEnv "REENACT_COLLECTOR_JOURNAL_URL") -}}
{{- if and $isShared (not (or $catalog (hasKey .Values.secretEnv "REENACT_COLLECTOR_CATALOG_URL"))) }}{{ fail "catalog.url is not set, which several processes need: write it into secretEnv as REENACT_COLLECTOR_CATALOG_URL, or without a password into config.catalog.url" }}{{ end -}}
{{- if and $isShared (not (hasPrefix "s3://" .Values.config.store)) }}{{ fail "config.store is a folder, which several processes do not share: s3://bucket/prefix" }}{{ end -}}
{{- $done := list -}}
{{- $count := 0 -}}
{{- range $name, $process := .Values.processes -}}
{{- if dig "enabled" true $process -}}
{{- $count = add1 $count -}}
{{- $done = concat $done $process.roles -}}
{{- if not $isShared -}}
{{- if or (lt (len $process.roles) 5) (gt (int $process.replicas) 1) }}{{ fail (printf "processes.%s: some roles, or several replicas, need config.journal.url (Kafka). For one process use one-process.yaml" $name) }}{{ end -}}
{{- if not $process.folder }}{{ fail (printf "processes.%s has no folder: without config.journal.url the journal is in config.data, and has to outlive the pod" $name) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $role := list "receive" "assemble" "query" "retain" -}}
{{- if not (has $role $done) }}{{ fail (printf "processes: none of them has the role %s" $role) }}{{ end -}}
{{- end -}}
{{- if and .Values.config.forward (not (has "forward" $done)) }}{{ fail "processes: config.forward has destinations, and no process has the role forward" }}{{ end -}}
{{- if and (not $isShared) (gt (int $count) 1) }}{{ fail "processes: several of them need config.journal.url (Kafka). For one process use one-process.yaml" }}{{ end -}}
{{- end }}

{{- define "reenact.volumes" -}}
- name: config
  configMap:
    name: {{ include "reenact.name" . }}
- name: keys
  secret:
    secretName: {{ .Values.keys.secretName }}
    defaultMode: 0440
{{- if .Values.tls.secretName }}
- name: tls
  secret:
    secretName: {{ .Values.tls.secretName }}
    defaultMode: 0440
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* What each container of the collector has, whatever it does. */}}
{{- define "reenact.container" -}}
image: {{ .Values.image | quote }}
imagePullPolicy: {{ .Values.imagePullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  - { name: REENACT_COLLECTOR_CONFIG, value: /etc/reenact/config/collector.yaml }
  {{- range $name, $value := .Values.env }}
  - { name: {{ $name }}, value: {{ toString $value | quote }} }
  {{- end }}
  {{- range $name, $from := .Values.secretEnv }}
  - name: {{ $name }}
    valueFrom:
      secretKeyRef: { name: {{ $from.name | quote }}, key: {{ $from.key | quote }} }
  {{- end }}
volumeMounts:
  - { name: data, mountPath: {{ .Values.config.data | quote }} }
  - { name: config, mountPath: /etc/reenact/config, readOnly: true }
  - { name: keys, mountPath: /etc/reenact/keys, readOnly: true }
  {{- if .Values.tls.secretName }}
  - { name: tls, mountPath: /etc/reenact/tls, readOnly: true }
  {{- end }}
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* What each pod has. */}}
{{- define "reenact.pod" -}}
serviceAccountName: {{ include "reenact.account" . }}
automountServiceAccountToken: false
# Kubernetes would set REENACT_COLLECTOR_… for each Service of that name, which the collector refuses as unknown settings
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  # the user node of the image
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}
