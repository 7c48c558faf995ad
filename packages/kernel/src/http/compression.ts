import { pipeline, type Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  constants as zlib,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { isRead } from '../audit/audited-requests.ts'
import { boolean, setting } from '../settings.ts'
import type { App } from './app-types.ts'
import { forbidStoring } from './security-headers.ts'

export const COMPRESSION_SETTINGS = {
  compression: setting(
    'SALUS_COMPRESSION',
    'Whether answers of the API are compressed for clients that accept it. Set it to false where a proxy compresses them.',
    'true',
    boolean('SALUS_COMPRESSION', true),
  ),
}

/** Shorter bodies fit into one packet, so that compressing them saves nothing. */
const LEAST_BYTES = 1_400
/** Up to this size compressing takes less time than handing the work to another thread. */
const MOST_SYNC_BYTES = 32 * 1024

const GZIP = { level: 1 }
const BROTLI = { params: { [zlib.BROTLI_PARAM_QUALITY]: 1 } }
const ZSTD = { params: { [zlib.ZSTD_c_compressionLevel]: 1 } }

interface Encoder {
  sync(body: Buffer): Buffer
  async(body: Buffer): Promise<Buffer>
  /** Sends what it has after each piece, which the source made to be sent. */
  stream(): Transform
}

/** The encodings, the preferred one first. */
const ENCODERS: Readonly<Record<string, Encoder>> = {
  zstd: {
    sync: (body) => zstdCompressSync(body, ZSTD),
    async: (body) => promisify(zstdCompress)(body, ZSTD),
    stream: () => createZstdCompress({ ...ZSTD, flush: zlib.ZSTD_e_flush }),
  },
  br: {
    sync: (body) => brotliCompressSync(body, BROTLI),
    async: (body) => promisify(brotliCompress)(body, BROTLI),
    stream: () => createBrotliCompress({ ...BROTLI, flush: zlib.BROTLI_OPERATION_FLUSH }),
  },
  gzip: {
    sync: (body) => gzipSync(body, GZIP),
    async: (body) => promisify(gzip)(body, GZIP),
    stream: () => createGzip({ ...GZIP, flush: zlib.Z_SYNC_FLUSH }),
  },
}
const PREFERRED = [...Object.keys(ENCODERS), 'identity']

/** Types that compress well. Archives and pictures are compressed already; events must not wait. */
const COMPRESSED_TYPES = /^(?:application\/(?:[\w.-]+\+)?json|application\/javascript)\s*(?:;|$)/

/**
 * Compresses answers for clients that accept it (docs/http.md#compression). Streams stay streams.
 * Answers with secrets, and answers to requests with a cookie, stay uncompressed (BREACH): a site
 * that makes a browser send requests could learn a secret from the sizes of compressed answers.
 */
export function registerCompression(app: App, { config }: { config: { compression: boolean } }) {
  if (!config.compression) return
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!mayCompress(request, reply, payload)) return done(null, payload)
    varyBy(reply, 'accept-encoding')
    if (reply.statusCode === 304) return done(null, payload)
    const encoding = encodingOf(request)
    const encoder = encoding === undefined ? undefined : ENCODERS[encoding]
    if (encoding === undefined || encoder === undefined) return done(null, payload)
    reply.header('content-encoding', encoding).removeHeader('content-length')
    if (isStream(payload)) return done(null, compressStream(payload, encoder))
    const body = Buffer.isBuffer(payload) ? payload : Buffer.from(payload as string)
    if (body.length <= MOST_SYNC_BYTES) return done(null, encoder.sync(body))
    encoder.async(body).then(
      (compressed) => done(null, compressed),
      () => {
        reply.removeHeader('content-encoding')
        done(null, payload)
      },
    )
  })
}

/** Leaves the answers of the routes that are registered on `app` from now on uncompressed. */
export function keepUncompressed(app: App): void {
  app.addHook('onRoute', (route) => {
    route.config = Object.assign(route.config ?? {}, { hasSecrets: true })
  })
}

/** Does so, and forbids caches to store these answers. */
export function keepSecret(app: App): void {
  keepUncompressed(app)
  app.addHook('onRequest', forbidStoring)
}

/** Adds a request header that an answer depends on. */
export function varyBy(reply: FastifyReply, header: string): void {
  const known = reply.getHeader('vary')
  reply.header('vary', known === undefined ? header : `${known}, ${header}`)
}

const isStream = (payload: unknown): payload is Readable =>
  typeof (payload as Readable | null)?.pipe === 'function'

/** Whether the client could get the answer compressed, by everything but what it accepts. */
function mayCompress(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  const { statusCode } = reply
  if (statusCode !== 200 && statusCode !== 304) return false
  const { hasSecrets } = request.routeOptions.config
  if (hasSecrets || request.headers.cookie !== undefined || !isRead(request)) return false
  // It has the headers of the answer that it stands for.
  if (statusCode === 304) return true
  if (reply.hasHeader('content-encoding')) return false
  if (!COMPRESSED_TYPES.test(String(reply.getHeader('content-type')))) return false
  if (isStream(payload)) return true
  if (Buffer.isBuffer(payload)) return payload.length >= LEAST_BYTES
  // A text has at least as many bytes as characters.
  return typeof payload === 'string' && payload.length >= LEAST_BYTES
}

/** The types lack the second parameter. */
interface EncodingNegotiator {
  encoding(available: string[], options: { preferred: string[] }): string | undefined
}

function encodingOf({ headers, raw }: FastifyRequest): string | undefined {
  if (headers['accept-encoding'] === undefined) return undefined
  const negotiator = new Negotiator(raw) as unknown as EncodingNegotiator
  return negotiator.encoding(PREFERRED, { preferred: PREFERRED })
}

/** A failure of either stream ends both, and the connection with them. */
function compressStream(body: Readable, encoder: Encoder): Transform {
  return pipeline(body, encoder.stream(), () => undefined)
}
