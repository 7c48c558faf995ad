import { AppError } from '@salus/kernel/errors'
import type { FastifyRequest } from 'fastify'
import { isServedType } from './resource-types.registry.ts'

/** What a token may do with a type of resource. */
export type FhirAction = 'read' | 'search' | 'create' | 'update'

interface ScopeParts {
  /** A type, or * for all. */
  type: string
  actions: ReadonlySet<FhirAction>
}

const V1: Readonly<Record<string, readonly FhirAction[]>> = {
  read: ['read', 'search'],
  write: ['create', 'update'],
  '*': ['read', 'search', 'create', 'update'],
}
const LETTERS: Readonly<Record<string, FhirAction | undefined>> = {
  c: 'create',
  r: 'read',
  u: 'update',
  s: 'search',
}

/**
 * Reads a scope of SMART App Launch: `system/Observation.rs` (version 2) or
 * `system/Observation.read` (version 1); undefined for one that Salus does not have.
 */
export function readScope(text: string): ScopeParts | undefined {
  const [, type = '', access = ''] =
    /^system\/(\*|[A-Z]\w+)\.(\*|read|write|c?r?u?d?s?)$/.exec(text) ?? []
  const isKnown = type === '*' || type === 'Binary' || isServedType(type)
  if (!isKnown || access === '') return undefined
  const actions = V1[access] ?? [...access].flatMap((letter) => LETTERS[letter] ?? [])
  return { type, actions: new Set(actions) }
}

/** Whether one of the scopes allows an action with a type; `*` is all types at once. */
export function allows(scopes: readonly string[], type: string, action: FhirAction): boolean {
  return scopes.some((text) => {
    const scope = readScope(text)
    const isOfType = scope?.type === '*' || scope?.type === type
    return isOfType && scope.actions.has(action)
  })
}

/** Returns the requested scopes that the scopes of a client cover. */
export function grantScopes(requested: string, allowed: readonly string[]): string[] {
  return [...new Set(requested.split(' '))].filter((text) => {
    const scope = readScope(text)
    if (scope === undefined || scope.actions.size === 0) return false
    return [...scope.actions].every((action) => allows(allowed, scope.type, action))
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Scopes of the token of a SMART client; null for other credentials, which have all. */
    smartScopes: readonly string[] | null
  }

  interface FastifyContextConfig {
    /**
     * What a request of a SMART client does: with the type of the path, with one type, or with the
     * types that the query lists as `_type`.
     */
    fhirAccess?: { action: FhirAction; type?: string; isListed?: boolean }
  }
}

/**
 * Checks the scopes of a SMART client.
 * @throws AppError 403 `insufficient_scope`
 */
export async function enforceScopes(request: FastifyRequest): Promise<void> {
  if (request.smartScopes === null) return
  const access = request.routeOptions.config.fhirAccess
  const { resource_type: ofPath } = (request.params ?? {}) as { resource_type?: string }
  // The query is not validated yet, and has a list only where the name is repeated.
  const { _type: given = [] } = request.query as { _type?: string | string[] }
  const listed = [given].flat()
  const isListed = access?.isListed && listed.length > 0
  const types = isListed
    ? listed.flatMap((names) => names.split(','))
    : [access?.type ?? ofPath ?? '*']
  for (const type of types) requireScope(request, type, access?.action ?? 'update')
}

/** @throws AppError 403 `insufficient_scope` for a SMART client without a scope for it */
export function requireScope(
  { smartScopes: scopes }: FastifyRequest,
  type: string,
  action: FhirAction,
): void {
  // A document is read by those who may read what it belongs to.
  const types = type === 'Binary' ? ['Binary', 'DocumentReference'] : [type]
  if (scopes === null || types.some((one) => allows(scopes, one, action))) return
  throw new AppError(403, 'insufficient_scope', 'The token has no scope for this.')
}
