import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { findProvider, PROVIDERS } from '@salus/contracts/providers'
import Fastify from 'fastify'
import { registerProviderLogos } from './provider-logos.routes.ts'
import { PROVIDER_TILES } from './provider-tiles.registry.ts'

const FOLDER = new URL('../../data/provider-logos/', import.meta.url)

test('every provider has a logo with its name, and a page of another origin may show it', async () => {
  const app = Fastify().withTypeProvider<TypeBoxTypeProvider>()
  registerProviderLogos(app)
  for (const { slug, name } of PROVIDERS) {
    const { statusCode, headers, body } = await app.inject(`/assets/providers/${slug}.svg`)
    assert.equal(statusCode, 200, slug)
    assert.equal(headers['content-type'], 'image/svg+xml')
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    assert.ok(body.includes(`<title>${name}</title>`), slug)
    assert.match(body, /<path [^>]*d="[Mm][^"]{40,}"\/>|<text [^>]*>[A-Za-z0-9]<\/text>/, slug)
    assert.doesNotMatch(body, /script|href|undefined|NaN/, slug)
  }
  assert.equal((await app.inject('/assets/providers/unknown.svg')).statusCode, 404)
  await app.close()
})

test('tiles are of known providers, and every file is used and named in the notices', () => {
  for (const slug of Object.keys(PROVIDER_TILES)) assert.ok(findProvider(slug), slug)
  const used = new Set(Object.values(PROVIDER_TILES).flatMap(({ file }) => file ?? []))
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.svg'))
  assert.deepEqual(files.map((name) => name.slice(0, -'.svg'.length)).sort(), [...used].sort())
  assert.ok(existsSync(new URL('NOTICE.md', FOLDER)))
  const notice = readFileSync(new URL('NOTICE.md', FOLDER), 'utf8')
  for (const file of files) assert.ok(notice.includes(`\`${file}\``), file)
})
