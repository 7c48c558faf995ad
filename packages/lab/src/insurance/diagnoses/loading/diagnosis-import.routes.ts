import { requireOperator } from '@salus/accounts/teams'
import type { App } from '@salus/kernel/http/app-types'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import Type from 'typebox'
import { DiagnosisCodeFiles, DiagnosisImportSummary } from './diagnosis-loading.schema.ts'
import { loadDiagnosisCodes } from './diagnosis-loading.service.ts'

/** The order file has 14 MiB, the tabular list 9, and both grow slowly. */
const FILES_BODY_LIMIT = 64 * 1024 ** 2

/**
 * Registers the import of diagnosis codes. The scope needs the hook of
 * createManagementAuthentication.
 */
export function registerDiagnosisImportRoutes(
  app: App,
  { db, clock }: { db: Db; clock: Clock },
): void {
  app.put(
    '/v1/diagnosis_codes',
    {
      bodyLimit: FILES_BODY_LIMIT,
      schema: {
        operationId: 'loadDiagnosisCodes',
        tags: ['Management'],
        summary: 'Load diagnosis codes',
        description:
          'Loads the files of ICD-10-CM that are published each year. The whole code set is replaced in one transaction.',
        querystring: Type.Object({
          dry_run: Type.Optional(
            Type.Boolean({
              description: 'Whether to report what would change without changing anything.',
            }),
          ),
        }),
        body: DiagnosisCodeFiles,
        'x-body-example': {
          order_file: [
            '00001 E11     0 Type 2 diabetes mellitus                                     Type 2 diabetes mellitus',
            '00002 E119    1 Type 2 diabetes mellitus without complications               Type 2 diabetes mellitus without complications',
            '00003 I10     1 Essential (primary) hypertension                             Essential (primary) hypertension',
          ].join('\r\n'),
        },
        response: { 200: DiagnosisImportSummary },
      },
      onRequest: ({ managementKey }) => requireOperator(db, managementKey),
    },
    ({ body, query }) =>
      loadDiagnosisCodes(db, body, clock.now(), { isDryRun: query.dry_run ?? false }),
  )
}
