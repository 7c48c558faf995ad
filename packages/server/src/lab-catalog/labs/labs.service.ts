import type { Db } from '../../platform/postgres/database.ts'
import type { Lab } from '../lab-catalog.schema.ts'
import { toLab } from './lab-answer.ts'
import { listEnabledLabs } from './labs.repository.ts'

export async function listLabAnswers(db: Db): Promise<Lab[]> {
  return (await listEnabledLabs(db)).map(toLab)
}
