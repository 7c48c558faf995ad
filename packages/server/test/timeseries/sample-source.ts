import { randomUUID } from 'node:crypto'
import type { Sample } from '@salus/health/ingest'
import type { Harness } from '../harness.ts'

/**
 * A user whose samples are written past the upload paths, with sources that uploads cannot name.
 */
export async function makeOwner(salus: Harness) {
  const userId = await salus.makeUser('manual', 'health_connect', 'apple_health_kit')
  const { rows } = await salus.database.pool.query(
    'select environment_id from users where id = $1',
    [userId],
  )
  const environmentId: string = rows[0].environment_id
  return {
    userId,
    write: (samples: Sample[], provider = 'manual') =>
      salus.writer.write({ environmentId, userId, provider }, samples),
  }
}

export const newWorkoutId = (): string => randomUUID()
