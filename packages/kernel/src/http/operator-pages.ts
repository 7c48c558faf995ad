import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashKey } from '../crypto/keys.ts'
import { AppError } from '../errors.ts'
import { boolean, matching, networks, setting } from '../settings.ts'

const pageKey = (name: string) =>
  matching(
    name,
    /^[\x21-\x39\x3b-\x7e]{16,}$/,
    'be 16 characters or more, without spaces and colons',
  )

export const PAGE_SETTINGS = {
  metricsOffered: setting(
    'SALUS_METRICS',
    'Serves /metrics.',
    'true',
    boolean('SALUS_METRICS', true),
  ),
  metricsKey: setting(
    'SALUS_METRICS_KEY',
    'Key for /metrics, sent as a bearer token or as the password of any user; without it only this machine and SALUS_METRICS_ADDRESSES may read /metrics.',
    '',
    pageKey('SALUS_METRICS_KEY'),
  ),
  metricsAddresses: setting(
    'SALUS_METRICS_ADDRESSES',
    'Addresses and networks, comma-separated, that may read /metrics without a key, such as those of Prometheus.',
    '',
    networks('SALUS_METRICS_ADDRESSES'),
  ),
  docsOffered: setting(
    'SALUS_DOCS',
    'Serves /docs and /openapi.json.',
    'true',
    boolean('SALUS_DOCS', true),
  ),
  docsKey: setting(
    'SALUS_DOCS_KEY',
    'Key for /docs and /openapi.json, sent like SALUS_METRICS_KEY; browsers prompt for it.',
    '',
    pageKey('SALUS_DOCS_KEY'),
  ),
}

/** Returns the hooks of a page: none where it is open, else one that checks its key. */
export function protectPage(key: string | undefined): {
  onRequest?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
} {
  if (key === undefined) return {}
  const expected = hashKey(key)
  return {
    async onRequest(request, reply) {
      const given = readKey(request.headers.authorization)
      if (given !== undefined && timingSafeEqual(hashKey(given), expected)) return
      // A browser then prompts for a user and a password.
      reply.header('www-authenticate', 'Basic realm="Salus", charset="UTF-8"')
      throw new AppError(401, 'invalid_api_key', 'This page needs a key.')
    },
  }
}

/** Returns the bearer token, or the password that a browser sends. */
function readKey(authorization = ''): string | undefined {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+)$/i.exec(authorization) ?? []
  if (scheme.toLowerCase() === 'bearer') return value
  return /:(.*)$/s.exec(Buffer.from(value, 'base64').toString())?.[1]
}
