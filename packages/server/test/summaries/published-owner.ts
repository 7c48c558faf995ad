import type { Publication, SampleOwner } from '@salus/health/ingest'
import type { Harness } from '../harness.ts'

export interface PublishedOwner {
  owner: SampleOwner
  publication: Publication
}

/** A new person of the first team's sandbox, and whom news about them go to. */
export async function makePublishedOwner(
  salus: Harness,
  provider = 'health_connect',
): Promise<PublishedOwner> {
  const userId = await salus.makeUser(provider)
  const { rows } = await salus.database.pool.query(
    'select environment_id, client_user_id from users where id = $1',
    [userId],
  )
  const [{ environment_id: environmentId, client_user_id }] = rows
  return {
    owner: { environmentId, userId, provider },
    publication: {
      environment: {
        id: environmentId,
        teamId: salus.teamId,
        settings: { event_type_prefixes: null },
      },
      user: { id: userId, client_user_id },
      deviceId: undefined,
      baseUrl: 'https://salus.test',
    },
  }
}
