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
export type { Connectors } from './connectors.ts'
export { PageData, type VendorInstant } from './page-data.ts'
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
