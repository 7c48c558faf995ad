import { gunzipSync } from 'node:zlib'
import { openHttpSink, type SinkOwner } from '../local-sink.ts'
import { type Field, readFields } from './protobuf.ts'

/** A span as it arrived; ids in hexadecimal. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentId: string
  name: string
  kind: number
  attributes: Record<string, unknown>
  /** Of the spans it is linked to. */
  links: string[]
  milliseconds: number
  hasFailed: boolean
}

export interface ReceivedPoint {
  attributes: Record<string, unknown>
  /** Of a sum or gauge. */
  value?: number
  /** Of a histogram. */
  count?: number
  buckets?: number[]
  bounds?: number[]
}

export interface OtlpReceiver {
  url: string
  spans: ReceivedSpan[]
  /** The latest points of each metric. */
  metrics: Map<string, ReceivedPoint[]>
  /** Of the process that sends. */
  resource: Record<string, unknown>
  headers: Record<string, unknown>[]
  /** Everything that arrived, as it came. */
  bytes(): Buffer
}

/**
 * A receiver of OTLP over HTTP that reads the wire format by the field numbers of its
 * specification.
 */
export async function openOtlpReceiver(owner: SinkOwner): Promise<OtlpReceiver> {
  const bodies: Buffer[] = []
  const received: Omit<OtlpReceiver, 'url' | 'bytes'> = {
    spans: [],
    metrics: new Map(),
    resource: {},
    headers: [],
  }
  const sink = await openHttpSink(owner, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks)
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
    bodies.push(body)
    received.headers.push(request.headers)
    if (request.url === '/v1/traces') readTraces(body, received)
    else if (request.url === '/v1/metrics') readMetrics(body, received)
    else response.statusCode = 404
    response.setHeader('content-type', 'application/x-protobuf').end()
  })
  return { ...received, url: sink.url, bytes: () => Buffer.concat(bodies) }
}

type Target = Pick<OtlpReceiver, 'spans' | 'metrics' | 'resource'>

const all = (fields: Field[], number: number): Field[] =>
  fields.filter((field) => field.number === number)
const inside = (fields: Field[], number: number): Field[][] =>
  all(fields, number).map(({ bytes }) => readFields(bytes))
const one = (fields: Field[], number: number): Field | undefined => all(fields, number)[0]
const text = (fields: Field[], number: number): string =>
  one(fields, number)?.bytes.toString('utf8') ?? ''
const hex = (fields: Field[], number: number): string =>
  one(fields, number)?.bytes.toString('hex') ?? ''

function readAttributes(fields: Field[], number: number): Record<string, unknown> {
  const pairs = inside(fields, number).map((pair) => {
    const [value = []] = inside(pair, 2)
    const [field] = value
    // 1 string, 2 boolean, 3 integer, 4 double
    const read = { 1: () => text(value, 1), 2: () => field?.integer === 1n }
    const other = () => (field?.number === 4 ? field.double : Number(field?.integer))
    return [text(pair, 1), (read[field?.number as 1 | 2] ?? other)()]
  })
  return Object.fromEntries(pairs)
}

function readTraces(body: Buffer, target: Target): void {
  for (const resourceSpans of inside(readFields(body), 1)) {
    Object.assign(target.resource, readAttributes(inside(resourceSpans, 1)[0] ?? [], 1))
    for (const span of inside(resourceSpans, 2).flatMap((scope) => inside(scope, 2))) {
      const [start = 0n, end = 0n] = [one(span, 7)?.integer, one(span, 8)?.integer]
      const [status = []] = inside(span, 15)
      target.spans.push({
        traceId: hex(span, 1),
        spanId: hex(span, 2),
        parentId: hex(span, 4),
        name: text(span, 5),
        kind: Number(one(span, 6)?.integer),
        attributes: readAttributes(span, 9),
        links: inside(span, 13).map((link) => hex(link, 2)),
        milliseconds: Number(end - start) / 1e6,
        hasFailed: one(status, 3)?.integer === 2n,
      })
    }
  }
}

function readMetrics(body: Buffer, target: Target): void {
  for (const resourceMetrics of inside(readFields(body), 1)) {
    for (const metric of inside(resourceMetrics, 2).flatMap((scope) => inside(scope, 2))) {
      // 5 gauge, 7 sum, 9 histogram; all have their points first
      const points = [5, 7]
        .flatMap((kind) => inside(metric, kind))
        .flatMap((kind) => inside(kind, 1))
      const spreads = inside(metric, 9).flatMap((kind) => inside(kind, 1))
      target.metrics.set(text(metric, 1), [
        ...points.map((point) => ({
          attributes: readAttributes(point, 7),
          value: one(point, 4)?.double ?? Number(one(point, 6)?.integer),
        })),
        ...spreads.map((point) => ({
          attributes: readAttributes(point, 9),
          count: Number(one(point, 4)?.integer),
          buckets: eights(one(point, 6), (bytes, at) => Number(bytes.readBigUInt64LE(at))),
          bounds: eights(one(point, 7), (bytes, at) => bytes.readDoubleLE(at)),
        })),
      ])
    }
  }
}

/** Packed numbers of eight bytes. */
function eights(field: Field | undefined, read: (bytes: Buffer, at: number) => number): number[] {
  const bytes = field?.bytes ?? Buffer.alloc(0)
  return Array.from({ length: bytes.length / 8 }, (_, index) => read(bytes, index * 8))
}
