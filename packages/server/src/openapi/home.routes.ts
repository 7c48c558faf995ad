import { readFile } from 'node:fs/promises'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import { VERSION } from '@salus/kernel/version'
import Negotiator from 'negotiator'

const JSON_TYPE = 'application/json'
const HTML_TYPE = 'text/html'
/** Icons change only with a version. */
const A_DAY = 'public, max-age=86400'

const ICONS = { 'favicon.ico': 'image/x-icon', 'favicon.svg': 'image/svg+xml' }
const ICON_FOLDER = new URL('../../data/icon/', import.meta.url)

/**
 * Registers the root path. It redirects a browser to the docs, or to the console without them, and
 * returns the URLs of the service to a program.
 */
export function registerHome(
  app: App,
  { baseUrl: ownUrl, docsOffered }: { baseUrl: string | undefined; docsOffered: boolean },
): void {
  const produces = [JSON_TYPE, HTML_TYPE]
  app.get('/', { schema: { hide: true }, config: { produces } }, async (request, reply) => {
    reply.header('vary', 'accept')
    if (new Negotiator(request.raw).mediaType(produces) === HTML_TYPE)
      return reply.redirect(docsOffered ? '/docs/' : '/console')
    const baseUrl = baseUrlOf(request, ownUrl)
    return {
      name: 'Salus',
      version: VERSION,
      ...(docsOffered && { docs_url: `${baseUrl}/docs`, openapi_url: `${baseUrl}/openapi.json` }),
      health_url: `${baseUrl}/health/ready`,
    }
  })

  for (const [name, type] of Object.entries(ICONS)) {
    const options = { schema: { hide: true }, config: { produces: [type, 'image/*'] } }
    app.get(`/${name}`, options, async (_request, reply) => {
      reply.type(type).header('cache-control', A_DAY)
      return readFile(new URL(name, ICON_FOLDER))
    })
  }
}
