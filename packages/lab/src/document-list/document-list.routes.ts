import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { DocumentList, DocumentListQuery } from './document-list.schema.ts'
import { listDocuments } from './document-list.service.ts'

/** Documents of a person, of orders and reports together. */
export function registerDocumentListRoutes(app: App): void {
  app.get(
    '/v3/user/:user_id/document',
    {
      schema: {
        operationId: 'listDocuments',
        tags: ['Documents'],
        summary: 'List the documents of a person',
        description:
          'Every document that can be read now, of orders and of reports that were uploaded, newest first. Tube labels are not among them: they need the time of collection.',
        params: Type.Object({ user_id: Uuid }),
        querystring: DocumentListQuery,
        response: { 200: DocumentList },
      },
    },
    ({ scope, params: { user_id: userId }, query }) => listDocuments(scope, userId, query),
  )
}
