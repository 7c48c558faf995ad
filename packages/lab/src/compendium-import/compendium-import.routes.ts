import { requireOperator } from '@salus/accounts/teams'
import type { App } from '@salus/kernel/http/app-types'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import Type from 'typebox'
import { CompendiumImport, CompendiumReport } from './compendium-import.schema.ts'
import { importCompendium } from './compendium-import.service.ts'

/** In base64; the files of a compendium of 10,000 tests have a few megabytes. */
const COMPENDIUM_BODY_LIMIT = 96 * 1024 ** 2

const Choice = (description: string) => Type.Optional(Type.Boolean({ description }))

/**
 * Registers the import of compendia. The scope needs the hook of createManagementAuthentication.
 */
export function registerCompendiumImportRoutes(
  app: App,
  { db, clock }: { db: Db; clock: Clock },
): void {
  app.put(
    '/v1/compendium',
    {
      bodyLimit: COMPENDIUM_BODY_LIMIT,
      schema: {
        operationId: 'loadCompendium',
        tags: ['Management'],
        summary: "Load a laboratory's compendium",
        description:
          'Loads the tests of one laboratory from the files of its compendium by a mapping, and reports the differences. A full compendium retires the tests that it does not have.',
        querystring: Type.Object({
          dry_run: Choice('Whether to report what would change without changing anything.'),
          allow_retire: Choice('Whether more than a tenth of the tests may be retired.'),
          skip_refused: Choice('Whether to load the other tests when some are refused.'),
        }),
        body: CompendiumImport,
        'x-body-example': {
          lab: 'quest',
          mapping: {
            tables: {
              tests: [
                {
                  file: 'tests.csv',
                  fields: { code: 'CODE', name: 'NAME', sample_type: { value: 'serum' } },
                },
              ],
            },
          },
          files: { 'tests.csv': 'Q09ERSxOQU1FCjEwMDEsR2x1Y29zZQo=' },
        },
        response: { 200: CompendiumReport },
      },
      onRequest: ({ managementKey }) => requireOperator(db, managementKey),
    },
    ({ body, query }) => {
      const options = {
        isDryRun: query.dry_run ?? false,
        allowsRetiring: query.allow_retire ?? false,
        skipsRefused: query.skip_refused ?? false,
      }
      return importCompendium(db, body, options, clock.now())
    },
  )
}
