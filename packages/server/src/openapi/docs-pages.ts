import { hash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { protectPage } from '@salus/kernel/http/operator-pages'
import type { FastifyInstance } from 'fastify'

/** The page on which the API can be read and tried, and its script. */
export interface DocsFiles {
  page: string
  script: string
}

/**
 * Returns the content security policy of the page. Everything comes from this server. Styles are
 * inline, and so are the few lines that start the page, which are identified by their hashes: the
 * page has the origin of the console, and no other script may run there.
 */
function policyOf(page: string): string {
  const inline = [...page.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].flatMap(([, text]) =>
    text ? [`'sha256-${hash('sha256', text, 'base64')}'`] : [],
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Registers /docs/ and its script, which are created with the first request for either. */
export function registerDocsPages(
  app: FastifyInstance,
  protection: ReturnType<typeof protectPage>,
): void {
  let files: Promise<DocsFiles> | undefined
  const schema = { hide: true }
  const page = { schema, config: { produces: ['text/html'] }, ...protection }
  app.get('/docs/', page, async (request, reply) => {
    // The page refers to its script by a relative path.
    if (/^\/docs(?:\?|$)/.test(request.url)) return reply.redirect('/docs/', 301)
    files ??= makeDocsFiles()
    const { page: text } = await files
    reply.header('content-security-policy', policyOf(text))
    return reply.type('text/html; charset=utf-8').send(text)
  })
  const produces = ['text/javascript', 'application/javascript']
  const script = { schema, config: { produces }, ...protection }
  app.get('/docs/js/scalar.js', script, async (_request, reply) => {
    files ??= makeDocsFiles()
    return reply.type('application/javascript; charset=utf-8').send((await files).script)
  })
}

async function makeDocsFiles(): Promise<DocsFiles> {
  const worker = new Worker(new URL('./docs-pages.worker.ts', import.meta.url))
  const [files] = await once(worker, 'message')
  return files
}
