import { randomBytes } from 'node:crypto'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind } from '@salus/kernel/scope'
import type { Role } from '../organization/roles.registry.ts'
import * as repository from './management-keys.repository.ts'

/** Name and rights of a user. */
export interface PersonPower {
  label: string
  role: Role
  /** Null means every team. */
  teamIds: string[] | null
  /** Null means both. */
  environments: EnvironmentKind[] | null
}

const columnsOf = ({ label, role, teamIds, environments }: PersonPower) => ({
  label,
  role,
  environments,
  team_role_bindings: teamIds?.map((team_id) => ({ team_id })) ?? null,
})

/** Creates a management key that only sessions of a user use: it has no known secret. */
export function makeKeyOfPerson(
  db: Db,
  organizationId: string,
  power: PersonPower,
  createdAt: Date,
  creator: { type: string; id?: string } = { type: repository.OPENID_CREATOR },
): Promise<repository.ManagementKeyRow> {
  return repository.insertManagementKey(db, organizationId, {
    ...columnsOf(power),
    id: newId(),
    creator,
    // The hash of no secret.
    key_hash: randomBytes(32),
    created_at: createdAt,
  })
}

/** Changes the name and the rights of a user. */
export function changeKeyOfPerson(
  db: Db,
  key: Pick<repository.ManagementKeyRow, 'organization_id' | 'id'>,
  power: PersonPower,
): Promise<repository.ManagementKeyRow> {
  return repository.updateManagementKey(db, key.organization_id, key.id, columnsOf(power))
}

/**
 * Revokes the key of a user, who has no access any more; the caller clears cached credentials.
 */
export async function revokeKeyOfPerson(
  db: Db,
  key: Pick<repository.ManagementKeyRow, 'organization_id' | 'id'>,
  at: Date,
): Promise<void> {
  await repository.deleteManagementKey(db, key.organization_id, key.id, at)
}
