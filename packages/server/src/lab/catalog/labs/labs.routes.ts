import Type from 'typebox'
import type { App } from '../../../platform/http/app-types.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { Lab } from '../lab-catalog.schema.ts'
import { listLabAnswers } from './labs.service.ts'

export function registerLabRoutes(app: App, db: Db): void {
  app.get(
    '/v3/lab_tests/labs',
    { schema: { tags: ['Lab tests'], summary: 'List labs', response: { 200: Type.Array(Lab) } } },
    ({ scope: { environment } }) => listLabAnswers(db, environment.kind),
  )
}
