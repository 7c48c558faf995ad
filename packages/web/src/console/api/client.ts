import createClient, { type Client, type Middleware } from 'openapi-fetch'
import { ApiError, toApiError } from './api-error.ts'
import type { paths } from './openapi.generated.d.ts'
import type { UploadAccess } from './upload-import-file.ts'

/** Address of the deployment, without a slash at its end; it may be below a path. */
export const baseUrl = new URL('.', document.baseURI).href.replace(/\/$/, '')

export type Api = Client<paths>
export type EnvironmentKind = 'sandbox' | 'production'

/** Path parameters of the management API that name an environment. */
export interface EnvironmentPath {
  org_id: string
  team_id: string
  env: EnvironmentKind
}

/**
 * Required of every request that the cookie of a session authenticates: a page of another origin
 * cannot send it (docs/console.md).
 */
export const CONSOLE_HEADER = { 'x-salus-console': '1' } as const

/** The management API, with the cookie of the session. */
export const management: Api = createClient<paths>({
  baseUrl,
  headers: CONSOLE_HEADER,
  credentials: 'same-origin',
})

type Ended = () => void
let onEnded: Ended = () => {}

/** @param listener Called when the server no longer knows the session. */
export function onSessionEnded(listener: Ended): void {
  onEnded = listener
}

management.use({
  onResponse: ({ response, schemaPath }) => {
    if (response.status === 401 && schemaPath !== '/v1/console/session') onEnded()
  },
} satisfies Middleware)

interface Token {
  value: string
  /** Milliseconds of the epoch. */
  renewAt: number
}

/** A token is renewed this long before its end, so that no request meets the end of it. */
const RENEW_BEFORE_MS = 60_000

const tokens = new Map<string, Promise<Token>>()
const teamClients = new Map<string, Api>()

/** Forgets every credential that the page holds. */
export function clearTokens(): void {
  tokens.clear()
}

async function mintToken({ org_id, team_id, env }: EnvironmentPath): Promise<Token> {
  const { access_token, expires_in } = await unwrapResponse(
    management.POST('/v1/org/{org_id}/team/{team_id}/create_api_access_token', {
      params: { path: { org_id, team_id } },
      body: { env },
    }),
  )
  return { value: access_token, renewAt: Date.now() + expires_in * 1000 - RENEW_BEFORE_MS }
}

/**
 * Returns the access token of an environment. It lasts ten minutes and is kept only in memory: the
 * cookie opens no data of a team.
 */
export async function findToken(path: EnvironmentPath): Promise<string> {
  const name = `${path.team_id}/${path.env}`
  const pending = tokens.get(name)
  const known = await pending?.catch(() => undefined)
  if (known !== undefined && Date.now() < known.renewAt) return known.value
  // Another request may have fetched a newer token meanwhile.
  if (tokens.get(name) !== pending) return findToken(path)
  const minted = mintToken(path)
  tokens.set(name, minted)
  minted.catch(() => tokens.delete(name))
  return (await minted).value
}

/** Returns access to the uploads of an environment. */
export function uploadAccess(path: EnvironmentPath): UploadAccess {
  const environment = `${path.team_id}/${path.env}`
  return {
    baseUrl,
    environment,
    findToken: () => findToken(path),
    forgetToken: () => tokens.delete(environment),
  }
}

/** The team API of an environment. */
export function teamApi(path: EnvironmentPath): Api {
  const name = `${path.team_id}/${path.env}`
  const known = teamClients.get(name)
  if (known !== undefined) return known
  const client = createClient<paths>({ baseUrl, credentials: 'omit' })
  client.use({
    onRequest: async ({ request }) => {
      request.headers.set('authorization', `Bearer ${await findToken(path)}`)
      return request
    },
    onResponse: ({ response }) => {
      // The token ended early, as when the session was signed out elsewhere; the next request
      // fetches another.
      if (response.status === 401) tokens.delete(name)
    },
  })
  teamClients.set(name, client)
  return client
}

/**
 * Returns the data of a response.
 * @throws ApiError with the error of the server, or with `offline` when there was no response
 */
export async function unwrapResponse<Data>(
  pending: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<NonNullable<Data>> {
  const answer = await pending.catch((error: unknown) => {
    if (
      error instanceof ApiError ||
      (error instanceof DOMException && error.name === 'AbortError')
    ) {
      throw error
    }
    throw new ApiError(0, 'offline', 'The server cannot be reached. Check the connection.', null)
  })
  const { data, error, response } = answer
  if (!response.ok) throw toApiError(response.status, error)
  return data as NonNullable<Data>
}
