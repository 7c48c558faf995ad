import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { registerAccountPage } from './account-page.ts'
import { html, PAGE, sendPage } from './pages.ts'
import { registerPushAddresses } from './push-addresses.ts'
import type { VendorContext } from './vendor.ts'
import { VENDORS } from './vendors.registry.ts'
import { registerWebhookReceiver } from './webhook-receiver.ts'

/** Path of the providers below a base URL. */
export const SANDBOX_PATH = '/sandbox/providers'

/** Requests that came through the server that browsers reach. */
export const publicRequests = new WeakSet<IncomingMessage>()

const MOST_BODY_BYTES = 64 * 1024

/** Builds the server that answers for all providers. */
export function buildServer(
  contexts: ReadonlyMap<string, VendorContext>,
  onError?: (error: Error) => void,
): FastifyInstance {
  const app = Fastify({
    bodyLimit: MOST_BODY_BYTES,
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
  })
  // Clients also send the content type with empty bodies.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, body: string | Buffer) =>
      body === '' ? undefined : JSON.parse(String(body)),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string | Buffer) => readForm(String(body)),
  )
  app.setErrorHandler((error: { statusCode?: number } & Error, _request, reply) => {
    const status = error instanceof SyntaxError ? 400 : (error.statusCode ?? 503)
    if (status >= 500) onError?.(error)
    return reply.status(status).send({ status, title: 'Error', detail: 'The request failed.' })
  })
  app.setNotFoundHandler((_request, reply) =>
    reply.status(404).send({ status: 404, title: 'Not Found', detail: 'There is nothing here.' }),
  )
  app.addHook('onRequest', (request, reply, done) => {
    const { isPage } = request.routeOptions.config
    if (isPage || !publicRequests.has(request.raw)) done()
    else reply.callNotFound()
  })
  app.get(SANDBOX_PATH, PAGE, (request, reply) => sendIndex(request, reply))
  registerWebhookReceiver(app)
  for (const vendor of VENDORS) {
    const context = contexts.get(vendor.slug) as VendorContext
    const prefix = `${SANDBOX_PATH}/${vendor.slug}`
    app.register(
      async (scope) => {
        registerAccountPage(scope, vendor, context)
        registerPushAddresses(scope, context)
        vendor.register(scope, context)
      },
      { prefix },
    )
  }
  return app
}

function sendIndex(request: FastifyRequest, reply: FastifyReply) {
  // Links are relative, because the base URL is not known here.
  const [path = ''] = request.url.split('?')
  const base = path.endsWith('/') ? '' : `${SANDBOX_PATH.split('/').at(-1)}/`
  const items = VENDORS.map(
    ({
      name,
      slug,
    }) => html`<li><a href="${base}${slug}/account">${name}</a> <code>${slug}</code></li>
`,
  )
  const body = html`<p>In a sandbox these vendors are played by emulators. Link one of them to a user of a sandbox to see it work;
here people see their accounts, end the access of apps, and have things go wrong.</p>
<ul>
${items}</ul>`
  return sendPage(reply, { title: 'Emulated vendors', vendor: 'vendors', body })
}

/** Reads a form; a repeated name becomes a list. */
function readForm(text: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}
