import type { OpenTelemetry } from './open-telemetry.ts'
import type { TelemetryConfig } from './telemetry-settings.ts'
import { useTracer } from './tracing.ts'

type Options = Parameters<typeof import('./open-telemetry.ts').openTelemetry>[0]

const isWanted = (config: TelemetryConfig): boolean =>
  !config.otelDisabled &&
  [config.otlpEndpoint, config.otlpTracesEndpoint, config.otlpMetricsEndpoint].some(Boolean)

/** Starts to trace this process, and loads the code for it, where a setting names a receiver. */
export async function startTelemetry(
  options: Options,
): Promise<Pick<OpenTelemetry, 'sendMetrics' | 'close'> | undefined> {
  if (!isWanted(options.config)) return undefined
  const { openTelemetry } = await import('./open-telemetry.ts')
  const { tracer, sendMetrics, close } = openTelemetry(options)
  useTracer(tracer)
  return {
    sendMetrics,
    close() {
      useTracer(undefined)
      return close()
    },
  }
}
