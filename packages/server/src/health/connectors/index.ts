export type {
  Budget,
  Collection,
  Connector,
  EmailSignIn,
  Endpoint,
  OAuth,
  PasswordGiven,
  PasswordSignIn,
  Push,
  PushMessage,
  PushNotice,
  ScopeNeed,
  SignInOutcome,
  TimeRange,
  VendorApp,
  VendorTokens,
} from './connector.ts'
export { createConnectors } from './connectors.registry.ts'
export { type Connectors, createAsk } from './connectors.ts'
export {
  type AuthorizationRequest,
  authorizationUrl,
  type CodeExchange,
  exchangeCode,
  isOAuthConnector,
  type OAuthConnector,
  refreshTokens,
  revokeTokens,
} from './oauth-client.ts'
export { PageData } from './page-data.ts'
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
  type OperatorApps,
  parseOperatorApps,
  type VendorAppsContext,
} from './vendor-apps.ts'
export {
  type Ask,
  type ConnectionErrorType,
  createSend,
  readJson,
  type Send,
  type VendorAddress,
  VendorError,
  type VendorFailure,
  type VendorRequest,
  vendorUrl,
} from './vendor-client.ts'
