import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { baseUrl, CONSOLE_HEADER, management, take } from './client.ts'

/** Who is signed in (docs/console.md). */
export interface ConsoleSession {
  key: { id: string; label: string; role: 'org_admin' | 'team_admin' }
  organization: { id: string; name: string }
  /** Teams that the key is for; null for all of the organization. */
  team_ids: string[] | null
  /** May see what is the installation's. */
  is_operator: boolean
  /** Nobody has stored a person yet. */
  is_empty: boolean
  expires_at: string
}

/** How one may sign in, and whether somebody is. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => take(management.GET('/v1/console/sign_in_methods')),
  staleTime: 60_000,
})

/** Null when nobody is signed in, which is found without a request that fails. */
async function findSession(): Promise<ConsoleSession | null> {
  const { is_signed_in: isSignedIn } = await take(management.GET('/v1/console/sign_in_methods'))
  if (!isSignedIn) return null
  const address = `${baseUrl}/v1/console/session`
  const response = await fetch(address, { headers: CONSOLE_HEADER }).catch(() => {
    throw new ApiError(0, 'offline', 'The server cannot be reached. Check the connection.', null)
  })
  if (response.status === 401) return null
  if (!response.ok) {
    throw new ApiError(
      response.status,
      'unknown',
      'The server could not say who is signed in.',
      null,
    )
  }
  return response.json()
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: findSession,
  staleTime: 60_000,
})

/** Who is signed in; for pages behind the sign-in. */
export function useSession(): ConsoleSession {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null) throw new Error('Nobody is signed in.')
  return data
}
