import type { LabPartners } from '@salus/contracts/lab-partners'
import { isNpi } from '@salus/kernel/check-digits'
import { badRequest, invalidInput, notFoundCode } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind, Scope } from '@salus/kernel/scope'
import type { DelegatedFlow } from '../../catalog/index.ts'
import { callLabPartner, requirePartner } from '../../gateways/index.ts'
import type { RegisteredPhysician } from '../orders.schema.ts'
import type { PhysicianInput } from '../people.schema.ts'
import * as repository from './physicians.global.repository.ts'

/**
 * Returns whether the customer's own physicians order through an account
 * (docs/contract/10-labs-and-tests.md#labaccount).
 */
export function isDelegated(flow: DelegatedFlow): boolean {
  return flow === 'order_delegated' || flow === 'fully_delegated'
}

/**
 * Returns the ordering physician: the given one, or one of the installation's network who may order
 * in the patient's state.
 * @throws AppError 400 `physician_required`, `physician_not_licensed`
 */
export async function choosePhysician(
  db: Db,
  environment: EnvironmentKind,
  given: PhysicianInput | null,
  options: {
    isDelegated: boolean
    state: string
    /** What findNetworkPhysician returns for the state, where it was begun before. */
    network?: Promise<repository.PhysicianRow | undefined> | undefined
  },
): Promise<PhysicianInput> {
  const state = options.state.toUpperCase()
  if (given !== null) {
    const { licensed_states: states } = given
    if (states.length === 0 || states.includes(state)) return given
    const message = "The physician has no licence in the patient's state."
    throw badRequest('physician_not_licensed', message)
  }
  const row = options.isDelegated
    ? undefined
    : await (options.network ?? findNetworkPhysician(db, environment, state))
  if (row === undefined) {
    throw badRequest('physician_required', 'The lab account needs an ordering physician.')
  }
  const { first_name, last_name, npi, licensed_states, signature_image } = row
  const network = { email: null, is_own: false }
  return { first_name, last_name, npi, licensed_states, signature_image, ...network }
}

/** Returns a physician of the installation who may order in a state; always the same one. */
export function findNetworkPhysician(
  db: Db,
  environment: EnvironmentKind,
  state: string,
): Promise<repository.PhysicianRow | undefined> {
  // States of imported orders are not normalized.
  return repository.findNetworkPhysician(db, environment, state.toUpperCase())
}

/** Stores the customer's physician for the list of physicians. */
export async function storePhysician(
  db: Db,
  teamId: string,
  physician: PhysicianInput,
  at: Date,
): Promise<void> {
  if (physician.npi === '') return
  const { first_name, last_name, npi, licensed_states, signature_image } = physician
  await repository.storePhysician(db, teamId, {
    id: newId(),
    team_id: teamId,
    first_name,
    last_name,
    npi,
    licensed_states,
    signature_image: signature_image && JSON.stringify(signature_image),
    created_at: at,
  })
}

/** Returns the physicians of a team. @throws AppError 404 for any team but the caller's own */
export async function listPhysicians({ db, environment }: Scope, teamId: string) {
  if (teamId.toLowerCase() !== environment.teamId) throw notFoundCode('team_not_found')
  return repository.listPhysiciansOfTeam(db, environment.teamId)
}

/**
 * Returns whom the public registry names for an NPI.
 * @throws InputError 422 for a wrong check digit; AppError 400 `partner_not_configured`, 404
 *   `npi_not_found`, 502 `partner_unavailable`
 */
export async function lookUpPhysician(
  { environment, log }: Scope,
  partners: LabPartners,
  npi: string,
): Promise<RegisteredPhysician> {
  if (!isNpi(npi)) {
    throw invalidInput(['path', 'npi'], 'Input should be an NPI with a right check digit', 'npi')
  }
  const registry = requirePartner(partners[environment.kind].npiRegistry)
  const found = await callLabPartner(log, () => registry.find(npi))
  if (found === undefined) throw notFoundCode('npi_not_found')
  const licensed = found.taxonomies.filter(({ license }) => license !== null)
  return {
    npi,
    kind: found.kind,
    is_active: found.isActive,
    first_name: found.firstName,
    last_name: found.lastName,
    organization_name: found.organizationName,
    credential: found.credential,
    licensed_states: [...new Set(licensed.flatMap(({ state }) => state ?? []))].sort(),
    taxonomies: found.taxonomies.map(({ code, description, isPrimary, state, license }) => ({
      code,
      description,
      is_primary: isPrimary,
      state,
      license,
    })),
  }
}
