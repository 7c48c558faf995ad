import type { FastifyRequest } from 'fastify'
import type { Fault } from './faults.ts'
import type { Grants } from './oauth/grants.ts'
import type { Calendar } from './people/days.ts'
import type { VendorContext } from './vendor.ts'

/** The app and the person of a request with a bearer token. */
export interface Caller {
  readonly account: string
  readonly clientId: string
  readonly calendar: Calendar
  readonly scopes: readonly string[]
  readonly faults: readonly Fault[]
  /** Epoch milliseconds. */
  readonly now: number
  readonly token: string
}

/** Returns the caller; undefined for a token that is wrong, expired or revoked. */
export async function callerOf(
  { faults, clock, calendarOf }: VendorContext,
  grants: Grants,
  request: FastifyRequest,
  collection: string,
): Promise<Caller | undefined> {
  const [kind = '', token = ''] = (request.headers.authorization ?? '').split(' ')
  if (kind.toLowerCase() !== 'bearer') return undefined
  const found = await grants.check(token, (account) => faults.keysOf(account))
  if (found === undefined) return undefined
  const { account, grant, rows } = found
  return {
    account,
    clientId: grant.clientId,
    calendar: calendarOf(account),
    scopes: grant.scopes,
    faults: await faults.find(account, 'data', collection, rows),
    now: clock.now().getTime(),
    token,
  }
}
