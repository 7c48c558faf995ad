import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isTracing, type Span, startSpan } from '../telemetry/tracing.ts'

/** Paths of probes, which are requested so often that they would fill the traces. */
const UNTRACED = new Set(['/health/live', '/healthz', '/health/ready', '/readyz', '/metrics'])

/**
 * Creates a span for each request, named by route pattern as in the log, which continues the
 * caller's `traceparent`. Call it before any other hooks are added, so that their work belongs to
 * the span.
 */
export function registerRequestTracing(app: FastifyInstance): void {
  if (!isTracing()) return
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url
    if (route !== undefined && UNTRACED.has(route)) return done()
    const { traceparent } = request.headers
    const span = startSpan(route === undefined ? request.method : `${request.method} ${route}`, {
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : null,
      attributes: {
        'http.request.method': request.method,
        ...(route !== undefined && { 'http.route': route }),
      },
    })
    if (span === undefined) return done()
    spans.set(request, span)
    span.run(done)
  })
  // The body arrives outside of the context of that hook.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else span.run(done)
  })
  app.addHook('onError', async (request, _reply, error) => {
    spans.get(request)?.set({ 'error.type': error.code ?? error.name })
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    if (span === undefined) return done()
    const { statusCode } = reply
    span.set({ 'http.response.status_code': statusCode })
    if (statusCode >= 500) span.fail(String(statusCode))
    span.end()
    // The log line gets the ids of the trace.
    span.run(done)
  })
}
