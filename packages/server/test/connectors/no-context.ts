import type { PageContext, SignInContext } from '@salus/health/connectors'

/** Context of pages of connectors that need none. */
export const NO_CONTEXT: PageContext = { extra: {}, now: 0, app: undefined }

/** Context of sign-ins of connectors that need no settings of an app. */
export const NO_SETTINGS: SignInContext = {
  app: { clientId: '', clientSecret: '', settings: {} },
  now: 0,
}
