import type { Actor } from '@salus/kernel/audit/audited-requests'
import { hashKey } from '@salus/kernel/crypto/keys'
import { forbidden, unauthorized } from '@salus/kernel/errors'
import { requirePermissionsOfRoute } from '@salus/kernel/http/permissions'
import type { Db } from '@salus/kernel/postgres/database'
import { createScope, type Environment, type Stores } from '@salus/kernel/scope'
import type { Clock } from '@salus/kernel/time/clock'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  findManagementKeyByHash,
  type ManagementKeyRow,
} from '../keys/management-keys.repository.ts'
import { findEnvironmentByKey, findEnvironmentByToken } from '../keys/team-keys.repository.ts'
import type { ManagementKeyIdentity } from '../organization/management-access.ts'
import {
  PERMISSIONS_OF_ROLES,
  permissionsOfToken,
  toPermissionSet,
} from '../organization/roles.registry.ts'
import {
  type CredentialLimits,
  enforceLimits,
  NO_LIMITS,
  type OwnersOfIds,
} from './credential-limits.ts'
import { toEnvironment } from './enter-environment.ts'
import { KeyUses } from './key-uses.ts'
import { refuseOtherUsers, refuseOtherUsersInBody } from './own-user.ts'

declare module 'fastify' {
  interface FastifyRequest {
    managementKey: ManagementKeyIdentity
    /**
     * Whether the team key came in the header that older clients send, who get some data in another
     * form.
     */
    isByAlias: boolean
  }
}

const CACHE_MILLISECONDS = 5_000
const CACHE_ENTRIES = 10_000

const INVALID_API_KEY = 'The API key is missing, unknown, revoked or expired.'
const INVALID_TOKEN = 'The access token is unknown or expired.'
/** Access tokens of apps have this form; those of teams have no dots. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/
const NO_FACTOR = 'The organization requires a second factor. Set one up first.'
const INVALID_MANAGEMENT_KEY = 'The management key is missing, unknown or revoked.'

interface TeamAuthentication {
  /**
   * Requires a credential for every route of the scope, and closes routes that are not for apps to
   * apps.
   */
  protect: (app: FastifyInstance) => void
  /** The onRequest hook of `protect`: sets `request.scope`, or throws 401, or 403 for an app. */
  authenticate: (request: FastifyRequest) => Promise<void>
  /** Clears the cache; call it after a commit that deletes keys or teams or changes settings. */
  forget: () => void
}

/** Access of a credential, and its owner. */
export interface CredentialOwner {
  environment: Environment
  actor: Actor
  limits?: CredentialLimits
  /** Id of the user for whom an app acts, in the access token of an app. */
  appUserId?: string
  /** Checked with each request, where a credential can end before it leaves the cache. */
  isLive?: () => Promise<boolean>
  /** Milliseconds of the epoch after which the credential itself has expired. */
  endsAt: number
}

/** Returns the owner of the access token of an app; undefined when it is not valid. */
export type FindApp = (token: string) => Promise<CredentialOwner | undefined>

/**
 * Creates the hook of the team API: a team key in `x-service-api-key`, or as bearer a team access
 * token or the access token of an app. The key wins when both are sent.
 * @param findApp Without it there are no apps.
 * @param owners Owners of the ids in paths; other ids are closed to credentials that are limited to
 *   one user.
 */
export function createTeamAuthentication(
  stores: Pick<Stores, 'db' | 'clickhouse' | 'clock'>,
  { aliasesEnabled }: { aliasesEnabled: boolean },
  findApp?: FindApp,
  owners: OwnersOfIds = {},
): TeamAuthentication {
  const { db, clock } = stores
  const cache = new CredentialCache()
  const uses = new KeyUses(db, clock)

  async function findByBearer(token: string): Promise<CredentialOwner | undefined> {
    if (findApp === undefined || !JWT.test(token)) {
      return cache.read('token', token, clock, (hash) => findByToken(db, hash, clock.now()))
    }
    const found = await cache.read('app', token, clock, () => findApp(token))
    return found === undefined || (await found.isLive?.()) === false ? undefined : found
  }

  async function authenticate(request: FastifyRequest): Promise<void> {
    const ownKey = readHeader(request, ['x-service-api-key'])
    const key = ownKey ?? (aliasesEnabled ? readHeader(request, ['x-vital-api-key']) : undefined)
    const token = key === undefined ? readBearer(request) : undefined
    const found =
      token === undefined
        ? key && (await cache.read('key', key, clock, (hash) => findByKey(db, hash, clock.now())))
        : await findByBearer(token)
    if (found) {
      if (found.actor.kind === 'api_key') await uses.record(found.actor.id, request.log)
      request.scope = createScope(
        { ...stores, log: request.log },
        found.environment,
        request.transact,
      )
      request.actor = found.actor
      request.appUserId = found.appUserId ?? null
      request.limits = found.limits ?? NO_LIMITS
      request.isByAlias = key !== ownKey
      refuseOtherUsers(request)
      await enforceLimits(request, owners)
    } else await refuseCredential(request, { key, token })
  }

  function protect(app: FastifyInstance): void {
    app.decorateRequest('appUserId', null)
    app.decorateRequest('isByAlias', false)
    app.addHook('onRequest', authenticate)
    app.addHook('preHandler', refuseOtherUsersInBody)
  }

  return { protect, authenticate, forget: () => cache.clear() }
}

type Given = Record<'key' | 'token', string | undefined>

/**
 * Counts an invalid credential as a failed sign-in, and a request without one as that of a
 * stranger.
 */
async function refuseCredential(request: FastifyRequest, { key, token }: Given): Promise<never> {
  const isApp = token !== undefined && JWT.test(token)
  if (token !== undefined) await request.signIns.refuse(isApp ? 'app_token' : 'access_token')
  else if (key === undefined) request.countStranger()
  else await request.signIns.refuse('api_key')
  if (token !== undefined) throw unauthorized('invalid_token', INVALID_TOKEN)
  throw unauthorized('invalid_api_key', INVALID_API_KEY)
}

async function findByKey(db: Db, hash: Buffer, now: Date): Promise<CredentialOwner | undefined> {
  const row = await findEnvironmentByKey(db, hash, now)
  if (row === undefined) return undefined
  const actor: Actor = { kind: 'api_key', id: row.key_id }
  const limits = { userId: row.user_id, access: row.access, scopes: toPermissionSet(row.scopes) }
  const endsAt = row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY
  return { environment: toEnvironment(row), actor, limits, endsAt }
}

async function findByToken(db: Db, hash: Buffer, now: Date): Promise<CredentialOwner | undefined> {
  const row = await findEnvironmentByToken(db, hash, now)
  if (row === undefined) return undefined
  const actor: Actor = { kind: 'access_token', id: row.management_key_id }
  const scopes = permissionsOfToken(row.role, row.scopes)
  const limits = { userId: row.user_id, access: row.access, scopes }
  return { environment: toEnvironment(row), actor, limits, endsAt: row.expires_at.getTime() }
}

/** The identity with which a session of the console sends requests. */
export interface SessionOwner {
  key: ManagementKeyRow
  session: { id: string; expires_at: Date }
  /** Whether the session can only set up the second factor that the organization requires. */
  lacksSecondFactor: boolean
}

/**
 * Returns the session whose cookie a request has; undefined without a cookie.
 * @throws AppError 401, 403
 */
export type FindSession = (request: FastifyRequest) => Promise<SessionOwner | undefined>

/**
 * Creates the hook of the management API: a management key in its header, or the cookie of a
 * session of the console. The key wins when both are sent. Sets `request.managementKey`, or throws
 * 401, or 403 for a cookie that another site sent and for a role without the permission.
 * @param options.findSession Without it there is no console.
 */
export function createManagementAuthentication(options: {
  db: Db
  aliasesEnabled?: boolean
  findSession?: FindSession
}) {
  const { db, aliasesEnabled = true, findSession } = options
  const names = ['x-management-key', ...(aliasesEnabled ? ['x-vital-org-key'] : [])]
  return async (request: FastifyRequest): Promise<void> => {
    const key = readHeader(request, names)
    const owner = key === undefined ? await findSession?.(request) : undefined
    const row = key === undefined ? owner?.key : await findLiveManagementKey(db, key)
    if (row === undefined) {
      if (key === undefined) request.countStranger()
      else await request.signIns.refuse('management_key')
      throw unauthorized('invalid_api_key', INVALID_MANAGEMENT_KEY)
    }
    request.managementKey = toManagementIdentity(row)
    request.actor = { kind: owner ? 'console_session' : 'management_key', id: row.id }
    if (owner !== undefined) {
      if (owner.lacksSecondFactor) throw forbidden('second_factor_setup_required', NO_FACTOR)
      const { id, expires_at: expiresAt } = owner.session
      request.managementKey.session = { id, expiresAt }
    }
    requirePermissionsOfRoute(request, PERMISSIONS_OF_ROLES[row.role])
  }
}

/** Returns the management key of a secret; undefined when it is unknown or revoked. */
export async function findLiveManagementKey(
  db: Db,
  secret: string,
): Promise<ManagementKeyRow | undefined> {
  const row = await findManagementKeyByHash(db, hashKey(secret))
  return row?.deleted_at === null ? row : undefined
}

/** Returns the rights of a stored key. */
export function toManagementIdentity(row: ManagementKeyRow): ManagementKeyIdentity {
  const { id, organization_id: organizationId, role, team_role_bindings: bindings } = row
  const teamIds = bindings?.map((binding) => binding.team_id) ?? null
  return { id, organizationId, role, teamIds, environments: row.environments }
}

/** Returns the first of the headers that is present. */
export function readHeader(request: FastifyRequest, names: string[]): string | undefined {
  for (const name of names) {
    const value = request.headers[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

function readBearer(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

interface Entry extends CredentialOwner {
  staleAt: number
}

/**
 * Caches found credentials for a few seconds, so that a busy client costs no query for each
 * request. This process clears them at once when it changes something; other processes notice
 * within 5 seconds.
 */
class CredentialCache {
  readonly #entries = new Map<string, Entry>()
  #generation = 0

  clear(): void {
    this.#entries.clear()
    this.#generation += 1
  }

  async read(
    kind: 'key' | 'token' | 'app',
    secret: string,
    clock: Clock,
    find: (hash: Buffer) => Promise<CredentialOwner | undefined>,
  ): Promise<CredentialOwner | undefined> {
    const hash = hashKey(secret)
    const name = `${kind}:${hash.toString('base64')}`
    const now = clock.now().getTime()
    const entry = this.#entries.get(name)
    if (entry !== undefined && now < entry.staleAt && now < entry.endsAt) return entry
    this.#entries.delete(name)
    const generation = this.#generation
    const found = await find(hash)
    // A row that was read before a clear() may be outdated by the change that caused it.
    if (found !== undefined && generation === this.#generation) {
      this.#keep(name, { ...found, staleAt: now + CACHE_MILLISECONDS })
    }
    return found
  }

  #keep(name: string, entry: Entry): void {
    const oldest = this.#entries.keys().next()
    if (this.#entries.size >= CACHE_ENTRIES && !oldest.done) this.#entries.delete(oldest.value)
    this.#entries.set(name, entry)
  }
}
