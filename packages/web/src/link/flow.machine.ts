import { type FailureType, failureOf } from './failures.registry.ts'
import type {
  AppProvider,
  LinkConfig,
  PasswordGiven,
  Provider,
  ProviderLinkResponse,
} from './link-client.ts'

/** Error of the entered values; shown in the form, which stays open. */
export type FormError = 'wrong_credential' | 'wrong_region'

/** Step of a person. Entered values live only here, and end with the step. */
export type Step =
  | { name: 'consent' }
  | { name: 'list' }
  | {
      name: 'sign_in'
      provider: Provider
      error?: FormError
      /** Number of responses with an error so far. */
      refusals: number
    }
  | {
      name: 'code'
      provider: Provider
      mfa: { method: string; hint: string }
      /** Used to request a new code. */
      given: PasswordGiven
      /** Number of wrong codes so far. */
      tries: number
      /** Number of codes that were sent. */
      codes: number
    }
  /** Explains what to do on the phone. */
  | { name: 'app'; provider: AppProvider }
  | {
      /** Asks for the region in which the person signs in at the provider's own page. */
      name: 'region'
      provider: Provider
      /** Region that the server refused. */
      refused?: string
    }
  | { name: 'handover'; provider: Provider; region?: string }
  | { name: 'done'; provider: Provider }
  | { name: 'closed' }
  | { name: 'failed'; failure: FailureType; provider?: Provider | undefined }

export type Action =
  | { type: 'agreed' }
  | { type: 'chosen'; provider: Provider }
  | { type: 'chose_app'; provider: AppProvider }
  | { type: 'chose_region'; region: string }
  | { type: 'answered'; provider: Provider; answer: ProviderLinkResponse; given?: PasswordGiven }
  | { type: 'refused'; errorType: string | null; provider?: Provider | undefined }
  | { type: 'left' }
  | { type: 'tried_again' }
  | { type: 'chose_another' }
  | { type: 'started_again' }
  | { type: 'closed' }

/** Returns the provider that the link fixes; undefined when the person chooses. */
export function fixedProviderOf(config: LinkConfig): Provider | undefined {
  return config.providers.find(({ slug }) => slug === config.provider)
}

/**
 * Returns the first step: consent, unless the person has agreed in a link before this one, or the
 * provider of the link is on the phone or cannot be connected here.
 */
export function firstStep(config: LinkConfig, hasAgreed = false): Step {
  if (!config.provider) return hasAgreed ? { name: 'list' } : { name: 'consent' }
  const app = config.app_providers?.find(({ slug }) => slug === config.provider)
  if (app !== undefined) return { name: 'app', provider: app }
  const isMissing = fixedProviderOf(config) === undefined
  return isMissing ? { name: 'failed', failure: 'provider_not_configured' } : { name: 'consent' }
}

/**
 * Returns the kind of sign-in of an auth_type. team_oauth is OAuth with the team's own app;
 * providers of other kinds are connected inside apps and are hidden.
 */
export function signInKindOf({ auth_type }: Provider): 'oauth' | 'password' | 'email' | undefined {
  if (auth_type === null || auth_type === 'team_oauth') return 'oauth'
  return auth_type === 'oauth' || auth_type === 'password' || auth_type === 'email'
    ? auth_type
    : undefined
}

function stepOfProvider(provider: Provider): Step {
  if (signInKindOf(provider) !== 'oauth') return { name: 'sign_in', provider, refusals: 0 }
  const { region } = provider.form_components
  const hasChoice = region !== undefined && region.options.length > 1
  return { name: hasChoice ? 'region' : 'handover', provider }
}

const hasRegions = (provider: Provider): boolean => provider.form_components.region !== undefined

function stepAfterResponse(
  step: Step,
  { provider, answer, given }: Extract<Action, { type: 'answered' }>,
): Step {
  if (answer.state === 'success') return { name: 'done', provider }
  if (answer.state === 'error') return stepAfterError(step, answer.error_type, provider)
  const kept = given ?? (step.name === 'code' ? step.given : undefined)
  if (kept === undefined) return { name: 'failed', failure: 'token_not_validated', provider }
  const codes = step.name === 'code' ? step.codes + 1 : 1
  const mfa = answer.provider_mfa ?? { method: '', hint: '' }
  return { name: 'code', provider, mfa, given: kept, tries: 0, codes }
}

/** Errors that the person can correct stay in the form. */
function stepAfterError(
  step: Step,
  errorType: string | null,
  provider: Provider | undefined,
): Step {
  if (step.name === 'code' && errorType === 'incorrect_mfa_code') {
    return { ...step, tries: step.tries + 1 }
  }
  if (step.name === 'sign_in' && errorType === 'provider_credential_error') {
    return { ...step, error: 'wrong_credential', refusals: step.refusals + 1 }
  }
  if (step.name === 'sign_in' && errorType === 'unsupported_region' && hasRegions(step.provider)) {
    return { ...step, error: 'wrong_region', refusals: step.refusals + 1 }
  }
  if (step.name === 'handover' && step.region && errorType === 'unsupported_region') {
    return { name: 'region', provider: step.provider, refused: step.region }
  }
  return { name: 'failed', failure: failureOf(errorType), provider }
}

/** Returns the next step. Pure; the page sends the requests. */
export function nextStep(config: LinkConfig, step: Step, action: Action): Step {
  const fixed = fixedProviderOf(config)
  switch (action.type) {
    case 'agreed':
      return fixed ? stepOfProvider(fixed) : { name: 'list' }
    case 'chosen':
      return stepOfProvider(action.provider)
    case 'chose_app':
      return { name: 'app', provider: action.provider }
    case 'chose_region':
      return step.name === 'region'
        ? { name: 'handover', provider: step.provider, region: action.region }
        : step
    case 'answered':
      return stepAfterResponse(step, action)
    case 'refused':
      return stepAfterError(step, action.errorType, action.provider)
    case 'left':
      if (step.name === 'code') return stepOfProvider(step.provider)
      if (step.name === 'list' || fixed) return { name: 'consent' }
      return { name: 'list' }
    case 'tried_again':
      return step.name === 'failed' && step.provider
        ? stepOfProvider(step.provider)
        : { name: 'consent' }
    case 'chose_another':
      return { name: 'list' }
    case 'started_again':
      return { name: 'consent' }
    case 'closed':
      return { name: 'closed' }
  }
}
