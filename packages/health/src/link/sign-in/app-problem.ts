import type { Scope } from '@salus/kernel/scope'
import type { AppProblem } from '../../connectors/index.ts'
import { LinkError } from '../link-errors.registry.ts'
import { findCustomCredential } from '../team-settings/custom-credentials.repository.ts'

/**
 * Returns the error of a sign-in at a vendor that does not accept the registered app, and logs it:
 * both name the setting to correct. The vendor's own text is in neither.
 */
export async function wrongApp(
  scope: Scope,
  { slug, problem, redirectUri }: { slug: string; problem: AppProblem; redirectUri: string },
): Promise<LinkError> {
  const isOwn = (await findCustomCredential(scope, slug)) !== undefined
  const setting = isOwn ? "the team's own app (team_custom_credentials)" : 'SALUS_PROVIDER_APPS'
  const message = MESSAGES[problem]({ slug, setting, redirectUri })
  scope.log.warn({ provider: slug, problem }, message)
  // The credential of the user was not even looked at.
  const errorType = problem === 'version' ? 'provider_api_error' : 'provider_credential_error'
  return new LinkError(errorType, { message })
}

const MESSAGES: Readonly<
  Record<AppProblem, (app: { slug: string; setting: string; redirectUri: string }) => string>
> = {
  client: ({ slug, setting }) =>
    `${slug} does not accept the client_id or the client_secret of ${setting}.`,
  redirect: ({ slug, redirectUri }) =>
    `${slug} does not accept the redirect address. Register exactly ${redirectUri} there, or correct SALUS_BASE_URL.`,
  version: ({ slug }) =>
    `${slug} no longer accepts the version of its app that Salus names: set a later one in SALUS_PROVIDER_APPS.`,
  scopes: ({ slug, setting }) =>
    `${slug} does not grant the scopes to the app of ${setting}. Enable them there.`,
}
