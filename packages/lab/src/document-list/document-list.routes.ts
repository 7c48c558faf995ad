import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { DocumentList, DocumentListQuery } from './document-list.schema.ts'
import { listDocuments } from './document-list.service.ts'

/** Registers the list of a person's documents, of orders and lab reports. */
export function registerDocumentListRoutes(app: App): void {
  app.get(
    '/v3/user/:user_id/document',
    {
      schema: {
        operationId: 'listDocuments',
        tags: ['Documents'],
        summary: 'List the documents of a person',
        description:
          'Returns all available documents of the orders and uploaded lab reports of a person, newest first. Tube labels are not listed, because they need the time of collection.',
        params: Type.Object({ user_id: Uuid }),
        querystring: DocumentListQuery,
        response: { 200: DocumentList },
      },
    },
    ({ scope, params: { user_id: userId }, query }) => listDocuments(scope, userId, query),
  )
}
