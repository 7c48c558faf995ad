export { missingSettings, resolveApp, withSettings } from './app-settings.ts'
export type {
  Budget,
  Collection,
  Connector,
  ConnectorGuide,
  DetailRequest,
  EmailSignIn,
  HandshakeAnswer,
  NestedAnswer,
  PageContext,
  PageRequest,
  PasswordGiven,
  PasswordSignIn,
  Push,
  PushHandshake,
  PushMessage,
  PushNotice,
  ResolvedApp,
  SignInContext,
  SignInOutcome,
  TimeRange,
  VendorApp,
  VendorTokens,
  Verification,
} from './connector.ts'
export { CONNECTORS, createConnectors } from './connectors.registry.ts'
export {
  type Connectors,
  createFetchJson,
  createSignInSend,
  createUserSend,
} from './connectors.ts'
export { type MappedPayload, mapPayload, type PayloadContext, PayloadError } from './map-payload.ts'
export {
  authorizationUrl,
  exchangeCode,
  isOAuthConnector,
  type OAuthConnector,
  refreshTokens,
  revokeTokens,
} from './oauth-client.ts'
export { appProblemOf } from './oauth-transport.ts'
export { PageData } from './page-data.ts'
export {
  PROVIDER_STATES,
  type ProviderState,
  type ProviderStatus,
  refusalOf,
  statusOf,
} from './provider-states.registry.ts'
export { regionHosts, regionNames } from './regions.ts'
export {
  type FoundCredential,
  readCredential,
  replaceCredential,
  type StoredCredential,
  writeCredential,
} from './stored-credential.ts'
export {
  appCredentialName,
  findApp,
  isConfigured,
  missingSecrets,
  type OperatorApps,
  parseOperatorApps,
  problemOfSecrets,
  sandboxAppOf,
} from './vendor-apps.ts'
export {
  type AppProblem,
  createSend,
  type FetchJson,
  readJson,
  type Send,
  type VendorAddress,
  VendorError,
  type VendorFailure,
  type VendorRequest,
} from './vendor-client.ts'
export { parseVendorJson } from './vendor-json.ts'
