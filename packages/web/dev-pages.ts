import { readFile } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'

/** Addresses of pages, and the file that each is; the server has the same (web-pages.routes.ts). */
const PAGES: [address: RegExp, file: string][] = [
  [/^\/link(\/done)?$/, 'link.html'],
  [/^\/me$/, 'me.html'],
  [/^\/console(\/.*)?$/, 'console.html'],
]

/** What the pages load while they are developed: modules, packages and the client of Vite. */
const MODULES = /^\/(@[\w-]+|src|node_modules)(\/|$)/

export interface DevPages {
  /** Whether a page, or a part of one, has the address. */
  has(request: IncomingMessage): boolean
  serve(request: IncomingMessage, response: ServerResponse): void
  close(): Promise<void>
}

/**
 * Serves the pages from their sources, with hot module replacement over the connections of the
 * server. They come without a content security policy: the client of Vite writes styles and a
 * script into them.
 */
export async function openDevPages(server: Server): Promise<DevPages> {
  const vite = await createServer({
    configFile: join(import.meta.dirname, 'vite.config.ts'),
    plugins: [react()],
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server } },
  })
  const pageOf = (path: string) => PAGES.find(([address]) => address.test(path))?.[1]
  const writePage = async (url: string, file: string, response: ServerResponse) => {
    const text = await readFile(join(import.meta.dirname, file), 'utf8')
    const page = await vite.transformIndexHtml(
      url,
      text.replace('<base href="./"', '<base href="/"'),
    )
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  }
  return {
    has({ method, url = '/' }) {
      const path = pathOf(url)
      return method === 'GET' && (MODULES.test(path) || pageOf(path) !== undefined)
    },
    serve(request, response) {
      const url = request.url ?? '/'
      const fail = (error: unknown) => void response.writeHead(500).end(String(error))
      const page = pageOf(pathOf(url))
      if (page !== undefined) writePage(url, page, response).catch(fail)
      else vite.middlewares(request, response, () => void response.writeHead(404).end())
    },
    close: () => vite.close(),
  }
}

const pathOf = (url: string): string => url.split('?')[0] ?? '/'
