import { hash } from 'node:crypto'
import type { App } from './app-types.ts'

/**
 * Whether `If-None-Match` has the tag of the present answer, or `*`. Tags are compared weakly (RFC
 * 9110, section 13.1.2).
 */
export function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const plain = (text: string): string => text.trim().replace(/^W\//, '')
  return header.split(',').some((one) => plain(one) === '*' || plain(one) === plain(tag))
}

/**
 * Gives answers of routes with `hasBodyTag` an ETag, a hash of their body, and answers 304 to a
 * client that sends it. That saves the transfer, not the work. Register it before the compression,
 * so that the tag is of the content.
 */
export function registerBodyTags(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isTagged = reply.statusCode === 200 && request.routeOptions.config.hasBodyTag
    if (!isTagged || !(typeof payload === 'string' || Buffer.isBuffer(payload))) {
      return done(null, payload)
    }
    const tag = `W/"${hash('sha256', payload, 'base64url').slice(0, 32)}"`
    reply.header('etag', tag)
    if (!hasTag(request.headers['if-none-match'], tag)) return done(null, payload)
    reply.removeHeader('content-type').removeHeader('content-length').code(304)
    done(null, null)
  })
}
