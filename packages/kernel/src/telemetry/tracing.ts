/** Attributes of a span: names, counts and codes, never ids of users or values. */
export type SpanAttributes = Record<string, string | number | boolean>

export interface SpanOptions {
  kind?: 'server' | 'client' | 'consumer'
  attributes?: SpanAttributes
  /** A W3C `traceparent` that the span continues, instead of the open span; null begins a trace. */
  parent?: string | null | undefined
  /** Other spans for which it also works. */
  links?: readonly string[]
  /** Start in milliseconds since 1970, if that is in the past. */
  startedAt?: number
}

/** Part of a trace. */
export interface Span {
  set(attributes: SpanAttributes): void
  /** Marks it as failed with a class or code; never with a message, which may quote a value. */
  fail(errorType: string): void
  /** Runs work that belongs to the span. */
  run<Result>(work: () => Result): Result
  end(): void
}

/** Creates spans; open-telemetry.ts is the only implementation. */
export interface Tracer {
  start(name: string, options: SpanOptions): Span
  /** The open span, in the form that others can continue. */
  active(): { traceId: string; spanId: string; traceParent: string } | undefined
}

/** The tracer of the process. Without one, spans cost a comparison. */
let tracer: Tracer | undefined

/** Sets the tracer of the process; undefined removes it. */
export function useTracer(next: Tracer | undefined): void {
  tracer = next
}

/** Whether spans are worth preparing: without a tracer each of them is dropped. */
export const isTracing = (): boolean => tracer !== undefined

/** Starts a span that the caller ends; undefined where nothing is traced. */
export function startSpan(name: string, options: SpanOptions): Span | undefined {
  return tracer?.start(name, options)
}

/**
 * Starts a span as startSpan does, but only inside another one: work that runs by itself all the
 * time creates no traces of its own.
 */
export function startInnerSpan(name: string, options: SpanOptions): Span | undefined {
  return tracer?.active() && tracer.start(name, options)
}

/** Does work in a span, which ends with it. */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, options)
  return span === undefined ? work(undefined) : finish(span, () => work(span))
}

/** Waits for work inside a span and ends the span. */
export async function finish<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await span.run(work)
  } catch (error) {
    span.fail(errorTypeOf(error))
    throw error
  } finally {
    span.end()
  }
}

/**
 * Returns the open span as a W3C `traceparent`, to be stored with the work that continues it later.
 */
export const currentTraceParent = (): string | undefined => tracer?.active()?.traceParent

/** Returns the ids that connect a line of the log to its trace. */
export function currentTraceIds(): { trace_id: string; span_id: string } | undefined {
  const active = tracer?.active()
  return active && { trace_id: active.traceId, span_id: active.spanId }
}

/** Returns the code of an error, or its class, without its message, which may quote a value. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' || typeof code === 'number' ? String(code) : error.name
}
