import { callApi } from '../connection/api-client.ts'
import { ApiError } from '../connection/api-errors.ts'
import type { Connection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'

/** Fields of a user that the commands print. */
export interface User {
  user_id: string
  client_user_id: string
  created_on: string
  connected_sources: { provider: { slug: string } }[]
}

export interface UserList {
  users: User[]
  total: number
}

/** Options that name a person: exactly one of the two. */
export interface UserChoice {
  user?: string
  clientUserId?: string
  create?: boolean
}

/**
 * Finds the person of the options, and creates them with --create.
 * @throws CliError for options that contradict each other, ApiError for an unknown person.
 */
export async function findUser(connection: Connection, choice: UserChoice): Promise<User> {
  const { user, clientUserId, create = false } = choice
  if ((user === undefined) === (clientUserId === undefined)) {
    throw new CliError('Name the person with either --user ID or --client-user-id ID.')
  }
  if (user !== undefined) {
    if (create) throw new CliError('--create needs --client-user-id: Salus generates the user id.')
    return findById(connection, user)
  }
  const id = clientUserId as string
  try {
    return await callApi<User>(connection, 'GET', `/v2/user/resolve/${encodeURIComponent(id)}`)
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.status === 404
    if (!isUnknown) throw error
    if (create) return createUser(connection, id)
    throw new CliError(`No user has the client_user_id ${id}. Add --create to create one.`)
  }
}

async function findById(connection: Connection, id: string): Promise<User> {
  try {
    return await callApi<User>(connection, 'GET', `/v2/user/${encodeURIComponent(id)}`)
  } catch (error) {
    const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 422)
    if (!isUnknown) throw error
    const advice = '"salus users list" lists them; a client_user_id is given with --client-user-id.'
    throw new CliError(`No user has the id ${id}. ${advice}`)
  }
}

export function createUser(connection: Connection, clientUserId: string): Promise<User> {
  return callApi<User>(connection, 'POST', '/v2/user', { body: { client_user_id: clientUserId } })
}
