import Type from 'typebox'
import { TextEnum } from '../schema-types.ts'
import { PROVIDER_OR_LAB_SLUGS, type Provider } from './provider.registry.ts'

/** Reference to a provider in other objects (docs/contract/02-users.md#connectedsource). */
export const ProviderRef = Type.Object(
  {
    name: Type.String(),
    slug: Type.String(),
    logo: Type.String({ description: 'URL of an image.' }),
  },
  { title: 'ProviderRef' },
)
export type ProviderRef = Type.Static<typeof ProviderRef>

/** Query parameter that restricts a read to one provider; when missing or empty, all are read. */
export const ProviderFilter = (description: string) =>
  TextEnum(['', ...PROVIDER_OR_LAB_SLUGS], { default: '', description })

/** Returns the URL of a provider's logo, served by this deployment. */
export function logoUrl(baseUrl: string, slug: string): string {
  return `${baseUrl}/assets/providers/${slug}.svg`
}

/** Converts a provider to its reference in answers; `baseUrl` is the address of the logo. */
export function toProviderRef(baseUrl: string, provider: Provider): ProviderRef {
  return { name: provider.name, slug: provider.slug, logo: logoUrl(baseUrl, provider.slug) }
}
