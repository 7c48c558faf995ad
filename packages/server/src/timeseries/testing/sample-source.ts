import { randomUUID } from 'node:crypto'
import type { Harness } from '../../../test/harness.ts'
import type { Sample } from '../../ingest/index.ts'

/** A sample as it is stored, with the given parts. */
export function storedSample(parts: Partial<Sample> = {}): Sample {
  const startedAt = parts.startedAt ?? Date.parse('2026-02-10T08:00:00Z')
  return {
    series: 'steps',
    startedAt,
    endedAt: startedAt,
    value: 10,
    diastolic: 0,
    text: '',
    sourceType: 'unknown',
    appId: '',
    sampleType: '',
    workoutId: '',
    sport: '',
    timezoneOffset: null,
    timeZone: '',
    extra: '',
    modifiedAt: null,
    ...parts,
  }
}

/** A user whose samples are written past the upload paths, with sources that uploads cannot name. */
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
