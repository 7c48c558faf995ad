import { startAuthentication } from '@simplewebauthn/browser'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { clearTokens, management, unwrapResponse } from '../api/client.ts'
import type { components } from '../api/openapi.generated.d.ts'
import { type ConsoleSession, sessionQuery } from '../api/session.ts'
import { describePasskeyError } from './passkeys.ts'

type Given = Omit<components['schemas']['ConsoleSignIn'], 'passkey'>

export interface SignIn {
  /** The last error. */
  error: unknown
  isBusy: boolean
  give: (given: Given) => Promise<void>
  /** Asks the browser for a passkey, and signs in with it. */
  givePasskey: () => Promise<void>
}

/** @param view Path to open after the sign-in. */
export function useSignIn(view: string): SignIn {
  const queryClient = useQueryClient()
  const router = useRouter()
  const [state, setState] = useState<{ error: unknown; isBusy: boolean }>({
    error: undefined,
    isBusy: false,
  })
  const [{ give, givePasskey }] = useState(() => {
    const send = async (find: () => Promise<object>): Promise<void> => {
      setState({ error: undefined, isBusy: true })
      try {
        const body = await find()
        const session = await unwrapResponse(management.POST('/v1/console/session', { body }))
        // The next user may have fewer rights than the last one.
        clearTokens()
        queryClient.clear()
        queryClient.setQueryData(sessionQuery.queryKey, session as ConsoleSession)
        router.history.replace(view)
      } catch (error) {
        setState({ error, isBusy: false })
      }
    }
    return {
      give: (given: Given) => send(async () => given),
      givePasskey: () =>
        send(async () => {
          const asked = management.POST('/v1/console/passkey_challenge')
          const optionsJSON = (await unwrapResponse(asked)) as never
          return { passkey: await startAuthentication({ optionsJSON }) }
        }),
    }
  })
  return { ...state, give, givePasskey }
}

const REFUSALS: Record<string, string> = {
  invalid_api_key: 'This management key is unknown or revoked. Check it and try again.',
  invalid_code:
    'This sign-in link was used already or is older than 15 minutes. Run “salus console” for a new one, or sign in with a management key.',
  invalid_credentials: 'The e-mail address or the password is not right.',
  invalid_second_factor: 'This code is not valid now, or was used. Wait for the next one.',
  invalid_passkey: 'This passkey does not sign in here.',
  rate_limited: 'Too many attempts. Wait a while, then try again.',
  cross_site_request:
    'The address of the server differs from its configured one. Check SALUS_BASE_URL and SALUS_TRUSTED_PROXIES.',
}

/** Returns an error of a sign-in in plain words. */
export function describeRefusal(error: unknown): string {
  const known = error instanceof ApiError ? REFUSALS[error.errorType] : undefined
  return known ?? describePasskeyError(error)
}
