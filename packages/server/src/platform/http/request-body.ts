import { pipeline, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { checkParsedJson, JSON_LIMITS } from './json-limits.ts'
import { parseLargeJson } from './large-json.ts'

/** Most bytes of a body, after decompression, unless a route says otherwise. */
export const DEFAULT_BODY_LIMIT = 1024 ** 2

/** Most bytes of an upload of samples, after decompression (contract 01, section 1). */
export const UPLOAD_BODY_LIMIT = 50 * 1024 ** 2

/**
 * A body up to this length is quickly parsed whatever is in it; checking the values afterwards costs
 * less than scanning the text before.
 */
const LARGE_BODY_BYTES = 256 * 1024

/** Real data shrink to a tenth; what shrinks more than this is made to exhaust. */
const MOST_INFLATION = 200
/** From so many bytes on the ratio is judged. */
const INFLATION_FROM = 1024 ** 2

const INFLATED_TOO_MUCH = new AppError(
  413,
  'compression_ratio_too_high',
  'The body is more than 200 times as long as its gzip. Send it uncompressed or in parts.',
)

/**
 * Accepts gzip request bodies on every route and JSON bodies that are empty (clients send the
 * content type on a DELETE too). The framework counts decompressed bytes against the body limit.
 */
export function registerRequestBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async (request, _reply, payload) => {
    const encoding = request.headers['content-encoding']?.toLowerCase()
    if (encoding === undefined || encoding === 'identity') return payload
    if (encoding !== 'gzip' && encoding !== 'x-gzip') {
      throw new AppError(
        415,
        'unsupported_content_encoding',
        'Only gzip is accepted as Content-Encoding.',
      )
    }
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        inflated.receivedEncodedLength += chunk.length
        done(null, chunk)
      },
    })
    const gunzip = createGunzip()
    let bytes = 0
    const judged = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        const most = Math.max(INFLATION_FROM, inflated.receivedEncodedLength * MOST_INFLATION)
        if (bytes > most) done(INFLATED_TOO_MUCH)
        else done(null, chunk)
      },
    })
    const inflated = Object.assign(judged, { receivedEncodedLength: 0 })
    // What goes wrong on the way is told by the stream that the framework reads.
    pipeline(payload, counted, gunzip, inflated, () => {})
    return inflated
  })

  const parseDefault = app.getDefaultJsonParser('error', 'error')
  // The framework would take plain text as a body too; no endpoint does.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      if (bytes.length === 0) return undefined
      const parse = (text: string): unknown => {
        let value: unknown
        // It calls back before it returns.
        void parseDefault(request, text, (error, parsed) => {
          if (error) throw error
          value = parsed
        })
        return value
      }
      const limits = request.routeOptions.config.jsonLimits ?? JSON_LIMITS
      if (bytes.length > LARGE_BODY_BYTES) return parseLargeJson(bytes, parse, { limits })
      const value = parse(bytes.toString())
      checkParsedJson(value, limits)
      return value
    },
  )
}
