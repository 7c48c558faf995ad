import { findProvider } from '@salus/contracts/providers'
import { notFound } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'

/**
 * Draws a neutral logo: the provider's initial on a color of its own. Real logos are trademarks,
 * which an open repository may not contain.
 */
function drawLogo(slug: string, name: string): string {
  const hue = [...slug].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)
  const initial = name.replace(/[^A-Za-z0-9]/g, '').charAt(0)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img"><title>${name}</title><rect width="64" height="64" rx="14" fill="hsl(${hue} 55% 42%)"/><text x="32" y="43" font-family="system-ui,sans-serif" font-size="32" font-weight="600" text-anchor="middle" fill="#fff">${initial}</text></svg>`
}

/**
 * Registers `/assets/providers/SLUG.svg`, without a key.
 * @throws AppError 404 for an unknown provider
 */
export function registerProviderLogos(app: App): void {
  app.get(
    '/assets/providers/:slug.svg',
    {
      schema: { hide: true, params: Type.Object({ slug: Type.String() }) },
      config: { produces: ['image/svg+xml'] },
    },
    async (request, reply) => {
      const provider = findProvider(request.params.slug)
      if (provider === undefined) throw notFound('Provider')
      reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml')
      return drawLogo(provider.slug, provider.name)
    },
  )
}
