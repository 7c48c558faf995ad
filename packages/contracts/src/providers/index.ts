export {
  type AuthType,
  findProvider,
  PROVIDER_OR_LAB_SLUGS,
  PROVIDER_SLUGS,
  PROVIDERS,
  type Provider,
  providerNumber,
  SDK_PROVIDER_SLUGS,
} from './provider.registry.ts'
export { logoUrl, ProviderFilter, ProviderRef, toProviderRef } from './provider.schema.ts'
export { toSource } from './sample-source.ts'
