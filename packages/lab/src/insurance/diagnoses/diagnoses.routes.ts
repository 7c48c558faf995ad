import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { Diagnosis, DiagnosisQuery, IcdCodes, IcdValidation } from './diagnoses.schema.ts'
import { validateIcdCodes } from './diagnoses.service.ts'
import { searchDiagnoses } from './diagnosis-search.ts'

const tags = ['Insurance']

/**
 * Registers the search of ICD-10-CM codes and their validation. The code set belongs to the
 * installation.
 */
export function registerDiagnosisRoutes(app: App): void {
  app.get(
    '/v3/insurance/search/diagnosis',
    {
      schema: {
        operationId: 'searchDiagnoses',
        tags,
        summary: 'Search diagnosis codes',
        description:
          'Returns at most 100 ICD-10-CM codes that are valid for claims, best match first. The query is a code with or without the dot, the beginning of a code, or words of the description, which may be misspelled.',
        querystring: DiagnosisQuery,
        response: { 200: Type.Array(Diagnosis) },
      },
    },
    ({ scope, query }) => searchDiagnoses(scope.db, query.diagnosis_query),
  )
  app.post(
    '/v3/insurance/validate_icd_codes',
    {
      config: { isRead: true },
      schema: {
        operationId: 'validateIcdCodes',
        tags,
        summary: 'Validate diagnosis codes',
        description:
          'Checks the codes and returns those that are not valid for claims, pairs that exclude each other, and pairs that overlap.',
        body: IcdCodes,
        response: { 200: IcdValidation },
      },
    },
    ({ scope, body }) => validateIcdCodes(scope.db, body.codes),
  )
}
