import { StartupError } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import { findOperatorOrganizationId, type ManagementKeyIdentity } from '../../teams/index.ts'
import { deleteOtherSessions } from '../console-sessions.global.repository.ts'
import { deleteFactors } from '../factors/factors.global.repository.ts'
import { makeInvitation } from './invitations.service.ts'
import { listUsersByEmail, updateUser } from './organization-users.global.repository.ts'
import type { Invitation } from './organization-users.schema.ts'
import { addUser } from './organization-users.service.ts'

/** What an operator does on the machine, with the database: it needs no key and no session. */

async function getOrganizationId(db: Db): Promise<string> {
  const organizationId = await findOperatorOrganizationId(db)
  if (organizationId !== undefined) return organizationId
  throw new StartupError(
    'The database has no organization yet. Start Salus, which creates the keys.',
  )
}

/**
 * Creates an invitation for a user of the first organization; one who does not exist becomes an
 * org_admin, and one who is suspended may accept it.
 */
export async function inviteAsOperator(
  { db, clock }: { db: Db; clock: Clock },
  email: string,
  serverUrl: string,
): Promise<Invitation> {
  const organizationId = await getOrganizationId(db)
  return db.transaction().execute(async (transaction) => {
    const [known] = await listUsersByEmail(transaction, email.toLowerCase(), organizationId)
    const operator: ManagementKeyIdentity = {
      id: '',
      organizationId,
      role: 'org_admin',
      teamIds: null,
      environments: null,
    }
    const input = { email, name: email.slice(0, 80), role: 'org_admin' as const }
    const id = known?.id ?? (await addUser(transaction, operator, input, clock.now()))
    if (known?.status === 'suspended') await updateUser(transaction, id, { status: 'invited' })
    return makeInvitation({ db: transaction, clock }, organizationId, id, serverUrl)
  })
}

/**
 * Removes the second factors of a user of the first organization, and ends their sessions.
 * @throws StartupError for an unknown e-mail address
 */
export async function resetSecondFactorAsOperator(db: Db, email: string): Promise<void> {
  const organizationId = await getOrganizationId(db)
  await db.transaction().execute(async (transaction) => {
    const [known] = await listUsersByEmail(transaction, email.toLowerCase(), organizationId)
    if (known === undefined) {
      throw new StartupError('The first organization has no user with this e-mail address.')
    }
    await deleteFactors(transaction, known.id)
    await deleteOtherSessions(transaction, known.management_key_id, undefined)
  })
}
