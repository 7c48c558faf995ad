import Type from 'typebox'
import { TextEnum } from '../schema-types.ts'
import { PROVIDER_OR_LAB_SLUGS, type Provider } from './provider.registry.ts'

/** A provider as other objects name it (docs/contract/02-users.md#connectedsource). */
export const ProviderRef = Type.Object(
  {
    name: Type.String(),
    slug: Type.String(),
    logo: Type.String({ description: 'URL of an image.' }),
  },
  { title: 'ProviderRef' },
)
export type ProviderRef = Type.Static<typeof ProviderRef>

/**
 * The query parameter that narrows a read to one provider of data; without it, or empty, it is all.
 */
export const ProviderFilter = (description: string) =>
  TextEnum(['', ...PROVIDER_OR_LAB_SLUGS], { default: '', description })

/** URL of a provider's logo, served by this deployment. */
export function logoUrl(baseUrl: string, slug: string): string {
  return `${baseUrl}/assets/providers/${slug}.svg`
}

/** How a provider is named in answers; `baseUrl` is where its logo is. */
export function toProviderRef(baseUrl: string, provider: Provider): ProviderRef {
  return { name: provider.name, slug: provider.slug, logo: logoUrl(baseUrl, provider.slug) }
}
