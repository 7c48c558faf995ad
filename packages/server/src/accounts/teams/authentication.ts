import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../platform/audit/audited-requests.ts'
import { hashKey } from '../../platform/crypto/keys.ts'
import { unauthorized } from '../../platform/errors.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { ManagementKeyIdentity } from './management-access.ts'
import { findManagementKeyByHash } from './management-keys.repository.ts'
import {
  findTenantByEnvironment,
  findTenantByKey,
  findTenantByToken,
  type TenantRow,
} from './team-keys.repository.ts'
import type { Environment, Region, TeamEnvironment } from './teams.schema.ts'
import { toSettings } from './teams.service.ts'

/** Whom a team credential speaks for: one environment of one team. */
export interface Tenant {
  organizationId: string
  teamId: string
  environmentId: string
  environment: Environment
  region: Region
  settings: TeamEnvironment
  /** How far the environment's own time is ahead; more than 0 only where a sandbox was moved. */
  clockOffsetSeconds: number
}

declare module 'fastify' {
  interface FastifyRequest {
    tenant: Tenant
    managementKey: ManagementKeyIdentity
  }
}

const CACHE_MILLISECONDS = 5_000
const CACHE_ENTRIES = 10_000

const INVALID_API_KEY = 'The API key is missing, unknown or revoked.'
const INVALID_TOKEN = 'The access token is unknown or expired.'
const INVALID_MANAGEMENT_KEY = 'The management key is missing, unknown or revoked.'

export interface TeamAuthentication {
  /** An onRequest hook: sets `request.tenant`, or throws 401. */
  authenticate: (request: FastifyRequest) => Promise<void>
  /** Call it after a commit that deletes keys or teams or changes settings. */
  forget: () => void
}

interface Found {
  tenant: Tenant
  actor: Omit<Actor, 'environmentId'>
  /** Milliseconds of the epoch after which the credential itself has ended. */
  endsAt: number
}

/**
 * The hook of the team API: a team key in `x-service-api-key`, or a team access token as bearer.
 * The key wins when both are sent.
 */
export function createTeamAuthentication(options: {
  db: Db
  clock: Clock
  aliasesEnabled: boolean
}): TeamAuthentication {
  const { db, clock, aliasesEnabled } = options
  const cache = new TenantCache()

  async function findByKey(hash: Buffer): Promise<Found | undefined> {
    const row = await findTenantByKey(db, hash)
    if (row === undefined) return undefined
    const actor = { kind: 'api_key', id: row.key_id } as const
    return { tenant: toTenant(row), actor, endsAt: Number.POSITIVE_INFINITY }
  }

  async function findByToken(hash: Buffer): Promise<Found | undefined> {
    const row = await findTenantByToken(db, hash, clock.now())
    if (row === undefined) return undefined
    const actor = { kind: 'access_token', id: row.management_key_id } as const
    return { tenant: toTenant(row), actor, endsAt: row.expires_at.getTime() }
  }

  async function authenticate(request: FastifyRequest): Promise<void> {
    const names = ['x-service-api-key', ...(aliasesEnabled ? ['x-vital-api-key'] : [])]
    const key = readHeader(request, names)
    const token = key === undefined ? readBearer(request) : undefined
    const found =
      token === undefined
        ? key && (await cache.read('key', key, clock, findByKey))
        : await cache.read('token', token, clock, findByToken)
    if (found) {
      request.tenant = found.tenant
      request.actor = { ...found.actor, environmentId: found.tenant.environmentId }
    } else if (token === undefined) throw unauthorized('invalid_api_key', INVALID_API_KEY)
    else throw unauthorized('invalid_token', INVALID_TOKEN)
  }

  return { authenticate, forget: () => cache.clear() }
}

/** The hook of the management API: sets `request.managementKey`, or throws 401. */
export function createManagementAuthentication(options: { db: Db; aliasesEnabled?: boolean }) {
  const { db, aliasesEnabled = true } = options
  const names = ['x-management-key', ...(aliasesEnabled ? ['x-vital-org-key'] : [])]
  return async (request: FastifyRequest): Promise<void> => {
    const key = readHeader(request, names)
    const row = key && (await findManagementKeyByHash(db, hashKey(key)))
    if (!row || row.deleted_at !== null) {
      throw unauthorized('invalid_api_key', INVALID_MANAGEMENT_KEY)
    }
    const { id, organization_id: organizationId, role, team_role_bindings: bindings } = row
    const teamIds = bindings?.map((binding) => binding.team_id) ?? null
    request.managementKey = { id, organizationId, role, teamIds }
    request.actor = { kind: 'management_key', id, environmentId: null }
  }
}

/** The tenant of an environment; undefined when its team was deleted. */
export async function findTenant(db: Db, environmentId: string): Promise<Tenant | undefined> {
  const row = await findTenantByEnvironment(db, environmentId)
  return row && toTenant(row)
}

function toTenant(row: TenantRow): Tenant {
  return {
    organizationId: row.organization_id,
    teamId: row.team_id,
    environmentId: row.environment_id,
    environment: row.environment,
    region: row.region,
    settings: toSettings(row.settings),
    clockOffsetSeconds: row.clock_offset_seconds,
  }
}

/** Now, as the environment sees it: what orders and their appointments are dated by. */
export function tenantNow(clock: Clock, tenant: Tenant): Date {
  return new Date(clock.now().getTime() + tenant.clockOffsetSeconds * 1000)
}

function readHeader(request: FastifyRequest, names: string[]): string | undefined {
  for (const name of names) {
    const value = request.headers[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

function readBearer(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

interface Entry extends Found {
  staleAt: number
}

/**
 * Found credentials, for a few seconds, so that a busy client costs no query a request. This
 * process forgets them at once when it changes something; other processes notice within 5 seconds.
 */
class TenantCache {
  readonly #entries = new Map<string, Entry>()
  #generation = 0

  clear(): void {
    this.#entries.clear()
    this.#generation += 1
  }

  async read(
    kind: 'key' | 'token',
    secret: string,
    clock: Clock,
    find: (hash: Buffer) => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const hash = hashKey(secret)
    const name = `${kind}:${hash.toString('base64')}`
    const now = clock.now().getTime()
    const entry = this.#entries.get(name)
    if (entry !== undefined && now < entry.staleAt && now < entry.endsAt) return entry
    this.#entries.delete(name)
    const generation = this.#generation
    const found = await find(hash)
    // What was read before a clear() may be what the clear was about.
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
