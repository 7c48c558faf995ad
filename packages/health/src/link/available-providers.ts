import { findProvider } from '@salus/contracts/providers'
import { type AppError, badRequest } from '@salus/kernel/errors'
import type { Environment } from '@salus/kernel/scope'
import { refusalOf } from '../connectors/index.ts'
import type { LinkContext } from './link.context.ts'

/**
 * Refuses a provider to which no user can be connected here, with the reason.
 * @throws AppError 400 `provider_not_available`
 */
export function requireAvailable(
  { environment }: { environment: Pick<Environment, 'kind'> },
  { connectors }: Pick<LinkContext, 'connectors'>,
  slug: string,
): void {
  const reason = refusalOf(slug, connectors.find(slug), environment)
  if (reason !== undefined) throw notAvailable(slug, reason)
}

/** @param reason From the table of states: it is no one's data. */
export function notAvailable(slug: string, reason: string): AppError {
  const name = findProvider(slug)?.name ?? 'the provider'
  return badRequest('provider_not_available', `Salus cannot connect ${name}. ${reason}`)
}

/**
 * Returns the description of a provider, which says in a sandbox that production cannot connect it.
 */
export function describeHere(
  { slug, description }: { slug: string; description: string },
  { connectors }: Pick<LinkContext, 'connectors'>,
): string {
  const reason = refusalOf(slug, connectors.find(slug), { kind: 'production' })
  return reason === undefined ? description : `${description} Only in sandboxes: ${reason}`
}

export const notConfigured = (): AppError =>
  badRequest('provider_not_configured', 'This deployment has no app for the provider.')
