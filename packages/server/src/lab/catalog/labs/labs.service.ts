import type { Db } from '../../../platform/postgres/database.ts'
import type { EnvironmentKind } from '../../../platform/scope.ts'
import type { Lab } from '../lab-catalog.schema.ts'
import { toLab } from './lab-answer.ts'
import { listOpenLabs } from './labs.repository.ts'

export async function listLabAnswers(db: Db, environment: EnvironmentKind): Promise<Lab[]> {
  return (await listOpenLabs(db, environment)).map(toLab)
}
