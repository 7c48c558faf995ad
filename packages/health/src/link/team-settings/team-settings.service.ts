import {
  cutPage,
  type DeletionReport,
  type EnvironmentPath,
  getManagedEnvironment,
  getManagedTeamId,
  listManagedEnvironments,
  type ManagementKeyIdentity,
  readPosition,
  requireBothEnvironments,
} from '@salus/accounts/teams'
import { createCredentialStore, Secret } from '@salus/kernel/crypto/credential-store'
import { hashKey } from '@salus/kernel/crypto/keys'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { invalidInput } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import { rowScope } from '@salus/kernel/scope'
import type { Clock } from '@salus/kernel/time/clock'
import { formatInstant } from '@salus/kernel/time/instants'
import {
  appCredentialName,
  CONNECTORS,
  missingSecrets,
  problemOfSecrets,
  type VendorApp,
} from '../../connectors/index.ts'
import { appKeyOf, pushPath } from '../../pulling/index.ts'
import { refuseBadRedirect } from '../redirect.ts'
import { callbackUrl } from '../sign-in/oauth.service.ts'
import {
  listCustomCredentials as listRows,
  removeCustomCredentials as removeRows,
} from './custom-credentials.global.repository.ts'
import * as credentials from './custom-credentials.repository.ts'
import {
  listScopeRequirements,
  putScopeRequirement,
  removeScopeRequirement,
} from './scope-requirements.global.repository.ts'
import type {
  CustomCredential,
  CustomCredentialList,
  CustomCredentialQuery,
  CustomCredentialUpdate,
  Preparations,
  ScopeRequirements,
  ScopeRequirementUpdate,
} from './team-settings.schema.ts'

export interface TeamSettingsContext {
  db: Db
  clock: Clock
  secrets: SecretBox
}

/** @throws AppError 404 */
export async function getScopeRequirements(
  { db }: TeamSettingsContext,
  caller: ManagementKeyIdentity,
  teamId: string,
  provider?: string | null,
): Promise<ScopeRequirements> {
  const id = await getManagedTeamId(db, caller, teamId)
  const rows = await listScopeRequirements(db, id, provider ?? undefined)
  return { requirements: rows.map(({ updated_at: _, ...requirement }) => requirement) }
}

/** Replaces the requirements of the given providers; null removes one. @throws AppError 403, 404 */
export async function updateScopeRequirements(
  context: TeamSettingsContext,
  caller: ManagementKeyIdentity,
  teamId: string,
  changes: ScopeRequirementUpdate,
): Promise<ScopeRequirements> {
  const { db, clock } = context
  const id = await getManagedTeamId(db, caller, teamId)
  requireBothEnvironments(caller)
  await db.transaction().execute(async (transaction) => {
    for (const [provider, lists] of Object.entries(changes)) {
      if (lists === undefined) continue
      if (lists === null) await removeScopeRequirement(transaction, id, provider)
      else await putScopeRequirement(transaction, { team_id: id, provider, ...lists }, clock.now())
    }
  })
  return getScopeRequirements(context, caller, teamId)
}

function toCustomCredential(
  { client_secret_hash: hash, provider, ...row }: credentials.CustomCredentialRow,
  teamId: string,
): CustomCredential {
  return {
    id: row.id,
    client_id: row.client_id,
    client_secret_hash: hash.toString('hex'),
    source: provider,
    team_id: teamId,
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
    details: row.details,
    app_url: null,
    redirect_url_override: row.redirect_url_override,
  }
}

/**
 * Returns a page of the teams' own apps, oldest first, without secrets. @throws AppError 404;
 * InputError
 */
export async function listCustomCredentials(
  { db }: TeamSettingsContext,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  { team_id: teamId, provider, next_cursor }: CustomCredentialQuery,
): Promise<CustomCredentialList> {
  const environments =
    teamId === undefined
      ? await listManagedEnvironments(db, caller, path)
      : [await getManagedEnvironment(db, caller, path, teamId)]
  const teams = new Map(environments.map((entry) => [entry.environmentId, entry.teamId]))
  const scope = ['custom_credentials', caller.organizationId, path.env, path.region]
  const cursorScope = [...scope, teamId, provider]
  const after = readPosition(cursorScope, next_cursor)
  const rows = await listRows(db, [...teams.keys()], { provider, after })
  const { page, nextCursor } = cutPage(cursorScope, rows)
  return {
    credentials: page.map((row) => toCustomCredential(row, teams.get(row.environment_id) ?? '')),
    next_cursor: nextCursor,
  }
}

/**
 * Stores a team's own app. Omitted fields keep their values; the secret is sealed and never shown
 * again.
 * @throws AppError 404; InputError
 */
export async function putCustomCredential(
  { db, clock, secrets }: TeamSettingsContext,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  input: CustomCredentialUpdate,
): Promise<CustomCredential> {
  refuseBadRedirect('redirect_url_override', input.redirect_url_override)
  const { environmentId, teamId } = await getManagedEnvironment(db, caller, path, input.team_id)
  const { provider } = input
  const key = { environmentId, userId: null, name: appCredentialName(provider) }
  return db.transaction().execute(async (transaction) => {
    const scope = rowScope(transaction, environmentId)
    const store = createCredentialStore(transaction, { secrets, clock })
    const known = await credentials.findCustomCredential(scope, provider)
    const kept = await store.find(key)
    const former: Partial<VendorApp> = kept ? JSON.parse(kept.secret.reveal()) : {}
    const clientId = input.client_id ?? former.clientId
    const clientSecret = input.client_secret ?? former.clientSecret
    if (clientId === undefined) throw missing('client_id')
    if (clientSecret === undefined) throw missing('client_secret')
    const further = input.secrets ?? former.secrets ?? {}
    refuseBadSecrets(provider, further)
    const app: VendorApp = {
      ...{ clientId, clientSecret },
      ...(Object.keys(further).length > 0 && { secrets: further }),
    }
    await store.put(key, new Secret(JSON.stringify(app)), null)
    const { details = known?.details ?? null } = input
    const { redirect_url_override = known?.redirect_url_override ?? null } = input
    const at = clock.now()
    const row = await credentials.putCustomCredential(scope, {
      ...{ id: newId(), provider, client_id: clientId, details, redirect_url_override },
      ...{ client_secret_hash: hashKey(clientSecret), created_at: at, updated_at: at },
    })
    return toCustomCredential(row, teamId)
  })
}

const missing = (field: string) =>
  invalidInput(['body', field], 'A new app needs a client id and a client secret', 'missing')

/** @throws InputError that names the secrets that the provider gives an app */
function refuseBadSecrets(provider: string, given: Readonly<Record<string, string>>): void {
  const connector = CONNECTORS.find(({ slug }) => slug === provider)
  if (connector === undefined) return
  const problem = problemOfSecrets(connector, given)
  if (problem === undefined) return
  const type = missingSecrets(connector, given).length > 0 ? 'missing' : 'enum'
  throw invalidInput(['body', 'secrets'], `The app needs ${problem}`, type)
}

/** Deletes apps with their secrets; the operator's apps then apply again. */
export async function removeCustomCredentials(
  { db, clock, secrets }: TeamSettingsContext,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  ids: string[],
): Promise<DeletionReport> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const environments = await listManagedEnvironments(db, caller, path)
  const ofCaller = environments.map(({ environmentId }) => environmentId)
  const removed = await db.transaction().execute(async (transaction) => {
    const rows = await removeRows(transaction, ofCaller, wanted)
    const store = createCredentialStore(transaction, { secrets, clock })
    for (const { environment_id: environmentId, provider } of rows) {
      await store.remove({ environmentId, userId: null, name: appCredentialName(provider) })
    }
    return rows.map(({ id }) => id)
  })
  const not_found = wanted.filter((id) => !removed.includes(id))
  return { success: wanted.filter((id) => removed.includes(id)), failure: [], not_found }
}

/**
 * Returns the values to enter in the vendor's form before an app of the team works.
 * @throws AppError 404; InputError
 */
export async function prepareCustomCredentials(
  { db, secrets }: TeamSettingsContext,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  { team_id: teamId, provider }: { team_id: string; provider: string },
  baseUrl: string,
): Promise<Preparations> {
  const { environmentId } = await getManagedEnvironment(db, caller, path, teamId)
  const known = await credentials.findCustomCredential(rowScope(db, environmentId), provider)
  return {
    status: 'preparations_required',
    preparation_steps: [
      {
        type: 'redirect_uri',
        key: 'redirect_uri',
        value: known?.redirect_url_override ?? callbackUrl(baseUrl, provider),
        description: 'Register it as the redirect URI of the app, character by character.',
      },
      ...webhookSteps(secrets, provider, known?.client_id, baseUrl),
    ],
  }
}

/**
 * Returns the address of messages where it is entered by hand at the vendor. That of a vendor that
 * does not sign depends on the app, so there is none before the app is stored.
 */
function webhookSteps(
  secrets: SecretBox,
  provider: string,
  clientId: string | undefined,
  baseUrl: string,
): Preparations['preparation_steps'] {
  const connector = CONNECTORS.find(({ slug }) => slug === provider)
  const { push } = connector ?? {}
  const isManual = push !== undefined && !push.subscribe && !push.subscribeUser
  if (!connector || !isManual || (!push.verify && clientId === undefined)) return []
  const appKey = appKeyOf(provider, { clientId: clientId ?? '', clientSecret: '' })
  return [
    {
      type: 'webhook_uri',
      key: 'webhook_uri',
      value: `${baseUrl}${pushPath(secrets, connector, appKey)}`,
      description: 'Register it as the address to which the provider sends its messages.',
    },
  ]
}
