import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Context,
  type Link,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Registry } from 'prom-client'
import type { Log } from '../log.ts'
import { VERSION } from '../version.ts'
import { createMetricProducer } from './metric-producer.ts'
import type { TelemetryConfig } from './telemetry-settings.ts'
import type { Span, SpanOptions, Tracer } from './tracing.ts'

interface OpenTelemetryOptions {
  config: TelemetryConfig & { roles: readonly string[] }
  log: Log
}

export interface OpenTelemetry {
  tracer: Tracer | undefined
  /** Sends the metrics of the registry, as /metrics shows them. */
  sendMetrics(registry: Registry): void
  /** Sends the rest. */
  close(): Promise<void>
}

/** Time limit of waiting for a receiver that does not answer. */
const CLOSE_PATIENCE_MS = 2_000

/** Sends traces and metrics over OTLP; the only module that loads OpenTelemetry. */
export function openTelemetry({ config, log }: OpenTelemetryOptions): OpenTelemetry {
  const resource = describeProcess(config)
  const tracesUrl = config.otlpTracesEndpoint ?? signalUrl(config.otlpEndpoint, 'v1/traces')
  const metricsUrl = config.otlpMetricsEndpoint ?? signalUrl(config.otlpEndpoint, 'v1/metrics')
  const headers = config.otlpHeaders
  let traces: TracerProvider | undefined
  if (tracesUrl !== undefined && config.otelTracesExporter === 'otlp') {
    const exporter = reporting(new OTLPTraceExporter({ url: tracesUrl, headers }), 'traces', log)
    const spanProcessors = [new BatchSpanProcessor({ exporter })]
    traces = new TracerProvider({ resource, sampler: samplerOf(config), spanProcessors })
  }
  let metrics: MeterProvider | undefined
  return {
    tracer: traces && new OpenTelemetryTracer(traces.getTracer('salus', VERSION)),
    sendMetrics(registry) {
      if (metricsUrl === undefined || config.otelMetricsExporter === 'none') return
      const exporter = new OTLPMetricExporter({ url: metricsUrl, headers })
      const interval = config.otelMetricIntervalMs
      const reader = new PeriodicExportingMetricReader({
        exporter: reporting(exporter, 'metrics', log),
        exportIntervalMillis: interval,
        exportTimeoutMillis: Math.min(interval, 30_000),
        metricProducers: [createMetricProducer(registry, resource)],
      })
      metrics = new MeterProvider({ resource, readers: [reader] })
    },
    async close() {
      const ended = Promise.allSettled([traces?.shutdown(), metrics?.shutdown()])
      await Promise.race([ended, sleep(CLOSE_PATIENCE_MS)])
    },
  }
}

const signalUrl = (endpoint: string | undefined, path: string): string | undefined =>
  endpoint && `${endpoint.replace(/\/+$/, '')}/${path}`

function describeProcess(config: OpenTelemetryOptions['config']): Resource {
  return resourceFromAttributes({
    'service.name': config.otelServiceName,
    'service.version': VERSION,
    // Processes are counted separately.
    'service.instance.id': randomUUID(),
    'host.name': hostname(),
    'salus.roles': config.roles.join(','),
    ...config.otelResourceAttributes,
  })
}

function samplerOf({ otelTracesSampler: name, otelTracesRatio }: TelemetryConfig): Sampler {
  const root = name.endsWith('always_off')
    ? new AlwaysOffSampler()
    : name.endsWith('always_on')
      ? new AlwaysOnSampler()
      : new TraceIdRatioBasedSampler(otelTracesRatio)
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

/** Logs when sending begins to fail, and when it works again; more would fill the log. */
function reporting<
  Exporter extends { export(items: never, done: (result: { code: number }) => void): void },
>(exporter: Exporter, signal: string, log: Log): Exporter {
  let isFailing = false
  const send = exporter.export.bind(exporter)
  exporter.export = (items, done) =>
    send(items, (result) => {
      const hasFailed = result.code !== ExportResultCode.SUCCESS
      if (hasFailed && !isFailing) log.warn({ signal }, 'telemetry cannot be sent')
      if (!hasFailed && isFailing) log.info({ signal }, 'telemetry is sent again')
      isFailing = hasFailed
      done(result)
    })
  return exporter
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const

class OpenTelemetryTracer implements Tracer {
  readonly #tracer: OtelTracer
  readonly #contexts = new AsyncLocalStorage<Context>()

  constructor(tracer: OtelTracer) {
    this.#tracer = tracer
  }

  start(name: string, { kind, attributes, parent, links, startedAt }: SpanOptions): Span {
    const context = this.#parentContext(parent)
    const options = {
      kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind],
      ...(attributes !== undefined && { attributes }),
      ...(startedAt !== undefined && { startTime: startedAt }),
      ...(links !== undefined && { links: links.flatMap(toLink) }),
    }
    const span = this.#tracer.startSpan(name, options, context)
    const inside = trace.setSpan(context, span)
    return {
      set(more) {
        span.setAttributes(more)
      },
      fail(errorType) {
        span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR })
      },
      run: (work) => this.#contexts.run(inside, work),
      end: () => span.end(),
    }
  }

  active() {
    const span = trace.getSpanContext(this.#contexts.getStore() ?? ROOT_CONTEXT)
    if (span === undefined) return undefined
    const { traceId, spanId } = span
    const flags = (span.traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01'
    return { traceId, spanId, traceParent: `00-${traceId}-${spanId}-${flags}` }
  }

  #parentContext(parent: string | null | undefined): Context {
    if (parent === undefined) return this.#contexts.getStore() ?? ROOT_CONTEXT
    const remote = parent === null ? null : parseTraceParent(parent)
    if (remote === null) return ROOT_CONTEXT
    return trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true })
  }
}

function toLink(traceParent: string): Link[] {
  const context = parseTraceParent(traceParent)
  return context === null ? [] : [{ context }]
}
