import { parentPort } from 'node:worker_threads'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import type { DocsFiles } from './docs-pages.ts'

// Answers the two requests of the documentation page, returns both answers and ends. The package
// takes 50 MB once it is loaded, which are freed with this thread.

const app = Fastify()
await app.register(scalar, {
  routePrefix: '/docs',
  configuration: {
    url: '/openapi.json',
    pageTitle: 'Salus API',
    favicon: '/favicon.svg',
    // The page must work on a machine without internet, and contact no other server.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
  },
})
const page = await app.inject('/docs/')
const script = await app.inject('/docs/js/scalar.js')
const files: DocsFiles = { page: page.body, script: script.body }
parentPort?.postMessage(files)
