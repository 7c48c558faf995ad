import swagger from '@fastify/swagger'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import { protectPage } from '@salus/kernel/http/operator-pages'
import { VERSION } from '@salus/kernel/version'
import type { FastifyInstance } from 'fastify'
import { registerDocsPages } from './docs-pages.ts'
import type { JsonObject } from './document-parts.ts'

export interface OpenApiOptions {
  config: {
    baseUrl: string | undefined
    aliasesEnabled: boolean
    docsOffered: boolean
    docsKey: string | undefined
  }
}

/** Collects the schemas of routes. Call it before the routes. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Salus',
        version: VERSION,
        description:
          'Salus provides health data from wearables and laboratory ordering through one API.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
    },
    transform: ({ schema, url, route: { config } }) => ({
      schema: {
        ...schema,
        ...(config?.appAccess && { 'x-app-access': true }),
        ...((config?.hasTag || config?.hasBodyTag) && { 'x-tag': true }),
        ...(config?.takesLinkToken && { 'x-link-token': true }),
        ...(config?.takesConsoleSession && { 'x-console-session': true }),
        ...(config?.portalAccess && { 'x-portal-session': true }),
        ...(config?.permissions?.length &&
          !config.portalAccess && { 'x-permissions': config.permissions }),
      },
      url,
    }),
  })
}

/** Registers /openapi.json and the pages to read it and try it. Call it after the routes. */
export function registerDocs(app: FastifyInstance, { config }: OpenApiOptions): void {
  if (!config.docsOffered) return
  const protection = protectPage(config.docsKey)
  // Routes do not change while the process runs. The tables that describe them are loaded with the
  // first request, so that a server without such requests never holds them.
  let document: Promise<(baseUrl: string) => string> | undefined
  const options = { schema: { hide: true }, ...protection }
  app.get('/openapi.json', options, async (request, reply) => {
    document ??= makeDocument(app, config.aliasesEnabled)
    const text = (await document)(baseUrlOf(request, config.baseUrl))
    return reply.type('application/json; charset=utf-8').send(text)
  })
  registerDocsPages(app, protection)
}

/** Placeholder of the server's URL in the cached text. */
const BASE_URL = '{base_url}'

async function makeDocument(
  app: FastifyInstance,
  aliasesEnabled: boolean,
): Promise<(baseUrl: string) => string> {
  const { finishDocument } = await import('./finish-document.ts')
  const plain = JSON.parse(JSON.stringify(app.swagger())) as JsonObject
  const text = JSON.stringify(finishDocument(plain, { baseUrl: BASE_URL, aliasesEnabled }))
  const [head, tail] = text.split(JSON.stringify(BASE_URL)) as [string, string]
  return (baseUrl) => `${head}${JSON.stringify(baseUrl)}${tail}`
}
