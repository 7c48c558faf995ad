import { Transform } from 'node:stream'
import { constants, createGunzip, createZstdDecompress } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { checkParsedJson, JSON_LIMITS } from './json-limits.ts'
import { parseLargeJson } from './large-json.ts'

/** Maximum number of bytes of a body after decompression, unless a route sets its own. */
export const DEFAULT_BODY_LIMIT = 1024 ** 2

/**
 * Maximum number of bytes of an upload of samples after decompression
 * (docs/contract/01-conventions.md#base-rules).
 */
export const UPLOAD_BODY_LIMIT = 50 * 1024 ** 2

/**
 * A body up to this length is parsed quickly whatever it contains; checking the values afterwards
 * costs less than scanning the text before.
 */
const LARGE_BODY_BYTES = 256 * 1024

/** Largest window of zstd, 8 MiB, which levels up to 19 keep to: it is memory of a request. */
const ZSTD_WINDOW_LOG = 23
const ZSTD_OPTIONS = { params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }

const ONLY_GZIP = new AppError(
  415,
  'unsupported_content_encoding',
  'Only gzip is supported as Content-Encoding.',
)
const ONLY_GZIP_OR_ZSTD = new AppError(
  415,
  'unsupported_content_encoding',
  'Only gzip and zstd are supported as Content-Encoding.',
)

/**
 * Accepts gzip request bodies on every route and JSON bodies that are empty (clients send the
 * content type on a DELETE too). The framework counts decompressed bytes against the body limit.
 */
export function registerRequestBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async (request, _reply, payload) => {
    const encoding = request.headers['content-encoding']?.toLowerCase()
    if (encoding === undefined || encoding === 'identity') return payload
    const takesZstd = request.routeOptions.config.takesZstd === true
    const isZstd = takesZstd && encoding === 'zstd'
    if (!isZstd && encoding !== 'gzip' && encoding !== 'x-gzip') {
      throw takesZstd ? ONLY_GZIP_OR_ZSTD : ONLY_GZIP
    }
    const encodedBytes = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        inflated.receivedEncodedLength += chunk.length
        done(null, chunk)
      },
    })
    const decoder = isZstd ? createZstdDecompress(ZSTD_OPTIONS) : createGunzip()
    payload.on('error', (error) => decoder.destroy(error))
    const inflated = Object.assign(decoder, { receivedEncodedLength: 0 })
    payload.pipe(encodedBytes).pipe(decoder)
    return inflated
  })

  // The framework would accept plain text as a body too; no endpoint does.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  acceptJson(app, 'application/json')
}

/** Accepts bodies of a media type whose content is JSON, within the limits of all routes. */
export function acceptJson(app: FastifyInstance, type: string): void {
  const parseDefault = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser(
    type,
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
      const { jsonLimits: limits = JSON_LIMITS, readJson } = request.routeOptions.config
      const read = await readJson?.(bytes, parse)
      if (read !== undefined) return read
      if (bytes.length > LARGE_BODY_BYTES) return parseLargeJson(bytes, parse, { limits })
      const value = parse(bytes.toString())
      checkParsedJson(value, limits)
      return value
    },
  )
}
