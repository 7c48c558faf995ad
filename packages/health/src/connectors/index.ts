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
export { type Connectors, createFetchJson, createSignInSend, createUserSend } from './connectors.ts'
export {
  EXERCISE as DEXCOM_EXERCISE,
  FINGER as DEXCOM_FINGER,
  HEALTH as DEXCOM_HEALTH,
  INSULIN as DEXCOM_INSULIN,
} from './dexcom_v3/dexcom.mapper.ts'
export { pointsOfRecords } from './fit-file.ts'
export { mapBody as mapFitbitBody } from './fitbit/records.mapper.ts'
export { mapSleep as mapFitbitSleeps } from './fitbit/sleep.mapper.ts'
export { mapWorkouts as mapFitbitWorkouts } from './fitbit/workouts.mapper.ts'
export { type MappedPayload, mapPayload, type PayloadContext, PayloadError } from './map-payload.ts'
export { type VendorFood, valuesOfMeal } from './meal-values.ts'
export {
  authorizationUrl,
  exchangeCode,
  isOAuthConnector,
  type OAuthConnector,
  refreshTokens,
  revokeTokens,
} from './oauth-client.ts'
export { appProblemOf } from './oauth-transport.ts'
export {
  mapActivity as mapOuraActivity,
  mapBloodOxygen as mapOuraBloodOxygen,
  mapHeartRates as mapOuraHeartRates,
  mapOxygenUptake as mapOuraOxygenUptake,
  mapRings as mapOuraRings,
  mapStress as mapOuraStress,
  mapWorkouts as mapOuraWorkouts,
} from './oura/records.mapper.ts'
export { mapSleep as mapOuraSleep } from './oura/sleep.mapper.ts'
export { PageData } from './page-data.ts'
export { type PayloadLine, toPayloadLines } from './payload-lines.ts'
export { sportOf as polarSportOf } from './polar/polar-sports.ts'
export { clockMs as polarClockMs, durationMs as polarDurationMs } from './polar/polar-times.ts'
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
export type {
  SourceType,
  VendorBloodPressure,
  VendorInstant,
  VendorNote,
  VendorSample,
  VendorStage,
  VendorStageSpan,
  VendorSummary,
  VendorWorkout,
} from './vendor-records.ts'
export { readInstant, readLocalInstant } from './vendor-times.ts'
export { withoutNulls } from './vendor-values.ts'
export { dayOfCycle as dayOfWhoopCycle } from './whoop_v2/whoop.mapper.ts'
export { sportOf as whoopSportOf } from './whoop-sports.ts'
export { valuesOfWorkout as withingsWorkoutValues } from './withings/days.mapper.ts'
export { STAGES as WITHINGS_STAGES } from './withings/sleep.mapper.ts'
export { recordingOf, type WorkoutPoint, type WorkoutRecording } from './workout-points.ts'
