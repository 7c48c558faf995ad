/** What a span may say: names, counts and codes, never ids of people or values. */
export type SpanAttributes = Record<string, string | number | boolean>

export interface SpanOptions {
  kind?: 'server' | 'client' | 'consumer'
  attributes?: SpanAttributes
  /**
   * A W3C `traceparent` that the span continues, in place of the span that is open here; null
   * begins a trace.
   */
  parent?: string | null | undefined
  /** Of others that it works for, too. */
  links?: readonly string[]
  /** When it began, in milliseconds since 1970, if that is over. */
  startedAt?: number
}

/** Part of a trace. */
export interface Span {
  set(attributes: SpanAttributes): void
  /** Says that it failed and, by a class or code, why; never a message, which may quote a value. */
  fail(errorType: string): void
  /** What runs inside it belongs to it. */
  run<Result>(work: () => Result): Result
  end(): void
}

/** What makes spans; open-telemetry.ts is the one there is. */
export interface Tracer {
  start(name: string, options: SpanOptions): Span
  /** The span that is open here, as others can continue it. */
  active(): { traceId: string; spanId: string; traceParent: string } | undefined
}

/** Of the process. Without one, spans cost a comparison. */
let tracer: Tracer | undefined

/** Makes it the tracer of the process; undefined takes it away. */
export function useTracer(next: Tracer | undefined): void {
  tracer = next
}

/** Whether spans are worth preparing: without a tracer each of them comes to nothing. */
export const isTracing = (): boolean => tracer !== undefined

/** Starts a span that the caller ends; undefined where nothing is traced. */
export function startSpan(name: string, options: SpanOptions): Span | undefined {
  return tracer?.start(name, options)
}

/**
 * As startSpan, but only inside another span: what runs by itself all the time makes no traces of
 * its own.
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

/** The open span as a W3C `traceparent`, to be kept beside what continues it later. */
export const currentTraceParent = (): string | undefined => tracer?.active()?.traceParent

/** What ties a line of the log to its trace. */
export function currentTraceIds(): { trace_id: string; span_id: string } | undefined {
  const active = tracer?.active()
  return active && { trace_id: active.traceId, span_id: active.spanId }
}

/** The code of an error, or its class: the words in which it may quote a value stay out. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' || typeof code === 'number' ? String(code) : error.name
}
