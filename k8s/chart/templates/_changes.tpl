{{- /* Each template changes its object in place and renders nothing, except waggle.httpRoute. `root` is the root context. */ -}}

{{- define "waggle.configMap" -}}
{{- $settings := dict }}
{{- if eq .object.metadata.name .name }}{{ $settings = .service.settings }}{{ end }}
{{- if eq .object.metadata.name (printf "%s-indexer" .name) }}{{ $settings = .service.indexer.settings }}{{ end }}
{{- $_ := set .object "data" (mergeOverwrite (dict) .object.data $settings) }}
{{- end }}

{{- /* A Deployment or a Job. */ -}}
{{- define "waggle.workload" -}}
{{- $values := .root.Values }}
{{- $service := .service }}
{{- $metadata := .object.metadata }}
{{- $isApi := eq $metadata.name .name }}
{{- $template := .object.spec.template }}
{{- $pod := $template.spec }}
{{- $container := first $pod.containers }}
{{- $_ := set $container "image" (printf "%s/%s:%s" $values.image.registry .name ($values.image.tag | default .root.Chart.AppVersion)) }}
{{- if $values.image.pullSecrets }}
{{- $secrets := list }}
{{- range $values.image.pullSecrets }}{{ $secrets = append $secrets (dict "name" .) }}{{ end }}
{{- $_ := set $pod "imagePullSecrets" $secrets }}
{{- end }}
{{- range $variable := $container.env }}
{{- $key := $variable.valueFrom.secretKeyRef }}
{{- $_ := set $key "name" $service.secret }}
{{- if and $isApi $service.apiDatabaseUrl (eq $variable.name "DATABASE_URL") }}{{ $_ := set $key "key" "API_DATABASE_URL" }}{{ end }}
{{- end }}
{{- range $volume := $pod.volumes | default list }}{{ $_ := set $volume.secret "secretName" $service.secret }}{{ end }}
{{- $resources := ternary $service.resources (($service.indexer | default dict).resources) $isApi }}
{{- if and $resources (eq .object.kind "Deployment") }}{{ $_ := set $container "resources" (mergeOverwrite (dict) $container.resources $resources) }}{{ end }}
{{- if $values.caConfigMap }}
{{- include "waggle.mountConfigMap" (dict "pod" $pod "name" "ca" "configMap" $values.caConfigMap "path" "/etc/ca" "variable" "NODE_EXTRA_CA_CERTS" "file" "ca.crt") }}
{{- end }}
{{- if and $isApi $service.routes }}
{{- include "waggle.mountConfigMap" (dict "pod" $pod "name" "routes" "configMap" "rpc-gateway-routes" "path" "/etc/rpc-gateway" "variable" "ROUTES_FILE" "file" "routes.yaml") }}
{{- end }}
{{- if eq .object.kind "Job" }}
{{- /* A Job cannot be changed: each revision has one of its own, and Helm removes the previous one. */ -}}
{{- $_ := set $metadata "name" (printf "%s-%d" $metadata.name .root.Release.Revision) }}
{{- else }}
{{- /* A changed setting is rolled out like a new version. */ -}}
{{- $checksumInput := list (index .configs (first $container.envFrom).configMapRef.name) }}
{{- if and $isApi $service.routes }}{{ $checksumInput = append $checksumInput $service.routes }}{{ end }}
{{- $_ := set $template.metadata "annotations" (dict "checksum/config" (toJson $checksumInput | sha256sum)) }}
{{- end }}
{{- end }}

{{- /* Mounts a ConfigMap into the container of a pod, and names one of its files by an environment variable. */ -}}
{{- define "waggle.mountConfigMap" -}}
{{- $container := first .pod.containers }}
{{- $_ := set $container "env" (append $container.env (dict "name" .variable "value" (printf "%s/%s" .path .file))) }}
{{- $_ := set $container "volumeMounts" (append ($container.volumeMounts | default list) (dict "name" .name "mountPath" .path "readOnly" true)) }}
{{- $_ := set .pod "volumes" (append (.pod.volumes | default list) (dict "name" .name "configMap" (dict "name" .configMap))) }}
{{- end }}

{{- define "waggle.autoscaler" -}}
{{- with .service.replicas.min }}{{ $_ := set $.object.spec "minReplicas" . }}{{ end }}
{{- with .service.replicas.max }}{{ $_ := set $.object.spec "maxReplicas" . }}{{ end }}
{{- if gt (int .object.spec.minReplicas) (int .object.spec.maxReplicas) }}
{{- fail (printf "replicas of %s: min %v is more than max %v" .name .object.spec.minReplicas .object.spec.maxReplicas) }}
{{- end }}
{{- $_ := set .object.spec "metrics" (concat .object.spec.metrics (.service.replicas.metrics | default list)) }}
{{- end }}

{{- define "waggle.ingress" -}}
{{- $ingress := .root.Values.ingress }}
{{- $annotations := mergeOverwrite (dict) (.object.metadata.annotations | default dict) $ingress.annotations }}
{{- if $annotations }}{{ $_ := set .object.metadata "annotations" $annotations }}{{ end }}
{{- $_ := set .object.spec "ingressClassName" $ingress.className }}
{{- $_ := set (first .object.spec.rules) "host" .service.host }}
{{- with .service.tlsSecret }}
{{- $_ := set $.object.spec "tls" (list (dict "hosts" (list $.service.host) "secretName" .)) }}
{{- end }}
{{- end }}

{{- /*
An HTTPRoute for the paths of an Ingress. It disables the request timeout, which would close WebSockets and event
streams: the services have timeouts of their own. Some implementations allow a rule no more than 8 paths.
*/ -}}
{{- define "waggle.httpRoute" -}}
{{- $matches := list }}
{{- range (first .object.spec.rules).http.paths }}
{{- $matches = append $matches (dict "path" (dict "type" (ternary "Exact" "PathPrefix" (eq .pathType "Exact")) "value" .path)) }}
{{- end }}
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: {{ .name }}
  labels: {{ toJson .object.metadata.labels }}
spec:
  parentRefs: {{ toJson .root.Values.httpRoute.parentRefs }}
  hostnames: [{{ quote .service.host }}]
  rules:
    {{- range chunk 8 $matches }}
    - matches: {{ toJson . }}
      {{- if $.root.Values.httpRoute.timeouts }}
      timeouts: { request: 0s }
      {{- end }}
      backendRefs: [{ name: {{ $.name }}, port: 80 }]
    {{- end }}
{{- end }}

{{- define "waggle.networkPolicy" -}}
{{- $policy := .root.Values.networkPolicy }}
{{- $namespaces := dict "ingress-nginx" $policy.ingressNamespace "monitoring" $policy.monitoringNamespace }}
{{- range $rule := .object.spec.ingress | default list }}
{{- range $from := $rule.from }}
{{- $labels := $from.namespaceSelector.matchLabels }}
{{- $label := "kubernetes.io/metadata.name" }}
{{- $_ := set $labels $label (index $namespaces (index $labels $label)) }}
{{- end }}
{{- end }}
{{- if eq .object.metadata.name .name }}
{{- $_ := set .object.spec "egress" (concat .object.spec.egress $policy.extraEgress) }}
{{- end }}
{{- end }}
