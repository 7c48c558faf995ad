import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { baseUrl, CONSOLE_HEADER, management, unwrapResponse } from './client.ts'
import type { components } from './openapi.generated.d.ts'

/** The session of the console (docs/console.md). */
export type ConsoleSession = components['schemas']['ConsoleSession']
/** What a role may do (docs/roles.md). */
export type Permission = ConsoleSession['permissions'][number]
export type Role = ConsoleSession['key']['role']

/** Loads the ways to sign in, and whether there is a session. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => unwrapResponse(management.GET('/v1/console/sign_in_methods')),
  staleTime: 60_000,
})

/**
 * Returns the session, or null if there is none. The sign-in methods are loaded first, because
 * they report that without a failed request.
 */
async function findSession(): Promise<ConsoleSession | null> {
  const { is_signed_in: isSignedIn } = await unwrapResponse(
    management.GET('/v1/console/sign_in_methods'),
  )
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
      'The server did not return the session. Load the page again.',
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

/** Returns the session; for pages behind the sign-in. */
export function useSession(): ConsoleSession {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null) throw new Error('There is no session. Sign in first.')
  return data
}

/** Whether the role of a session includes all of the permissions. */
export const includesAll = (
  { permissions }: Pick<ConsoleSession, 'permissions'>,
  needed: readonly Permission[],
): boolean => needed.every((permission) => permissions.includes(permission))

/**
 * Returns whether the user has permissions. Pages hide what the role does not include; the server
 * refuses it.
 */
export function usePermission(...needed: readonly Permission[]): boolean {
  return includesAll(useSession(), needed)
}
