import { StartupError } from '../errors.ts'
import { boolean, integer, oneOf, setting, url } from '../settings.ts'

const endpoint = (name: string) => url(name, ['http:', 'https:'])

/** Reads `name=value,name=value`, the values percent-encoded, as OpenTelemetry writes lists. */
function pairs(name: string) {
  return (text: string | undefined): Record<string, string> => {
    const parts = (text ?? '').split(',').filter((part) => part.trim() !== '')
    return Object.fromEntries(
      parts.map((part) => {
        const [, key, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(part) ?? []
        const decoded = decode(value)
        if (key !== undefined && decoded !== undefined) return [key, decoded]
        // The value may be a secret, so it never appears in the message.
        throw new StartupError(`${name} must be name=value pairs, comma-separated.`)
      }),
    )
  }
}

function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text.trim())
  } catch {
    return undefined
  }
}

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

function ratio(text: string | undefined): number {
  const value = text === undefined || text === '' ? 1 : Number(text)
  if (value >= 0 && value <= 1) return value
  throw new StartupError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
}

const exporter = (name: string) => oneOf(name, ['otlp', 'none'], 'otlp')

/**
 * Settings under the names of OpenTelemetry; those that only its exporters read are in
 * docs/observability.md.
 */
export const TELEMETRY_SETTINGS = {
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'URL that traces and metrics are sent to over OTLP, such as http://127.0.0.1:4318. Without it OpenTelemetry is not loaded.',
    '',
    endpoint('OTEL_EXPORTER_OTLP_ENDPOINT'),
  ),
  otlpTracesEndpoint: setting(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'Full URL for traces, which replaces OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces.',
    '',
    endpoint('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
  ),
  otlpMetricsEndpoint: setting(
    'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    'Full URL for metrics, which replaces OTEL_EXPORTER_OTLP_ENDPOINT with /v1/metrics.',
    '',
    endpoint('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'),
  ),
  otlpHeaders: setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    'Headers of these requests, such as api-key=…: name=value pairs, comma-separated, with percent-encoded values.',
    '',
    pairs('OTEL_EXPORTER_OTLP_HEADERS'),
  ),
  otlpProtocol: setting(
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'Protocol of OTLP; the only value is http/protobuf.',
    'http/protobuf',
    oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf'], 'http/protobuf'),
  ),
  otelTracesExporter: setting(
    'OTEL_TRACES_EXPORTER',
    'Exporter of traces: otlp, or none to send no traces.',
    'otlp',
    exporter('OTEL_TRACES_EXPORTER'),
  ),
  otelMetricsExporter: setting(
    'OTEL_METRICS_EXPORTER',
    'Exporter of metrics: otlp, or none to send no metrics.',
    'otlp',
    exporter('OTEL_METRICS_EXPORTER'),
  ),
  otelServiceName: setting(
    'OTEL_SERVICE_NAME',
    'Name of the process in traces and metrics.',
    'salus',
    (text) => text || 'salus',
  ),
  otelResourceAttributes: setting(
    'OTEL_RESOURCE_ATTRIBUTES',
    'Further attributes of the process, such as deployment.environment.name=production, in the format of the headers.',
    '',
    pairs('OTEL_RESOURCE_ATTRIBUTES'),
  ),
  otelTracesSampler: setting(
    'OTEL_TRACES_SAMPLER',
    `Sampler that selects the traces to keep: ${SAMPLERS.join(', ')}.`,
    'parentbased_always_on',
    oneOf('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on'),
  ),
  otelTracesRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    'Share of traces that the ratio samplers keep, from 0 to 1.',
    '1',
    ratio,
  ),
  otelMetricIntervalMs: setting(
    'OTEL_METRIC_EXPORT_INTERVAL',
    'Number of milliseconds between two exports of metrics.',
    '60000',
    integer('OTEL_METRIC_EXPORT_INTERVAL', 60_000, 100, 86_400_000),
  ),
  otelDisabled: setting(
    'OTEL_SDK_DISABLED',
    'Disables all exports, whatever the other settings are.',
    'false',
    boolean('OTEL_SDK_DISABLED', false),
  ),
  slowStatementMs: setting(
    'SALUS_SLOW_QUERY_MS',
    'Duration in milliseconds from which statements of both stores are logged, without values; 0 logs none.',
    '1000',
    integer('SALUS_SLOW_QUERY_MS', 1000, 0, 3_600_000),
  ),
}

export type TelemetryConfig = {
  [Key in keyof typeof TELEMETRY_SETTINGS]: ReturnType<(typeof TELEMETRY_SETTINGS)[Key]['read']>
}
