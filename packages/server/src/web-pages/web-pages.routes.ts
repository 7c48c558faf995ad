import { notFound } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import type { Logger } from '@salus/kernel/log'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import Type from 'typebox'
import { ASSET_TYPES, type BuiltFile, readBuiltFiles } from './built-files.ts'

/** Paths of pages, each with its built page. */
const PAGES = {
  '/link': 'link',
  '/link/done': 'link',
  '/me': 'me',
  '/console': 'console',
  // The page itself selects the view for a path.
  '/console/*': 'console',
} as const

/**
 * Everything comes from this deployment, except the logo of a team, which can be on any server. No
 * page may be shown inside another page, because passwords are entered here.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The console shows what it requested with a credential, such as the picture of a report, as a
  // blob.
  "img-src 'self' blob: https:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The name of an asset is derived from its content. */
const FOR_EVER = 'public, max-age=31536000, immutable'
/** The name of the script for pages of other sites stays when its content changes. */
const AN_HOUR = 'public, max-age=3600'

/** @param options.pagesFolder Folder of the built pages; by default that of `npm ci`. */
export function registerWebPages(
  app: App,
  { log, pagesFolder }: { log: Logger; pagesFolder?: string },
): void {
  const files = readBuiltFiles(pagesFolder)
  if (files === undefined) {
    log.warn(
      'The pages are not built, and /link, /me and /console answer 404. "npm run prepare" builds it.',
    )
  }
  for (const [path, name] of Object.entries(PAGES)) {
    const options = { schema: { hide: true }, config: { produces: ['text/html'] } }
    app.get(path, options, async (request, reply) => {
      const page = files?.pages.get(name)
      if (page === undefined) throw notFound('Page')
      forbidLeaks(reply)
      // Otherwise the browser separates a pop-up from the page that opened it, and no outcome can
      // be reported. What it reports, and to whom, is up to the page.
      if (name === 'link') reply.header('cross-origin-opener-policy', 'unsafe-none')
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache')
      return page.replace('<base href="./"', `<base href="${wayUp(request.url)}"`)
    })
  }

  const schema = { hide: true, params: Type.Object({ file: Type.String() }) }
  const produces = Object.values(ASSET_TYPES).map((type) => type.split(';')[0] ?? type)
  app.get('/assets/web/:file', { schema, config: { produces } }, async (request, reply) => {
    const file = files?.assets.get(request.params.file)
    if (file === undefined) throw notFound('File')
    return sendFile(request, reply.header('cache-control', FOR_EVER), file)
  })

  const ofScript = { schema: { hide: true }, config: { produces } }
  app.get('/assets/link.js', ofScript, async (request, reply) => {
    const popup = files?.popup
    if (popup === undefined) throw notFound('File')
    // Pages of other sites load it, with `integrity` or without; it is the same for everyone.
    reply.header('cross-origin-resource-policy', 'cross-origin')
    reply.header('access-control-allow-origin', '*')
    reply.header('cache-control', AN_HOUR).header('etag', popup.etag)
    if (request.headers['if-none-match']?.includes(popup.etag)) return reply.code(304).send()
    return sendFile(request, reply, popup)
  })
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile) {
  reply.type(file.type).header('vary', 'accept-encoding')
  const isCompressed = new Negotiator(request.raw).encoding(['gzip', 'identity']) === 'gzip'
  if (!isCompressed) return file.bytes
  reply.header('content-encoding', 'gzip')
  return file.gzipped()
}

/**
 * Returns the relative path from a URL to that of the deployment, which may itself be below a path
 * that a proxy removes. So every URL in a page is relative.
 */
function wayUp(url: string): string {
  const path = url.split('?')[0] ?? '/'
  return '../'.repeat(path.split('/').length - 2) || './'
}

/** Keeps the URL of a page, which may contain a token, from other servers. */
function forbidLeaks(reply: FastifyReply): void {
  reply.header('content-security-policy', CONTENT_SECURITY_POLICY)
  reply.header('referrer-policy', 'no-referrer')
  reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=()')
}
