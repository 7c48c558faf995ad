import { readFileSync } from 'node:fs'
import { findProvider, type Provider } from '@salus/contracts/providers'
import { notFound } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { PROVIDER_TILES } from './provider-tiles.registry.ts'

const EMBLEMS_FOLDER = new URL('../../data/provider-logos/', import.meta.url)

/** Draws a logo of 64 pixels: the mark of the brand, or the initial of the name. */
function drawLogo({ slug, name }: Provider): string {
  const { color = colorOf(slug), file } = PROVIDER_TILES[slug] ?? {}
  const ink = isLight(color) ? '#1b1b1b' : '#fff'
  const emblem = file === undefined ? drawLetter(name, ink) : drawEmblem(file, ink)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img"><title>${name}</title><rect width="64" height="64" rx="14" fill="${color}"/>${emblem}</svg>`
}

function drawLetter(name: string, ink: string): string {
  const initial = name.replace(/[^A-Za-z0-9]/g, '').charAt(0)
  return `<text x="32" y="43" font-family="system-ui,sans-serif" font-size="32" font-weight="600" text-anchor="middle" fill="${ink}">${initial}</text>`
}

/** Places the one path of a file, which has a square of 24, in the middle of the tile. */
function drawEmblem(file: string, ink: string): string {
  const text = readFileSync(new URL(`${file}.svg`, EMBLEMS_FOLDER), 'utf8')
  const path = /<path d="([^"]+)"/.exec(text)?.[1]
  return `<path transform="translate(13 13) scale(1.5833)" fill="${ink}" d="${path}"/>`
}

/** Returns a color for a provider without one of its own; the same slug has the same. */
function colorOf(slug: string): string {
  const hue = [...slug].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)
  return `hsl(${hue} 55% 42%)`
}

/** Whether white would be hard to read on a color such as `#ffd100`. */
function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = (/^#(..)(..)(..)$/.exec(color)?.slice(1) ?? []).map(
    (part) => Number.parseInt(part, 16),
  )
  return 0.299 * red + 0.587 * green + 0.114 * blue > 170
}

/**
 * Registers `/assets/providers/SLUG.svg`, without a key. Pages of other origins may show it.
 * @throws AppError 404 for an unknown provider
 */
export function registerProviderLogos(app: App): void {
  const logos = new Map<string, string>()
  app.get(
    '/assets/providers/:slug.svg',
    {
      schema: { hide: true, params: Type.Object({ slug: Type.String() }) },
      config: { produces: ['image/svg+xml'] },
    },
    async (request, reply) => {
      const provider = findProvider(request.params.slug)
      if (provider === undefined) throw notFound('Provider')
      const logo = logos.get(provider.slug) ?? drawLogo(provider)
      logos.set(provider.slug, logo)
      reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml')
      reply.header('cross-origin-resource-policy', 'cross-origin')
      return logo
    },
  )
}
